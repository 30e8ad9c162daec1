/* SPDX-License-Identifier: Apache-2.0 */
/* nanosleep reads its argument, which another thread writes.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_nanosleep_in.c:25 o_nanosleep_in.c:19
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <time.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static struct timespec n = {0, 5};
static void *t1(void *unused)
{
    n.tv_nsec = 7;
    return 0;
}
int main(void)
{
    GO(1);
    nanosleep(&n, 0);
    JOIN(1);
    return 0;
}
