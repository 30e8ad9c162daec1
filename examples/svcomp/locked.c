/* SPDX-License-Identifier: Apache-2.0 */
/* A task in the manner of SV-COMP: two threads count with a lock. */
#include <pthread.h>

extern void reach_error(void);

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (count != 2)
        reach_error();
    return 0;
}
