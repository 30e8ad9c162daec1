/* SPDX-License-Identifier: Apache-2.0 */
/* The bug of examples/bank as a model: one critical section for the test, one for the act.
 *
 * treadle: --search=all -k
 * expect: runs 128
 * expect: events 224
 * expect: traces 20
 * expect: verdict bug
 * expect: finding assert preempt.c:50
 * model: main: do bal = 100, create A, create B, join A, join B, check bal >= 0, exit
 * model: A: lock m, do a = bal, unlock m, skip 6 unless a >= 30, lock m, do a = bal, unlock m, lock m, do bal = a - 30, unlock m
 * model: B: lock m, do b = bal, unlock m, skip 6 unless b >= 71, lock m, do b = bal, unlock m, lock m, do bal = b - 71, unlock m */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
    pthread_mutex_lock(&m);
    int b = balance;
    pthread_mutex_unlock(&m);
    return b;
}

static void set(int b)
{
    pthread_mutex_lock(&m);
    balance = b;
    pthread_mutex_unlock(&m);
}

static void *teller(void *arg)
{
    int n = (int)(intptr_t)arg;
    if (get() >= n)
        set(get() - n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, teller, (void *)30);
    pthread_create(&b, NULL, teller, (void *)71);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0);
    return 0;
}
