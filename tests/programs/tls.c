/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-local variables and errno are each thread's own.
 *
 * treadle: --search=all
 * expect: runs 181
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, 2* store z, join A, join B, exit
 * model: A: 2* store x
 * model: B: 2* store y */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static __thread int mine = 7;
static __thread int zero;
static atomic_int cell[3];

static void work(int n)
{
    assert(mine == 7 && zero == 0);
    errno = n;
    mine = n;
    zero = n;
    atomic_store(&cell[n - 100], 1);
    assert(mine == n && zero == n && errno == n);
    errno = 0;
    strtol("99999999999999999999999", NULL, 10);
    atomic_store(&cell[n - 100], 2);
    assert(errno == ERANGE);
}

static void *worker(void *arg)
{
    work((int)(intptr_t)arg);
    return &mine;
}

int main(void)
{
    pthread_t a, b;
    void *pa, *pb;
    pthread_create(&a, NULL, worker, (void *)101);
    pthread_create(&b, NULL, worker, (void *)102);
    work(100);
    pthread_join(a, &pa);
    pthread_join(b, &pb);
    assert(pa != &mine && pb != &mine);
    return 0;
}
