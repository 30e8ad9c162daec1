/* SPDX-License-Identifier: Apache-2.0 */
/* sscanf writes what it scans: a race with a plain read.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race libscanf.c:20 libscanf.c:25
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static int g;
static void *t1(void *unused)
{
    sscanf("5", "%d", &g);
    return 0;
}
static void *t2(void *unused)
{
    int r = g;
    assert(r != 5);
    return 0;
}
int main(void)
{
    GO(2);
    GO(1);
    JOIN(1);
    JOIN(2);
    return 0;
}
