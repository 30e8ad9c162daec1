/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * idea: the test and the withdrawal in one section */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 5;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    if (seen >= 5) {
        pthread_mutex_lock(&lock);
        balance -= 5;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0);
    return 0;
}
