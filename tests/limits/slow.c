/* SPDX-License-Identifier: Apache-2.0 */
/* One run takes minutes, all of it in plain computation with an operation now and then. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_ullong total;

static void *work(void *p)
{
    volatile uint64_t k = 1;
    for (int i = 0; i < 100000; i++) {
        for (int j = 0; j < 200000; j++)
            k = k * 6364136223846793005u + 1;
        atomic_fetch_add(&total, k & 1);
    }
    return p;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
