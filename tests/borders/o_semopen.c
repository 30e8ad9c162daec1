/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_mutexattr_settype writes the attribute that another thread uses.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race o_semopen.c:26 o_semopen.c:19
 */
#define _GNU_SOURCE 1
#include <pthread.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static pthread_mutexattr_t a;
static pthread_mutex_t mm;
static void *t1(void *unused)
{
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    return 0;
}
int main(void)
{
    pthread_mutexattr_init(&a);
    GO(1);
    pthread_mutex_init(&mm, &a);
    JOIN(1);
    return 0;
}
