/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a log carry their times: in the order of the log they rise, also through C11 threads.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static long long times[4];
static int n_entries;

static void enter(void)
{
    struct timespec t;
    mtx_lock(&lock);
    timespec_get(&t, TIME_UTC);
    times[n_entries++] = t.tv_sec * 1000000000LL + t.tv_nsec;
    mtx_unlock(&lock);
}

static int worker(void *arg)
{
    enter();
    thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    enter();
    return arg != NULL;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    for (int i = 1; i < n_entries; i++)
        assert(times[i] > times[i - 1]);
    return 0;
}
