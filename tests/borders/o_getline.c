/* SPDX-License-Identifier: Apache-2.0 */
/* getline writes the pointer that it is given.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_getline.c:28 o_getline.c:22
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int x;
static char *b;
static size_t n;
static void *t1(void *unused)
{
    atomic_store(&x, b != 0);
    return 0;
}
int main(void)
{
    GO(1);
    getline(&b, &n, stdin);
    JOIN(1);
    return 0;
}
