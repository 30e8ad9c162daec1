/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a plain variable, and yields in each round.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_plain_spiny.c:35 spin_plain_spiny.c:25
 * treadle:
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding race spin_plain_spiny.c:35 spin_plain_spiny.c:25
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding race spin_plain_spiny.c:35 spin_plain_spiny.c:25 */
#include <pthread.h>
#include <sched.h>

static volatile int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *p(void *a)
{
    pthread_mutex_lock(&m);
    ready++;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, p, NULL);
    while (ready != 2)
        sched_yield();
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
