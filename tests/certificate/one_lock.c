/* SPDX-License-Identifier: Apache-2.0 */
/* Three threads lock a mutex twice each: 90 orders. */
#include <pthread.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *p)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, adds, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return n != 6;
}
