/* SPDX-License-Identifier: Apache-2.0 */
/* A function that is called once waits for its own end; the report named a mutex.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding deadlock once_itself.c:21
 * expect: says main waits for the end of 'second()' */
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t *all;

static pthread_once_t *second(void)
{
    return &all[1];
}

static void routine(void)
{
    pthread_once(second(), routine);
}

int main(void)
{
    all = calloc(2, sizeof *all);
    pthread_once(second(), routine);
    return 0;
}
