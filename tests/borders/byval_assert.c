/* SPDX-License-Identifier: Apache-2.0 */
/* A direct call with a structure by value, which another thread changes in two steps. With -k the race
 * is reported, and that its order was not explored.
 * treadle:
 * expect: verdict bug
 * expect: finding race byval_assert.c:26 byval_assert.c:32
 * treadle: -k
 * expect: verdict bug
 * expect: finding race
 * expect: ledger race byval_assert.c:26 */
#include <assert.h>
#include <pthread.h>

struct cfg {
    long a[4];
};
static struct cfg g = {{1, 1, 1, 1}};

static void use(struct cfg c)
{
    assert(c.a[0] == c.a[3]);
}

static void *one(void *p)
{
    use(g);
    return p;
}

static void *two(void *p)
{
    g.a[0] = 2;
    g.a[3] = 2;
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
