/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads swap a struct of sixteen bytes: every access is one operation.
 *
 * treadle: --search=all
 * cflags: -latomic
 * expect: runs 6
 * expect: traces 6
 * expect: verdict complete
 * model: main: create A, rmw x, rmw x
 * model: A: rmw x, rmw x */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long a, b;
};

static _Atomic struct pair pair;

static void swap(long n)
{
    struct pair next = {n, -n};
    struct pair seen = atomic_exchange(&pair, next);
    assert(seen.a == -seen.b);
}

static void *worker(void *arg)
{
    swap(1);
    swap(2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    swap(3);
    swap(4);
    pthread_exit(NULL);
}
