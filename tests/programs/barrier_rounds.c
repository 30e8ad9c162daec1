/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier is used again and again.
 *
 * treadle: -k
 * expect: runs 54
 * expect: events 269
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 122
 * expect: events 539
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x[2];

static void *go(void *arg)
{
    int me = arg != NULL;
    for (int i = 1; i <= 2; i++) {
        x[me] = i;
        pthread_barrier_wait(&b);
        assert(x[!me] == i);
        pthread_barrier_wait(&b);
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
