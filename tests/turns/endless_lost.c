/* SPDX-License-Identifier: Apache-2.0 */
/* Two workers change a bit without end, and one of them in two sections: the bit may be found as it was left. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int bit;

static void *work(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int old = bit;
        if (arg) {
            pthread_mutex_unlock(&lock);
            pthread_mutex_lock(&lock);
        }
        bit = (old + 1) % 5;
        pthread_mutex_unlock(&lock);
        if (arg) {
            pthread_mutex_lock(&lock);
            int now = bit;
            assert(now != 4 || old < 4);
            pthread_mutex_unlock(&lock);
        }
    }
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &bit);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
