/* SPDX-License-Identifier: Apache-2.0 */
/* More schedules than any limit allows: five threads exchange three words. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[3];

static void *work(void *p)
{
    int i = (int)(long)p;
    for (int k = 0; k < 4; k++)
        if (atomic_exchange(&x[(i + k) % 3], i) != i)
            atomic_fetch_add(&x[k % 3], 1);
    return p;
}

int main(void)
{
    pthread_t t[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    return 0;
}
