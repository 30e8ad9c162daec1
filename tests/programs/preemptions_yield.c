/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that yields can go on: who goes by preemptions does not leave it by itself. Without a
 * preemption main does all it has to do; then t2 comes last of the two that post.
 *
 * treadle: --preemptions=0
 * expect: verdict incomplete
 * expect: runs 1
 * expect: events 6
 * expect: ledger preemptions
 * agree: --search=all --preemptions=0
 *
 * treadle: --preemptions=1
 * expect: verdict complete
 * expect: runs 2
 * expect: events 8
 * agree: --search=all --preemptions=1
 *
 * treadle: --search=all --preemptions=0
 * expect: verdict incomplete
 * expect: runs 5
 * expect: ledger preemptions */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int value;
static sem_t posts;

static void *t1(void *arg)
{
    atomic_load(&value);
    return arg;
}

static void *t2(void *arg)
{
    sem_post(&posts);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&posts, 0, 0);
    pthread_create(&t, NULL, t1, NULL);
    sched_yield();
    pthread_create(&t, NULL, t2, NULL);
    sem_post(&posts);
    return 0;
}
