/* SPDX-License-Identifier: Apache-2.0 */
/* No thread changes anything that another one reads. The way to that state in the product goes round a loop, where a run
 * lets its thread wait after the first round. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second, third;
static int plain;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *end(void *arg)
{
    int old = 0;
    pthread_mutex_lock(&one);
    atomic_compare_exchange_strong(&third, &old, 0);
    (void)atomic_load(&first);
    pthread_mutex_unlock(&one);
    pthread_mutex_lock(&two);
    old = 0;
    atomic_compare_exchange_strong(&first, &old, 2);
    pthread_mutex_unlock(&two);
    return arg;
}

static void *look(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&two);
        plain = 3;
        pthread_mutex_unlock(&two);
        int seen = atomic_load(&second);
        pthread_mutex_lock(&two);
        plain = 0;
        pthread_mutex_unlock(&two);
        if (seen == 1) {
            (void)atomic_load(&second);
        } else {
            (void)atomic_load(&first);
            (void)atomic_load(&third);
        }
    }
    return arg;
}

static void *set(void *arg)
{
    for (;;) {
        int old = 0;
        atomic_compare_exchange_strong(&third, &old, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, end, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_create(&t[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
