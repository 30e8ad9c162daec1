/* SPDX-License-Identifier: Apache-2.0 */
/* A null pointer followed.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding crash null.c:15
 * hand: -11 */
#include <pthread.h>
#include <stddef.h>

static int *volatile p;

static void *worker(void *arg)
{
    *p = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
