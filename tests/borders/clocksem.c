/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for a post of a thread that sleeps waits as long.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t s;
static long posted;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *post(void *arg)
{
    sleep(2);
    posted = now();
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    long start = now();
    pthread_create(&t, NULL, post, NULL);
    sem_wait(&s);
    long end = now();
    assert(end >= posted);
    assert(end - start >= 2000000000L);
    pthread_join(t, NULL);
    return 0;
}
