/* SPDX-License-Identifier: Apache-2.0 */
/* Creating is an operation: the first thread runs while the others are still created.
 *
 * treadle: --search=all
 * expect: runs 280
 * expect: events 13
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, create B, create C
 * model: A: 2* store x
 * model: B: 2* store y
 * model: C: 2* store z */
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
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, worker, &cell[i]);
    pthread_exit(NULL);
}
