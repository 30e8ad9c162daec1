/* SPDX-License-Identifier: Apache-2.0 */
/* The race is behind a branch that the order of two sections decides. Two classes; what the
 * threads do under another lock is in neither's way.
 *
 * treadle: --goal=races
 * expect: verdict bug
 * expect: finding race manners_branch.c:23 manners_branch.c:32
 * expect: runs 2 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int n_active, factory, noise;

static void *set_factory(void *arg)
{
    pthread_mutex_lock(&other);
    noise++;
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&m);
    int busy = n_active > 0;
    pthread_mutex_unlock(&m);
    if (!busy)
        factory = 1;
    return arg;
}

static void *make(void *arg)
{
    pthread_mutex_lock(&other);
    noise++;
    pthread_mutex_unlock(&other);
    factory = 2;
    return arg;
}

static void *borrow(void *arg)
{
    pthread_mutex_lock(&other);
    noise++;
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&m);
    n_active++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, borrow, NULL);
    pthread_create(&t[1], NULL, set_factory, NULL);
    pthread_create(&t[2], NULL, make, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
