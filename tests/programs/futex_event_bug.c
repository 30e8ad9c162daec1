/* SPDX-License-Identifier: Apache-2.0 */
/* The flag is looked at before the number is taken: a notification in between is lost. Fixed:
 * futex_event.c.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 13
 * expect: traces 6
 * expect: verdict bug
 * expect: finding deadlock futex_event_bug.c:36 */
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
    while (!atomic_load(&ready)) {
        int seen = atomic_load(&count);
        syscall(SYS_futex, &count, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
    assert(data == 7);
    pthread_join(a, NULL);
    return 0;
}
