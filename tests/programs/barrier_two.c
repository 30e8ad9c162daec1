/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before a barrier is seen behind it; one thread is the last.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 11
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 4
 * expect: events 21
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x[2], n_last;

static void *go(void *arg)
{
    int me = arg != NULL;
    x[me] = 1;
    int last = pthread_barrier_wait(&b);
    assert(x[!me] == 1);
    if (last == PTHREAD_BARRIER_SERIAL_THREAD)
        n_last++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t[0], NULL, go, NULL);
    pthread_create(&t[1], NULL, go, &b);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(n_last == 1);
    pthread_barrier_destroy(&b);
    return 0;
}
