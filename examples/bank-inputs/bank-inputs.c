/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

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
    int n = *(int *)arg;
    if (n > 0 && get() >= n)
        set(get() - n);
    return NULL;
}

int main(void)
{
    int first = treadle_int("first"), second = treadle_int("second");
    pthread_t t1, t2;
    pthread_create(&t1, NULL, teller, &first);
    pthread_create(&t2, NULL, teller, &second);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance >= 0);
    return 0;
}
