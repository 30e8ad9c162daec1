/* SPDX-License-Identifier: Apache-2.0 */
/* bank-inputs.c with one critical section round check and update. */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *teller(void *arg)
{
    int n = *(int *)arg;
    if (n <= 0)
        return NULL;
    pthread_mutex_lock(&m);
    if (balance >= n)
        balance -= n;
    pthread_mutex_unlock(&m);
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
