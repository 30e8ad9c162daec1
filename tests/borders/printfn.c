/* SPDX-License-Identifier: Apache-2.0 */
/* Each round writes by %n: the loop ends by itself, in abort.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort printfn.c:25
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int flag;
static void *t1(void *unused)
{
    static int n;
    while (!atomic_load(&flag)) {
        fprintf(stderr, "%*s%n", n + 1, "", &n);
        if (n > 3)
            abort();
    }
    return 0;
}
static void *t2(void *unused)
{
    atomic_store(&flag, 1);
    return 0;
}
int main(void)
{
    GO(1);
    GO(2);
    JOIN(1);
    JOIN(2);
    return 0;
}
