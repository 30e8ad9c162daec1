/* SPDX-License-Identifier: Apache-2.0 */
/* Fences are no operations: the counts are those of two.c.
 *
 * treadle: --search=all
 * expect: runs 20
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 3* store x
 * model: A: 3* store y */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void work(atomic_int *cell)
{
    for (int i = 0; i < 3; i++) {
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(cell, i, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    }
}

static void *worker(void *arg)
{
    work(&y);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    work(&x);
    pthread_exit(NULL);
}
