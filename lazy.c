/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked initialisation that says "ready" before the value is there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static atomic_int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get_value(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            atomic_store(&ready, 1);
            atomic_store(&value, 42);
        }
        pthread_mutex_unlock(&lock);
    }
    return atomic_load(&value);
}

static void *user(void *arg)
{
    int v = get_value();
    assert(v == 42);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
