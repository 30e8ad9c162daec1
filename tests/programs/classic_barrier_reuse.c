/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier that is used again: who comes back before the others have left resets the count
 * they still look at. FIXED: the rounds are numbered.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock classic_barrier_reuse.c:42
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>

enum { THREADS = 2, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int n_arrived, n_rounds;

static int must_wait(int round)
{
#ifdef FIXED
    return n_rounds == round;
#else
    (void)round;
    return n_arrived < THREADS;
#endif
}

static void barrier(void)
{
    pthread_mutex_lock(&lock);
    if (n_arrived == THREADS)
        n_arrived = 0;
    int round = n_rounds;
    if (++n_arrived == THREADS) {
        n_rounds++;
        pthread_cond_broadcast(&passed);
    }
    while (must_wait(round))
        pthread_cond_wait(&passed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        barrier();
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
