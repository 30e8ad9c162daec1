/* SPDX-License-Identifier: Apache-2.0 */
/* The lock orders the two writes in every run that the first thread begins; nothing depends on
 * who takes it first, so this order does not count, and a run shows the race.
 *
 * treadle: --goal=races
 * expect: verdict bug
 * expect: finding race manners_apart.c:16 manners_apart.c:26
 * expect: runs 2 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *arg)
{
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
