/* SPDX-License-Identifier: Apache-2.0 */
/* Code that never reaches an operation.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding livelock hang.c:13 */
#include <pthread.h>

static volatile int go = 1;

static void *worker(void *arg)
{
    while (go)
        continue;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
