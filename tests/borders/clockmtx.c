/* SPDX-License-Identifier: Apache-2.0 */
/* Time does not run backwards from one holder of a mutex to the next.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long last;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *look(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        long n = now();
        assert(n >= last);
        last = n;
        pthread_mutex_unlock(&m);
        usleep(500);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(now() >= last);
    return 0;
}
