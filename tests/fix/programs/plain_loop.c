/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: a lock round the update, in each round of the loop */
#include <pthread.h>

static int total;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *count(void *arg)
{
    for (int i = 0; i < 3; i++) {
#ifdef FIXED
        pthread_mutex_lock(&lock);
#endif
        total += i;
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
