/* SPDX-License-Identifier: Apache-2.0 */
/* Sixteen bytes by one instruction.
 *
 * treadle: --search=all
 * cflags: -mcx16 -latomic
 * arch: x86_64
 * expect: runs 6
 * expect: traces 6
 * expect: verdict complete
 * model: main: create A, rmw x, rmw x
 * model: A: rmw x, rmw x */
#include <assert.h>
#include <pthread.h>

typedef unsigned __int128 wide;

static wide x;

static void *worker(void *arg)
{
    __sync_fetch_and_add(&x, (wide)1 << 64 | 1);
    __sync_fetch_and_add(&x, (wide)1 << 64 | 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __sync_fetch_and_add(&x, (wide)1 << 64 | 1);
    wide seen = __sync_fetch_and_add(&x, (wide)1 << 64 | 1);
    assert((unsigned long)seen == (unsigned long)(seen >> 64));
    pthread_exit(NULL);
}
