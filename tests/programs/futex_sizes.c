/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the word are accessed: the order is explored, but what follows is not kept.
 *
 * treadle: -k
 * expect: verdict incomplete
 * expect: ledger mixed sizes
 * expect: ledger not reached
 * hand: 0 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static union {
    atomic_int word;
    atomic_char part[4];
} u;

static void *waker(void *arg)
{
    atomic_store(&u.part[0], 1);
    syscall(SYS_futex, &u.word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, waker, NULL);
    syscall(SYS_futex, &u.word, FUTEX_WAIT, 0, NULL, NULL, 0);
    pthread_join(a, NULL);
    return 0;
}
