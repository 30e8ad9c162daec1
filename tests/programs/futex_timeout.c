/* SPDX-License-Identifier: Apache-2.0 */
/* A wait with a timeout may give up or not; a timeout of another form, of no form, and a word that
 * has another value.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 12
 * expect: traces 12
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <time.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waker(void *arg)
{
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    struct timespec soon = {0, 1000000}, wrong = {0, -1};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &wrong, NULL, 0) == -1);
    assert(errno == EINVAL);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 3, &soon, NULL, 0) == -1);
    assert(errno == EAGAIN);
    pthread_create(&a, NULL, waker, NULL);
    long got = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &soon, NULL, 0);
    assert(got == 0 || (got == -1 && (errno == ETIMEDOUT || errno == EAGAIN)));
    pthread_join(a, NULL);
    return 0;
}
