/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that the system gives at random are the same in every run.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <unistd.h>

static atomic_int x[256];

static void *draw(void *arg)
{
    unsigned char a, b;
    assert(getentropy(&a, 1) == 0);
    assert(getrandom(&b, 1, 0) == 1);
    atomic_fetch_add(&x[a ^ b], 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, draw, NULL);
    pthread_create(&b, NULL, draw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
