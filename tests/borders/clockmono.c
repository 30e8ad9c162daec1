/* SPDX-License-Identifier: Apache-2.0 */
/* Who sees a flag sees no earlier time than who set it.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static long start;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *set(void *arg)
{
    usleep(1000);
    start = now();
    atomic_store(&flag, 1);
    return arg;
}

static void *see(void *arg)
{
    while (!atomic_load(&flag))
        continue;
    assert(now() >= start);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, see, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(now() >= start);
    return 0;
}
