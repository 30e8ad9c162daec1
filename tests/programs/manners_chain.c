/* SPDX-License-Identifier: Apache-2.0 */
/* What decides has come a long way: through two variables under two locks, a pointer and a
 * float, neither of which the compiler follows, so that what was read there counts at once.
 *
 * treadle: --goal=races
 * expect: verdict bug
 * expect: finding race manners_chain.c:40 manners_chain.c:53
 * expect: finding race manners_chain.c:43 manners_chain.c:54 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, y, a, b, target;
static int *where;
static double level;

static void *carry(void *arg)
{
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    y = seen + 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    where = &target;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *decide(void *arg)
{
    pthread_mutex_lock(&n);
    int go = y == 2;
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    int *p = where;
    double d = level;
    pthread_mutex_unlock(&m);
    if (go)
        a = 1;
    if (p && d > 0.5)
        /* Both of the others must have come before. */
        b = 1;
    return arg;
}

static void *begin(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    level = 1;
    pthread_mutex_unlock(&m);
    a = 2;
    b = 2;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, carry, NULL);
    pthread_create(&t[1], NULL, decide, NULL);
    pthread_create(&t[2], NULL, begin, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
