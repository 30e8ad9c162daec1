/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic store and a plain read of the same variable.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_mixed.c:14 race_mixed.c:22 */
#include <pthread.h>

static int x;
static volatile int sink;

static void *writer(void *arg)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    sink = x;
    pthread_join(t, NULL);
    return 0;
}
