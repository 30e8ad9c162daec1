/* SPDX-License-Identifier: Apache-2.0 */
/* exit() in a thread ends the process while main still waits.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 5
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 * model: main: create A, 2* store x, join A, exit
 * model: A: store y, exit */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *worker(void *arg)
{
    atomic_store(&y, 1);
    exit(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_join(t, NULL);
    return 1;
}
