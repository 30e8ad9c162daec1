/* SPDX-License-Identifier: Apache-2.0 */
/* After a barrier nobody is earlier than anybody was before it.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

#include <time.h>
#include <unistd.h>

enum { N = 2 };
static pthread_barrier_t barrier;
static time_t before[N];

static void *worker(void *arg)
{
    int me = number_of(arg);
    sleep((unsigned)me * 5);
    before[me] = time(NULL);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N; i++)
        assert(time(NULL) >= before[i]);
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    run_threads(N, worker);
    return 0;
}
