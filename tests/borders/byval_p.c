/* SPDX-License-Identifier: Apache-2.0 */
/* The same on the heap, as the second argument.
 * treadle:
 * expect: verdict bug
 * expect: finding race byval_p.c:22 byval_p.c:28 */
#include <pthread.h>
#include <stdlib.h>

struct big {
    long a[8];
};
static struct big *g;

static long first(int k, struct big b)
{
    return k + b.a[0];
}
static long (*volatile fp)(int, struct big) = first;

static void *one(void *p)
{
    fp(1, *g);
    return p;
}

static void *two(void *p)
{
    g->a[3] = 1;
    return p;
}

int main(void)
{
    pthread_t t, u;
    g = calloc(1, sizeof *g);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    free(g);
    return 0;
}
