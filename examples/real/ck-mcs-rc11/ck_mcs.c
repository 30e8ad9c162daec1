/* SPDX-License-Identifier: Apache-2.0
 * The MCS lock of Concurrency Kit: two threads add to a plain number under it, twice each. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_spinlock.h>

enum { THREADS = 2, ROUNDS = 2 };

static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static ck_spinlock_mcs_context_t nodes[THREADS][ROUNDS];
static int numbers[THREADS];
static int count;

static void *add(void *arg)
{
    ptrdiff_t i = (int *)arg - numbers;
    for (int k = 0; k < ROUNDS; k++) {
        ck_spinlock_mcs_lock(&lock, &nodes[i][k]);
        count++;
        ck_spinlock_mcs_unlock(&lock, &nodes[i][k]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS * ROUNDS);
    return 0;
}
