/* SPDX-License-Identifier: Apache-2.0 */
/* printf reads the text of %s, which another thread writes.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race printfrace.c:25 printfrace.c:20
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
/* printf reads a shared text while another writes it */
static char g[64] = "abc";
static void *t1(void *unused)
{
    printf("%s\n", g);
    return 0;
}
static void *t2(void *unused)
{
    g[0] = '1';
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
