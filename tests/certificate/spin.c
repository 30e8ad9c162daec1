/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits is beyond the theorem of certificates. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static void *sets(void *p)
{
    atomic_store(&ready, 1);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    while (!atomic_load(&ready))
        ;
    return pthread_join(t, NULL);
}
