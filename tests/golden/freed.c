/* SPDX-License-Identifier: Apache-2.0 */
/* Two blocks are freed by one function: the report names the call that freed the one in question. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared, n_given_back;

__attribute__((noinline)) static void give_back(void *p)
{
    free(p);
    n_given_back++;
}

static void *use(void *a)
{
    pthread_mutex_lock(&m);
    shared[0] = 1;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void)
{
    pthread_t t;
    int *other = malloc(64);
    shared = malloc(40);
    pthread_mutex_lock(&m);
    give_back(shared);
    pthread_mutex_unlock(&m);
    give_back(other);
    pthread_create(&t, NULL, use, NULL);
    pthread_join(t, NULL);
    return 0;
}
