/* SPDX-License-Identifier: Apache-2.0 */
/* As manners_branch.c, with the lock round what it makes. Two classes; what the
 * threads do under another lock is in neither's way.
 *
 * treadle: --goal=races
 * expect: verdict complete
 * expect: runs 2 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int n_active, factory, noise;

static void set(int value)
{
    pthread_mutex_lock(&other);
    factory = value;
    pthread_mutex_unlock(&other);
}

static void *set_factory(void *arg)
{
    pthread_mutex_lock(&other);
    noise++;
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&m);
    int busy = n_active > 0;
    pthread_mutex_unlock(&m);
    if (!busy)
        set(1);
    return arg;
}

static void *make(void *arg)
{
    pthread_mutex_lock(&other);
    noise++;
    pthread_mutex_unlock(&other);
    set(2);
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
