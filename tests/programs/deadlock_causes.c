/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks that may be stuck in the same run, each a finding of its own: a cycle of two
 * threads; and a thread that waits for itself. main and pass wait for them and are no cause.
 *
 * treadle: --search=all -k
 * expect: runs 4745
 * expect: events 39
 * expect: traces 8
 * expect: verdict bug
 * expect: finding deadlock deadlock_causes.c:28
 * expect: finding deadlock deadlock_causes.c:53
 * model: main: begin, create A, create B, create C, create D, end, join A, join B, join C, exit
 * model: A: lock m, lock n, unlock n, unlock m
 * model: B: lock n, lock m, unlock m, unlock n
 * model: C: lock p, unlock p
 * model: D: lock p, lock p */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER,
                       p = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *down(void *arg)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}

static void *pass(void *arg)
{
    pthread_mutex_lock(&p);
    pthread_mutex_unlock(&p);
    return arg;
}

static void *again(void *arg)
{
    pthread_mutex_lock(&p);
    pthread_mutex_lock(&p);
    return arg;
}

int main(void)
{
    static void *(*const starts[])(void *) = {up, down, pass, again};
    pthread_t t[4];
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, starts[i], NULL);
    __VERIFIER_atomic_end();
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
