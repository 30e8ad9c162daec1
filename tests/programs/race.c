/* SPDX-License-Identifier: Apache-2.0 */
/* Two plain writes that nothing orders.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race.c:13 race.c:21 */
#include <pthread.h>

static int x;

static void *worker(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
