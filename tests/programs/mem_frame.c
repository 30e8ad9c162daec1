/* SPDX-License-Identifier: Apache-2.0 */
/* A thread is started with a pointer to a local variable of a function that returns.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_frame.c:20
 * expect: says write of 4 bytes (*arg) on the stack of main, in a function that has returned
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_frame.c:20 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *worker(void *arg)
{
    if (atomic_load(&ready) == 0)
        *(int *)arg = 1;
    return NULL;
}

__attribute__((noinline)) static pthread_t start(void)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, NULL, worker, &local);
    return t;
}

int main(void)
{
    pthread_t t = start();
    pthread_join(t, NULL);
    return 0;
}
