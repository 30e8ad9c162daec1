/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that is started with a pointer to a local variable comes first here, but nothing
 * says that it always does.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_stack_ends.c:28
 * expect: says write (*arg) on the stack of T1, in a function that returns: nothing orders the two
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_stack_ends.c:28 */
#include <pthread.h>
#include <stddef.h>

static void *user(void *arg);

static void *owner(void *arg)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, NULL, user, &local);
    pthread_detach(t);
    return arg;
}

static void *user(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, owner, NULL);
    pthread_join(a, NULL);
    return 0;
}
