/* SPDX-License-Identifier: Apache-2.0 */
/* One barrier for two rounds where two are needed: a thread may be a round ahead.
 *
 * treadle: -k
 * expect: runs 10
 * expect: events 57
 * expect: verdict bug
 * expect: finding assert barrier_half.c:27
 *
 * treadle: --search=all -k
 * expect: runs 990
 * expect: events 77
 * expect: verdict bug
 * expect: finding assert barrier_half.c:27 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x[2];

static void *go(void *arg)
{
    int me = arg != NULL;
    for (int i = 1; i <= 2; i++) {
        __atomic_store_n(&x[me], i, __ATOMIC_SEQ_CST);
        pthread_barrier_wait(&b);
        assert(__atomic_load_n(&x[!me], __ATOMIC_SEQ_CST) == i);
    }
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
    return 0;
}
