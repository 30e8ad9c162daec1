/* SPDX-License-Identifier: Apache-2.0 */
/* A structure by value under a lock, torn between two sections. The goal branches does not follow what
 * is no single load or store, and says so; the goal states finds the abort.
 * treadle: --goal=branches
 * expect: verdict incomplete
 * expect: never branch_lock.c:31 1
 * expect: ledger shared branch_lock.c:29
 * treadle:
 * expect: verdict bug
 * expect: finding abort branch_lock.c:32 */
#include <pthread.h>
#include <stdlib.h>

struct cfg {
    long a[4];
};
static struct cfg g = {{1, 1, 1, 1}};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int is_torn(struct cfg c)
{
    return c.a[0] != c.a[3];
}
static int (*volatile fp)(struct cfg) = is_torn;

static void *one(void *p)
{
    pthread_mutex_lock(&m);
    int torn = fp(g);
    pthread_mutex_unlock(&m);
    if (torn)
        abort();
    return p;
}

static void set(int i)
{
    pthread_mutex_lock(&m);
    g.a[i] = 2;
    pthread_mutex_unlock(&m);
}

static void *two(void *p)
{
    set(0);
    set(3);
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
