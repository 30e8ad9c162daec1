/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 1 and 7 of Kähkönen, Saarikivi and Heljanko, 2014: a program and its unfolding.
 *
 * The figures are pictures; this is the program that the text describes. Thread 1 writes x if
 * its input plus 1 is 5, and reads it otherwise. Thread 2 reads x and compares its own input
 * with what it read.
 *
 * Events, with the numbers of Figure 7 where its text has them: the side "no" of thread 1 (1)
 * and its read (2); the read of thread 2 (3) and two sides behind it (4 and one more); the
 * side "yes" of thread 1 (5); the write before the read of thread 2 (6), the read behind it
 * (7), two sides (8, 9); the write after read 3. Both reads of the first value are one event
 * each, whatever comes first. These are 11, and 2 creates: 13.
 *
 * Each run has one side of thread 2. Two sides follow read 7 and need "yes" and write 6; two
 * follow read 3, and one of them can go with "no", the other with the write after read 3. So
 * 4 runs are needed, and enough.
 *
 * treadle:
 * expect: runs 4
 * expect: events 13
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int x;
static volatile int larger;

static void *thread_1(void *arg)
{
    int a = treadle_int("input 1");
    if (a + 1 == 5)
        atomic_store(&x, 1);
    else
        (void)atomic_load(&x);
    return arg;
}

static void *thread_2(void *arg)
{
    int b = treadle_int("input 2");
    if (b > atomic_load(&x))
        larger = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread_1, NULL);
    pthread_create(&t, NULL, thread_2, NULL);
    pthread_exit(NULL);
}
