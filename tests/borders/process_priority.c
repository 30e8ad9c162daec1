/* SPDX-License-Identifier: Apache-2.0 */
/* The priority is the process's, and is put back between runs.
 *
 * treadle: -k
 * expect: finding assert process_priority.c:25
 * expect: ledger cannot be undone process_priority.c:16 setpriority
 * expect: verdict bug
 * expect: runs 2 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static void *sets(void *arg)
{
    (void)arg;
    setpriority(PRIO_PROCESS, 0, 3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int before = getpriority(PRIO_PROCESS, 0);
    pthread_create(&t, NULL, sets, NULL);
    assert(getpriority(PRIO_PROCESS, 0) == before);
    pthread_join(t, NULL);
    return 0;
}
