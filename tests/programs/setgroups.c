/* SPDX-License-Identifier: Apache-2.0 */
/* Groups that a run gives up are there again in the next one; to become who one is changes nothing. Neither takes
 * a process for each run. Who may not give them up is told so.
 *
 * treadle:
 * expect: runs 2
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <grp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int cell;

static void *set(void *arg)
{
    atomic_store(&cell, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    int before = getgroups(0, NULL);
    if (setgroups(0, NULL) == 0)
        assert(getgroups(0, NULL) == 0 && before >= 0);
    assert(setgid(getgid()) == 0 && setuid(getuid()) == 0);
    pthread_create(&t, NULL, set, NULL);
    (void)atomic_load(&cell);
    pthread_join(t, NULL);
    return 0;
}
