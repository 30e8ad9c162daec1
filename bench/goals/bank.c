/* SPDX-License-Identifier: Apache-2.0 */
/* One program for all goals: two tellers pay out amounts that are inputs, 0 to 112; two other threads
 * write and read a log and have nothing to do with them.
 *
 * Two bugs. Look and withdrawal are two critical sections: the account can be overdrawn, and the
 * assertion at the end fails. A refusal is counted without a lock: a data race, but only if both
 * tellers refuse, which amounts or the other teller's withdrawal must bring about. FIXED: neither. */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

static int balance = 100, n_refused, n_lines;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       log_lock = PTHREAD_MUTEX_INITIALIZER;

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

static void *write_log(void *arg)
{
    pthread_mutex_lock(&log_lock);
    n_lines++;
    pthread_mutex_unlock(&log_lock);
    return arg;
}

static void *read_log(void *arg)
{
    pthread_mutex_lock(&log_lock);
    int n = n_lines;
    pthread_mutex_unlock(&log_lock);
    return n > 0 ? arg : NULL;
}

static void *teller(void *n)
{
    pay(*(int *)n);
    return NULL;
}

int main(void)
{
    int first = (int)treadle_bits(3, "first") * 16,
        second = (int)treadle_bits(3, "second") * 16;
    pthread_t t[4];
    pthread_create(&t[0], NULL, teller, &first);
    pthread_create(&t[1], NULL, teller, &second);
    pthread_create(&t[2], NULL, write_log, NULL);
    pthread_create(&t[3], NULL, read_log, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(get() >= 0);
    pthread_exit(NULL); /* the log is nobody's business */
}
