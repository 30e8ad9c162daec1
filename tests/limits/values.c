/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on inputs that the solver needs long for. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <treadle.h>

static uint32_t a, b;

static void *work(void *p)
{
    uint32_t k = 1;
    for (int i = 0; i < 24; i++) {
        k = k * (a | 1) + (b ^ k >> 7);
        if (k % 1013 == 77)
            k ^= a * b;
    }
    assert(k != 0x1234567);
    return p;
}

int main(void)
{
    pthread_t t[2];
    a = treadle_u32("a");
    b = treadle_u32("b");
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
