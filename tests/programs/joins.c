/* SPDX-License-Identifier: Apache-2.0 */
/* A join waits for the end of its thread; the end itself is no choice.
 *
 * treadle: --search=all
 * expect: runs 31
 * expect: events 12
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, store z, join B, exit
 * model: A: 2* store x
 * model: B: 2* store y */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell[3];

static void *worker(void *arg)
{
    atomic_store((atomic_int *)arg, 1);
    atomic_store((atomic_int *)arg, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &cell[0]);
    pthread_create(&b, NULL, worker, &cell[1]);
    pthread_join(a, NULL);
    atomic_store(&cell[2], 1);
    pthread_join(b, NULL);
    return 0;
}
