/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic objects of 24 bytes: every access is one of all of it.
 * treadle:
 * cflags: -Wno-atomic-alignment
 * agree: --search=all
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
    long a, b, c;
};
static _Atomic struct three g;

static void add(void)
{
    struct three old = atomic_load(&g), new;
    do {
        new = (struct three){old.a + 1, old.b + 1, old.c + 1};
    } while (!atomic_compare_exchange_strong(&g, &old, new));
}

static void *one(void *p)
{
    add();
    return p;
}

static void *two(void *p)
{
    add();
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    struct three last = atomic_load(&g);
    assert(last.a == 2 && last.c == 2);
    return 0;
}
