/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: the test and the sale in one section of lock */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1, sold;

__attribute__((unused)) static int in_stock(void)
{
    pthread_mutex_lock(&lock);
    int n = stock;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *sell(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (stock > 0) {
        stock--;
        sold++;
    }
    pthread_mutex_unlock(&lock);
#else
    if (in_stock() > 0) {
        pthread_mutex_lock(&lock);
        stock--;
        sold++;
        pthread_mutex_unlock(&lock);
    }
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sell, NULL);
    pthread_create(&b, NULL, sell, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(stock >= 0);
    return 0;
}
