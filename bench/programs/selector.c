/* SPDX-License-Identifier: Apache-2.0 */
/* selector [ROUNDS]: workers of a test generator take an open test, run it and enter what
 * comes of it: the first three tests open one more each. The fault: whether a test is open
 * is looked up before the lock is taken. Two workers; 8168 traces, 3408 of them fail. */
#include <assert.h>
#include <stdatomic.h>

#include "common.h"

enum { AT_START = 2, FRUITFUL = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n_open = AT_START;
static int n_done, n_rounds;

static void take_test(void)
{
    pthread_mutex_lock(&lock);
    int n = atomic_fetch_sub(&n_open, 1);
    pthread_mutex_unlock(&lock);
    assert(n > 0);
}

static void enter_result(void)
{
    pthread_mutex_lock(&lock);
    if (n_done++ < FRUITFUL)
        atomic_fetch_add(&n_open, 1);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *number)
{
    for (int k = 0; k < n_rounds; k++) {
        if (atomic_load(&n_open) == 0)
            break;
        take_test();
        enter_result();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_rounds = size_arg(argc, argv, 1, 3, 100);
    start(worker, 0);
    start(worker, 1);
    return leave();
}
