/* SPDX-License-Identifier: Apache-2.0 */
/* bank.c with one critical section round check and update. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *teller(void *arg)
{
    int n = atoi(arg);
    pthread_mutex_lock(&m);
    if (balance >= n)
        balance -= n;
    pthread_mutex_unlock(&m);
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
