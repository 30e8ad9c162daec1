/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex of three states: free, taken, taken and somebody waits. The plain counter is safe.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 16
 * expect: traces 16
 * expect: verdict complete
 * hand: 0 */
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
    if (atomic_compare_exchange_strong(&m, &free, 1))
        return;
    while (atomic_exchange(&m, 2) != 0)
        syscall(SYS_futex, &m, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
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
