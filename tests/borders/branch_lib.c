/* SPDX-License-Identifier: Apache-2.0 */
/* strtod decides a branch by a text that is shared. The search for branches does not follow it, and says so.
 *
 * treadle: --goal=branches
 * expect: verdict incomplete
 * expect: ledger shared branch_lib.c:24
 * expect: ledger shared branch_lib.c:33
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
/* the library reads the shared text */
static char g[8] = "aa";
static void *t1(void *unused)
{
    pthread_mutex_lock(&m);
    double d = strtod(g, 0);
    pthread_mutex_unlock(&m);
    if (d == 12)
        abort();
    return 0;
}
static void *t2(void *unused)
{
    pthread_mutex_lock(&m);
    strcpy(g, "12");
    pthread_mutex_unlock(&m);
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
