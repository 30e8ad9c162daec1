/* SPDX-License-Identifier: Apache-2.0 */
/* bluetooth: requests enter a driver while another thread stops it.
 *
 * After CS.bluetooth_driver, the known model of a driver. Bug: a request looks whether the
 * driver is stopping before it counts itself in, so the stop can come in between. FIXED: it
 * counts itself in first, and out again if the driver is stopping. */
#include <assert.h>
#include <stdatomic.h>

#include "../../programs/common.h"

static atomic_int n_pending = 1, is_stopping, is_stopped;

static void leave_driver(void)
{
    if (atomic_fetch_sub(&n_pending, 1) == 1)
        atomic_store(&is_stopped, 1);
}

#ifdef FIXED
static int enter_driver(void)
{
    atomic_fetch_add(&n_pending, 1);
    if (!atomic_load(&is_stopping))
        return 1;
    leave_driver();
    return 0;
}
#else
static int enter_driver(void)
{
    if (atomic_load(&is_stopping))
        return 0;
    atomic_fetch_add(&n_pending, 1);
    return 1;
}
#endif

static void *request(void *arg)
{
    if (enter_driver()) {
        int stopped = atomic_load(&is_stopped);
        assert(!stopped);
        leave_driver();
    }
    return arg;
}

static void *stop(void *arg)
{
    atomic_store(&is_stopping, 1);
    leave_driver();
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(request, 0), start(stop, 1)};
    join_all(t, 2);
    return 0;
}
