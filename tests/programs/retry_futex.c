/* SPDX-License-Identifier: Apache-2.0 */
/* A futex that is waited for a second at a time. Who stores the value does so only if it is there
 * already; FIXED stores it, and wakes nobody: the timeout sees to that.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 3
 * expect: events 8
 * expect: verdict bug
 * expect: finding livelock retry_futex.c:44
 *
 * treadle: -k
 * cflags: -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 5
 * expect: events 9
 * expect: verdict complete */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static const struct timespec second = {1, 0};

static void *set(void *arg)
{
#ifndef FIXED
    if (atomic_load(&word))
#endif
        atomic_store(&word, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    while (!atomic_load(&word))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &second, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
