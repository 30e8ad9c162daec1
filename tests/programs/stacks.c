/* SPDX-License-Identifier: Apache-2.0 */
/* Large frames and recursion in threads, with a stack size asked for.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: verdict complete
 * hand: 0
 * model: main: begin, create A, create B, end, join A, join B, exit
 * model: A: store x
 * model: B: store y */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int cell[2];

static int depth(int n)
{
    volatile char frame[1000];
    memset((char *)frame, n, sizeof frame);
    return n == 0 ? frame[0] : 1 + depth(n - 1);
}

static void *worker(void *arg)
{
    char big[1 << 20];
    memset(big, 1, sizeof big);
    atomic_store((atomic_int *)arg, big[12345]);
    assert(depth(1000) == 1000);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_attr_t attr;
    size_t size;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 4 << 20);
    pthread_attr_getstacksize(&attr, &size);
    assert(size == 4 << 20);
    __VERIFIER_atomic_begin();
    pthread_create(&a, &attr, worker, &cell[0]);
    pthread_create(&b, NULL, worker, &cell[1]);
    __VERIFIER_atomic_end();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
