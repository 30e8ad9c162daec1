/* SPDX-License-Identifier: Apache-2.0 */
/* One program for all goals: two tellers pay out amounts that are inputs, 0 to 112.
 *
 * Two bugs. Look and withdrawal are two critical sections: the account can be overdrawn, and the
 * assertion at the end fails. A refusal is counted without a lock: a data race, but only if both
 * tellers refuse, which amounts or the other teller's withdrawal must bring about. FIXED: neither. */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

static int balance = 100, n_refused;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
    pthread_mutex_lock(&m);
    int b = balance;
    pthread_mutex_unlock(&m);
    return b;
}

#ifdef FIXED
static void pay(int n)
{
    pthread_mutex_lock(&m);
    if (n > 0 && balance >= n)
        balance -= n;
    else
        n_refused++;
    pthread_mutex_unlock(&m);
}
#else
static void set(int b)
{
    pthread_mutex_lock(&m);
    balance = b;
    pthread_mutex_unlock(&m);
}

static void pay(int n)
{
    if (n > 0 && get() >= n)
        set(get() - n);
    else
        n_refused++;
}
#endif

static void *teller(void *n)
{
    pay(*(int *)n);
    return NULL;
}

int main(void)
{
    int first = (int)treadle_bits(3, "first") * 16,
        second = (int)treadle_bits(3, "second") * 16;
    pthread_t t1, t2;
    pthread_create(&t1, NULL, teller, &first);
    pthread_create(&t2, NULL, teller, &second);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(get() >= 0);
    return n_refused > 2;
}
