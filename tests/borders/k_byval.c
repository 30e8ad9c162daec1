/* SPDX-License-Identifier: Apache-2.0 */
/* With -k: the race of a structure passed by value, and a line that its order was not explored.
 * treadle: -k
 * expect: verdict bug
 * expect: finding race
 * expect: finding race
 * expect: ledger race k_byval.c:32 */
#include <assert.h>
#include <pthread.h>

struct four {
    long a[4];
};
static struct four g;

static long differ(struct four q)
{
    return q.a[0] - q.a[3];
}
static long (*volatile fp)(struct four) = differ;

static void *one(void *p)
{
    g.a[0] = 1;
    g.a[3] = 1;
    return p;
}

static void *two(void *p)
{
    if (g.a[1] == 0)
        assert(fp(g) == 0);
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
