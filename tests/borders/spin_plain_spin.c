/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a plain variable that others write under a lock.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding race spin_plain_spin.c:34 spin_plain_spin.c:24
 * treadle:
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding race spin_plain_spin.c:34 spin_plain_spin.c:24
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding race spin_plain_spin.c:34 spin_plain_spin.c:24 */
#include <pthread.h>

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
        continue;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
