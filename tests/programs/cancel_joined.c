/* SPDX-License-Identifier: Apache-2.0 */
/* A thread is cancelled after it was joined.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding thread cancel_joined.c:24
 *
 * treadle:
 * expect: verdict bug
 * expect: finding thread cancel_joined.c:24 */
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_cancel(t);
    return 0;
}
