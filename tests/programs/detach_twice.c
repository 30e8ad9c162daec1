/* SPDX-License-Identifier: Apache-2.0 */
/* A thread detached twice.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding thread detach_twice.c:19 */
#include <pthread.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_detach(t);
    return 0;
}
