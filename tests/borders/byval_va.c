/* SPDX-License-Identifier: Apache-2.0 */
/* The same among a variable number of arguments.
 * treadle:
 * expect: verdict bug
 * expect: finding race byval_va.c:26 byval_va.c:32 */
#include <pthread.h>
#include <stdarg.h>

struct big {
    long a[8];
};
static struct big g;
static long seen;

static long third(int k, ...)
{
    va_list all;
    va_start(all, k);
    struct big b = va_arg(all, struct big);
    va_end(all);
    return b.a[3];
}

static void *one(void *p)
{
    seen = third(1, g);
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
