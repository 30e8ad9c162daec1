/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits does not say so in the word, and who unlocks wakes nobody. Fixed: futex_mutex.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 6
 * expect: traces 6
 * expect: verdict bug
 * expect: finding deadlock futex_mutex_bug.c:25 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int m;
static int n;

static void lock(void)
{
    int free = 0;
    while (!atomic_compare_exchange_strong(&m, &free, 1)) {
        free = 0;
        syscall(SYS_futex, &m, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void unlock(void)
{
    if (atomic_exchange(&m, 0) == 2)
        syscall(SYS_futex, &m, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *arg)
{
    lock();
    n++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    assert(n == 2);
    return 0;
}
