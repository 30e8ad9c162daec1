/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier for three to which two come.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding deadlock barrier_short.c:23
 * expect: finding deadlock barrier_short.c:32
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding deadlock barrier_short.c:23
 * expect: finding deadlock barrier_short.c:32 */
#include <pthread.h>

static pthread_barrier_t b;

static void *go(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&t, NULL, go, NULL);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    return 0;
}
