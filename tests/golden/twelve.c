/* SPDX-License-Identifier: Apache-2.0 */
/* Twelve threads share a table of tickets; the last ones get one twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 12

static atomic_int next_ticket;
static atomic_int owner_of[N + 1];

static void *visitor_with_a_rather_long_name(void *arg)
{
    int mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
    int before = atomic_exchange(&owner_of[mine], 1 + (int)(intptr_t)arg);
    assert(before == 0);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, visitor_with_a_rather_long_name, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
