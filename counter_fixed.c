/* SPDX-License-Identifier: Apache-2.0 */
/* counter.c with an atomic counter and no lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long hits;

static void *visitor(void *arg)
{
    atomic_fetch_add(&hits, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, visitor, NULL);
    pthread_create(&b, NULL, visitor, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld hits\n", atomic_load(&hits));
    return 0;
}
