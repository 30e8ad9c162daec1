/* SPDX-License-Identifier: Apache-2.0 */
/* A structure that is passed by value, through a pointer to a function, is read by the call.
 * treadle:
 * cflags: -O1
 * expect: verdict bug
 * expect: finding race byval.c:27 byval.c:33
 * treadle:
 * cflags: -O0
 * expect: verdict bug
 * expect: finding race byval.c:27 byval.c:33 */
#include <pthread.h>

struct big {
    long a[8];
};
static struct big g;
static long seen;

static long third(struct big b)
{
    return b.a[3];
}
static long (*volatile fp)(struct big) = third;

static void *one(void *p)
{
    seen = fp(g);
    return p;
}

static void *two(void *p)
{
    g.a[3] = 1;
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
