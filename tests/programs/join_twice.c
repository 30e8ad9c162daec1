/* SPDX-License-Identifier: Apache-2.0 */
/* A thread joined twice.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding thread join_twice.c:19 */
#include <pthread.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL);
    return 0;
}
