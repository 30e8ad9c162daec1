/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 1 of Sen and Agha, 2006: the error needs an order and an input.
 *
 * Thread 1 writes 3; thread 2 writes 2, reads x and compares it with 2z + 1. Three orders
 * are told apart, by where the write of 3 lies: before the write of 2 (then the value read
 * is 2), between it and the read (3), after the read (2). 2z + 1 = 2 has no solution, so the
 * comparison has two sides in the middle order only: 4 runs, and none of them could be
 * saved, since no two of the four sides fit into one run.
 *
 * Events: 2 creates. First order: write, write, read, side: 4. Second: write, write, read,
 * two sides: 5. Third: the write of 2 is that of the second order; read, side, write: 3.
 * Together 14.
 *
 * treadle: -k
 * expect: runs 4
 * expect: events 14
 * expect: verdict bug
 * expect: finding assert paper_jcute1.c:36 */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int x;
static int z;

static void *thread_1(void *arg)
{
    atomic_store(&x, 3);
    return arg;
}

static void *thread_2(void *arg)
{
    atomic_store(&x, 2);
    if (2 * z + 1 == atomic_load(&x))
        treadle_assert(!"error");
    return arg;
}

int main(void)
{
    pthread_t t;
    z = treadle_int("z");
    pthread_create(&t, NULL, thread_1, NULL);
    pthread_create(&t, NULL, thread_2, NULL);
    pthread_exit(NULL);
}
