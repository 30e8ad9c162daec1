/* SPDX-License-Identifier: Apache-2.0 */
/* alarm and setitimer answer with what another thread has set.
 *
 * treadle: -k
 * expect: finding assert process_timers.c:29
 * expect: finding assert process_timers.c:30
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

static void *sets(void *arg)
{
    struct itimerval v = {.it_value.tv_sec = 100};
    (void)arg;
    alarm(50);
    setitimer(ITIMER_PROF, &v, NULL);
    return NULL;
}

int main(void)
{
    struct itimerval v;
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    getitimer(ITIMER_PROF, &v);
    if (v.it_value.tv_sec == 0)
        assert(alarm(0) == 0);
    assert(v.it_value.tv_sec == 0);
    pthread_join(t, NULL);
    return 0;
}
