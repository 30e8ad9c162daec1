/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering: at sequential consistency one of the two sees the other.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: events 27
 * expect: traces 3
 * expect: verdict complete
 * model: main: create A, create B, join A, join B, exit
 * model: A: store x 1, load y a
 * model: B: store y 1, load x b */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *arg)
{
    atomic_store(&x, 1);
    a = atomic_load(&y);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&y, 1);
    b = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(a || b);
    return 0;
}
