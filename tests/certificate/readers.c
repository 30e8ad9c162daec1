/* SPDX-License-Identifier: Apache-2.0 */
/* A writer comes before, between and after three readers: 8 traces. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *reads(void *p)
{
    (void)atomic_load(&x);
    return p;
}
static void *writes(void *p)
{
    atomic_store(&x, 1);
    return p;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 3 ? reads : writes, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
