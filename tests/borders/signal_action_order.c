/* SPDX-License-Identifier: Apache-2.0 */
/* Signal actions belong to the process: which thread sets one last decides which handler runs.
 *
 * treadle: -k
 * expect: finding assert signal_action_order.c:40
 * expect: verdict bug
 * expect: runs 2 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int hit;

static void first(int n)
{
    (void)n;
    hit = 1;
}

static void second(int n)
{
    (void)n;
    hit = 2;
}

static void *sets(void *is_first)
{
    signal(SIGUSR1, is_first ? first : second);
    return NULL;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, sets, &hit);
    pthread_create(&y, NULL, sets, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    raise(SIGUSR1);
    assert(hit == 2);
    return 0;
}
