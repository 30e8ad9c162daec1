/* SPDX-License-Identifier: Apache-2.0 */
/* Two waiters of C11, one with a timeout; a broadcast.
 *
 * treadle: --search=all --spurious=0
 * expect: runs 336
 * expect: events 292
 * expect: traces 24
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --spurious=0
 * expect: runs 24
 * expect: events 173
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int patient(void *arg)
{
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    return arg != NULL;
}

static int hasty(void *arg)
{
    struct timespec until = {2000000000, 0};
    int rc = thrd_success;
    mtx_lock(&m);
    if (!ready)
        rc = cnd_timedwait(&c, &m, &until);
    assert(rc == thrd_timedout || (rc == thrd_success && ready));
    mtx_unlock(&m);
    return arg != NULL;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&a, patient, NULL);
    thrd_create(&b, hasty, NULL);
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
