/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges go on with all release sequences: who acquires what the last of 70 threads left knows
 * what each of them wrote. No race, whatever the number of heads.
 * treadle: --search=random --runs=3
 * expect: runs 3
 * expect: verdict incomplete
 * expect: ledger runs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 70

static atomic_int f;
static int data[N];

static void *add(void *p)
{
    int i = (int)(long)p;
    data[i] = i + 1;
    atomic_fetch_add_explicit(&f, 1, memory_order_release);
    return 0;
}

static void *all(void *p)
{
    if (atomic_load_explicit(&f, memory_order_acquire) == N)
        for (int i = 0; i < N; i++)
            assert(data[i] == i + 1);
    return p;
}

int main(void)
{
    pthread_t t[N + 1];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, (void *)i);
    pthread_create(&t[N], 0, all, 0);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], 0);
    return 0;
}
