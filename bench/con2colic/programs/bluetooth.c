/* SPDX-License-Identifier: Apache-2.0 */
/* bluetooth: requests enter a driver while another thread stops it.
 *
 * After the driver of KISS (Qadeer, Wu), as the paper's Table 1 has it: 3 threads, 2 inputs, k = 2.
 * A request looks whether the driver is stopping before it counts itself in. If the whole stop comes
 * in between, the count it meets and the end it meets are both of the other thread: the assertion
 * that the driver still works fails. FIXED: it counts itself in first. */
#include "subject.h"

enum { READ, WRITE, FLUSH };
enum { OK = 0, GONE = -1, INVALID = -2 };

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static GUARDED int n_pending = 1;
static atomic_int is_stopping, is_idle, is_stopped;

static void count_in(void)
{
    lock(&count_lock);
    n_pending = n_pending + 1;
    unlock(&count_lock);
}

static void count_out(void)
{
    lock(&count_lock);
    int left = n_pending - 1;
    n_pending = left;
    unlock(&count_lock);
    if (left == 0)
        atomic_store(&is_idle, 1);
}

static int enter_driver(void)
{
#ifdef FIXED
    count_in();
    if (!atomic_load(&is_stopping))
        return OK;
    count_out();
    return GONE;
#else
    if (atomic_load(&is_stopping))
        return GONE;
    count_in();
    return OK;
#endif
}

static int serve(int code, int *data)
{
    int stopped = atomic_load(&is_stopped);
    assert(!stopped);
    if (code == READ)
        return *data;
    if (code == WRITE)
        (*data)++;
    else if (code == FLUSH)
        *data = 0;
    else
        return INVALID;
    return OK;
}

static void *request(void *arg)
{
    int code = treadle_int("code"), data = 1;
    if (enter_driver() != OK)
        return arg;
    int status = serve(code, &data);
    if (status == INVALID)
        data = 0;
    count_out();
    return arg;
}

static void *stop(void *arg)
{
    int is_surprise = treadle_bool("surprise");
    atomic_store(&is_stopping, 1);
    count_out();
    if (atomic_load(&is_idle))
        atomic_store(&is_stopped, is_surprise ? 2 : 1);
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(request, 0), start(stop, 1)};
    join_all(t, 2);
    return 0;
}
