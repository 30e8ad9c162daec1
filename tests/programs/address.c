/* SPDX-License-Identifier: Apache-2.0 */
/* A decision on an address that the schedule does not change: heap and stack addresses are
 * the same in every run.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: verdict complete
 * model: main: create A, 2* store x
 * model: A: 2* store y */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t x, y;

static void *worker(void *arg)
{
    void *p = malloc(30);
    atomic_store(&y, (uintptr_t)p);
    atomic_store(&y, (uintptr_t)&p);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    void *p = malloc(70);
    atomic_store(&x, (uintptr_t)p);
    atomic_store(&x, (uintptr_t)&p);
    pthread_exit(NULL);
}
