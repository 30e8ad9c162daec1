/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier of threads that count down and wait for the others.
 *
 * treadle:
 * expect: runs 8
 * expect: events 36
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int left = 3;
static int data[3];

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    data[me] = 1;
    atomic_fetch_sub(&left, 1);
    while (atomic_load(&left) > 0)
        continue;
    assert(data[(me + 1) % 3] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
