/* SPDX-License-Identifier: Apache-2.0 */
/* The last one at a barrier destroys it, perhaps before the others have gone on.
 *
 * treadle: -k
 * expect: runs 24
 * expect: events 78
 * expect: verdict complete */
#include <pthread.h>

static pthread_barrier_t b;

static void *meet(void *arg)
{
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&b);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&t[0], NULL, meet, NULL);
    pthread_create(&t[1], NULL, meet, NULL);
    meet(NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
