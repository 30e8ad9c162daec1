/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads take two locks, in the order that forks.c has. The argument is how many threads. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t fork_at[2] = {PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};

int first_fork(int is_second);

static void *dine(void *arg)
{
    int first = first_fork(arg != NULL);
    pthread_mutex_lock(&fork_at[first]);
    pthread_mutex_lock(&fork_at[!first]);
    pthread_mutex_unlock(&fork_at[!first]);
    pthread_mutex_unlock(&fork_at[first]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    int n = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, dine, i ? &t[i] : NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
