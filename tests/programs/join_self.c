/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that joins itself.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding thread join_self.c:11 */
#include <pthread.h>

static void *worker(void *arg)
{
    pthread_join(pthread_self(), NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
