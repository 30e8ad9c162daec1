/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of one sequence differ, whoever draws them.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long drawn[4];
static int n_drawn;

static void *draw(void *arg)
{
    for (int i = 0; i < 2; i++) {
        long n = random();
        pthread_mutex_lock(&lock);
        drawn[n_drawn++] = n;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    srandom(1);
    run_two(draw, draw);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            assert(drawn[i] != drawn[k]);
    return 0;
}
