/* SPDX-License-Identifier: Apache-2.0 */
/* One wakeup, two waiting threads: either one may get it, the other waits forever. How many were woken
 * is recorded.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 48
 * expect: traces 32
 * expect: verdict bug
 * expect: finding deadlock futex_wake.c:23
 * expect: finding assert futex_wake.c:35 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waiter(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    long more = syscall(SYS_futex, &word, FUTEX_WAKE, 5, NULL, NULL, 0);
    assert(woken <= 1);
    assert(woken + more < 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
