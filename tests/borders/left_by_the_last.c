/* SPDX-License-Identifier: Apache-2.0 */
/* The last thread ends while it holds a mutex, and handlers of exit are to be called.
 *
 * treadle:
 * expect: finding mutex left_by_the_last.c:19
 * expect: verdict bug */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(void)
{
}

int main(void)
{
    atexit(handler);
    pthread_mutex_lock(&m);
    pthread_exit(NULL);
}
