/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes first decides a branch: two runs, and both are needed. With -DBROKEN one of them fails;
 * with -DSHORT the second thread does nothing, so that no recorded run can be followed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, at[2];

static void *take(void *arg)
{
    int me = arg != NULL;
#ifdef SHORT
    if (me)
        return NULL;
#endif
    pthread_mutex_lock(&m);
    at[me] = turn++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, take, NULL);
    pthread_create(&t[1], NULL, take, t);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    if (at[0] < at[1])
        return 0;
#ifdef BROKEN
    assert(at[0] < at[1]);
#endif
    return 0;
}
