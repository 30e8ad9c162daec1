/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer to a local variable of a thread, used when the thread may have ended.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_stack_ended.c:28
 * expect: says write of 4 bytes (*found) on the stack of T1, which has exited
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_stack_ended.c:28 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) offered;

static void *owner(void *arg)
{
    int local = 0;
    atomic_store(&offered, &local);
    return arg;
}

static void *user(void *arg)
{
    int *found = atomic_load(&offered);
    if (found)
        *found = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
