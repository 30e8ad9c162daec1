/* SPDX-License-Identifier: Apache-2.0 */
/* A local variable whose address another thread has.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_stack.c:11 race_stack.c:20 */
#include <pthread.h>

static void *writer(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int local = 0;
    pthread_create(&t, NULL, writer, &local);
    int seen = local;
    pthread_join(t, NULL);
    return seen & 0;
}
