/* SPDX-License-Identifier: Apache-2.0 */
/* A handler takes a lock that a thread may hold while the process ends.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void add(void)
{
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
}

static void *body(void *arg)
{
    add();
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(add);
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
