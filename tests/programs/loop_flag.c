/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a flag in a loop that sleeps, yields or pauses: no bound is needed.
 *
 * treadle:
 * expect: runs 8
 * expect: events 33
 * expect: verdict complete */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static int data;

static void *yields(void *arg)
{
    while (atomic_load(&flag) < 1)
        sched_yield();
    return arg;
}

static void *sleeps(void *arg)
{
    while (atomic_load(&flag) < 2)
        usleep(10);
    return arg;
}

/* What is kept on the stack, and written in each round, is the same each time. */
static void *naps(void *arg)
{
    while (atomic_load(&flag) < 2) {
        struct timespec t = {0, 1000};
        nanosleep(&t, NULL);
    }
    return data == 7 ? arg : NULL;
}

static void *pauses(void *arg)
{
    data = 7;
    while (atomic_load(&flag) < 1)
        __asm__ volatile("");
    atomic_store(&flag, 2);
    return arg;
}

int main(void)
{
    void *(*const starts[])(void *) = {yields, sleeps, naps, pauses};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, starts[i], NULL);
    atomic_store(&flag, 1);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
