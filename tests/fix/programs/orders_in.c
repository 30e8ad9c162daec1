/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: few outcomes of runs that passed remain
 * idea: the kitchen must test for orders. One lock over all orders leaves few of the outcomes */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_orders, is_open, left[3];

static void *wait_tables(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        n_orders++;
        is_open = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *cook(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (is_open) {
            assert(n_orders > 0);
            n_orders--;
            left[i] = n_orders + 10;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_tables, NULL);
    pthread_create(&b, NULL, cook, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
