/* SPDX-License-Identifier: Apache-2.0 */
/* What chooses an ifunc writes memory before the runtime is there, and has a helper; a constructor passes
 * a structure by value.
 * treadle:
 * hand: 0
 * expect: verdict complete */
#include <pthread.h>

struct big {
    long a[8];
};
static struct big g = {{0, 0, 0, 5}};
static int x, y[4];

static long third(struct big b)
{
    return b.a[3];
}
static long (*volatile fp)(struct big) = third;

__attribute__((constructor(101))) static void early(void)
{
    y[2] = (int)fp(g);
}

static int impl(void)
{
    return x + y[1] + y[2];
}

static void set(int i)
{
    y[i] = x;
}

static void *resolve(void)
{
    x = 2;
    set(1);
    return impl;
}

int chosen(void) __attribute__((ifunc("resolve")));

static void *one(void *p)
{
    return chosen() == 9 ? 0 : p;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, one, &x);
    pthread_join(t, &result);
    return result != 0;
}
