/* SPDX-License-Identifier: Apache-2.0 */
/* exit() in a thread while the others wait.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete bug
 * runs: 1
 * lost: no */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    exit(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 1;
}
