/* SPDX-License-Identifier: Apache-2.0 */
/* Two tellers and one account: the test and the update are two critical sections. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

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
    int n = atoi(arg);
    if (get() >= n)
        set(get() - n);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t1, t2;
    if (argc != 3)
        return 2;
    pthread_create(&t1, NULL, teller, argv[1]);
    pthread_create(&t2, NULL, teller, argv[2]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance >= 0);
    return 0;
}
