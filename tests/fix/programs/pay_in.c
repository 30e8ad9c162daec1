/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: few outcomes of runs that passed remain
 * idea: pay only what is there. One lock over all payments in leaves few of the outcomes */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int money, is_used, rest[4];

static void *earn(void *arg)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        money += 2;
        is_used = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *pay(void *arg)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (is_used) {
            assert(money > 1);
            rest[i] = money -= 2;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, earn, NULL);
    pthread_create(&b, NULL, pay, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
