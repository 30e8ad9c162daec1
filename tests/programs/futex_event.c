/* SPDX-License-Identifier: Apache-2.0 */
/* An event count: who waits takes the number first and looks at the flag then, so that a
 * notification in between makes the wait return at once.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 13
 * expect: traces 5
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count, ready;
static int data;

static void *producer(void *arg)
{
    data = 7;
    atomic_store(&ready, 1);
    atomic_fetch_add(&count, 1);
    syscall(SYS_futex, &count, FUTEX_WAKE, 1, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    for (;;) {
        int seen = atomic_load(&count);
        if (atomic_load(&ready))
            break;
        syscall(SYS_futex, &count, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
    assert(data == 7);
    pthread_join(a, NULL);
    return 0;
}
