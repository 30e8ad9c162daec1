/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore of a futex: two takers, two posts; each post wakes one.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 6
 * expect: traces 5
 * expect: verdict complete
 * hand: 0 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count;

static void take(void)
{
    for (;;) {
        int n = atomic_load(&count);
        if (n > 0 && atomic_compare_exchange_strong(&count, &n, n - 1))
            return;
        if (n == 0)
            syscall(SYS_futex, &count, FUTEX_WAIT_BITSET, 0, NULL, NULL,
                    FUTEX_BITSET_MATCH_ANY);
    }
}

static void *taker(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, taker, NULL);
    atomic_fetch_add(&count, 1);
    syscall(SYS_futex, &count, FUTEX_WAKE_BITSET, 1, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    pthread_join(a, NULL);
    return 0;
}
