/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that crashes is stopped; the race that it had before is found all the same.
 *
 * treadle: -k
 * cflags: -O0
 * expect: finding crash keep_crash.c:19
 * expect: finding race keep_crash.c:18 keep_crash.c:27
 * expect: verdict bug */
#include <pthread.h>
#include <stddef.h>

static int d;
static volatile int *nowhere;

static void *crashes(void *arg)
{
    (void)arg;
    d++;
    *nowhere = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, crashes, NULL);
    d++;
    pthread_join(t, NULL);
    return 0;
}
