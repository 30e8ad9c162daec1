/* SPDX-License-Identifier: Apache-2.0 */
/* Where nobody asks for names, saying them is nothing.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 4
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    pthread_setname_np(pthread_self(), "worker");
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_setname_np(t, "mine");
    pthread_join(t, NULL);
    return 0;
}
