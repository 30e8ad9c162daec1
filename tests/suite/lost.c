/* SPDX-License-Identifier: Apache-2.0 */
/* An update is lost if a thread comes between the two sections of the other. With -DREPAIRED it is
 * one section. The first argument is what is added. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, step;

static void *add(void *arg)
{
    pthread_mutex_lock(&m);
    int was = sum;
#ifndef REPAIRED
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
#endif
    sum = was + step;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    step = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum == 2 * step);
    return 0;
}
