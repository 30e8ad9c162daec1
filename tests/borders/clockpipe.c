/* SPDX-License-Identifier: Apache-2.0 */
/* A time that came through a pipe is not later than that of its reader.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int p[2];

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *tell(void *arg)
{
    sleep(2);
    long sent = now();
    assert(write(p[1], &sent, sizeof sent) == sizeof sent);
    return arg;
}

int main(void)
{
    pthread_t t;
    long sent;
    assert(pipe(p) == 0);
    pthread_create(&t, NULL, tell, NULL);
    assert(read(p[0], &sent, sizeof sent) == sizeof sent);
    assert(now() >= sent);
    pthread_join(t, NULL);
    return 0;
}
