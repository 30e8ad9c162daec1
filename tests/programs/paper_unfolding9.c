/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 9 (Example 2) of Kähkönen, Saarikivi and Heljanko, 2014: an input passes through
 * shared memory.
 *
 * Thread 1 reads x and fails if it is positive; thread 2 reads x and, as it is still 0,
 * writes its input. Events as in the paper: the reads of the first value (1, 2), the write
 * after both (3), the write after that of thread 2 only (4), the read behind it (5), two
 * sides (6, 7); and 2 creates: 9. Comparing what was read before the write is no event: it
 * depends on no input. 3, 6 and 7 exclude each other: 3 runs, as in the paper.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 9
 * expect: verdict bug
 * expect: finding assert paper_unfolding9.c:26 */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int x;

static void *thread_1(void *arg)
{
    int a = atomic_load(&x);
    if (a > 0)
        treadle_assert(!"error");
    return arg;
}

static void *thread_2(void *arg)
{
    int b = atomic_load(&x);
    if (b == 0)
        atomic_store(&x, treadle_int("input"));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread_1, NULL);
    pthread_create(&t, NULL, thread_2, NULL);
    pthread_exit(NULL);
}
