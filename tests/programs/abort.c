/* SPDX-License-Identifier: Apache-2.0 */
/* abort() is a finding with its line.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding abort abort.c:13
 * hand: -6 */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    abort();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
