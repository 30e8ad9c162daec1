/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions whose results nobody uses, or that a compiler sees through: they end the program all the
 * same, at every level.
 *
 * treadle: -k
 * expect: finding crash divide_unused.c:20
 * expect: finding crash divide_unused.c:30
 * expect: finding crash divide_unused.c:37
 * expect: verdict bug */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int by = 1;

static void *unused(void *arg)
{
    int zero = atomic_load(&by) - 1, quotient;
    if (arg)
        quotient = 1 / zero;
    (void)quotient;
    return arg;
}

static void *folded(void *arg)
{
    int zero = 0, x = 3;
    (void)arg;
    if (atomic_load(&by) == 1)
        x = x % zero;
    return x > 2 ? &by : NULL;
}

static void *least(void *arg)
{
    int x = INT_MIN, y = -atomic_load(&by);
    (void)(x / y);
    return arg;
}

int main(void)
{
    void *(*const all[3])(void *) = {unused, folded, least};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, all[i], &by);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
