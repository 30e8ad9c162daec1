/* SPDX-License-Identifier: Apache-2.0 */
/* apache-a: a session of a file server is closed as idle while it serves a command.
 *
 * After the test drivers of the Apache FTP server (BugBench): Table 1 has 3 threads, 3 inputs, k = 2.
 * A transfer that finds its data connection closed tells so over the control connection. The thread
 * that closes idle sessions has closed both: both reads are of its writes, and the assertion that
 * there is somebody to tell fails. FIXED: a transfer holds the session's lock. */
#include "subject.h"

enum { NOOP, STORE, RETRIEVE, QUIT };

static atomic_int has_control = 1, has_data = 1;

#ifdef FIXED
static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    lock(&session_lock);
}

static void let_go(void)
{
    unlock(&session_lock);
}
#else
static void hold(void)
{
}

static void let_go(void)
{
}
#endif

static int transfer(int size)
{
    if (size <= 0)
        return 550;
    if (atomic_load(&has_data))
        return size > 1000 ? 250 : 226;
    int can_tell = atomic_load(&has_control);
    assert(can_tell);
    return 426;
}

static int start_transfer(int size)
{
    int reply = 421;
    hold();
    if (atomic_load(&has_control))
        reply = transfer(size);
    let_go();
    return reply;
}

static void *serve(void *arg)
{
    int command = treadle_int("command"), size = treadle_int("size"), reply = 500;
    if (command == STORE || command == RETRIEVE)
        reply = start_transfer(size);
    else if (command == NOOP)
        reply = 200;
    else if (command == QUIT)
        reply = 221;
    if (reply >= 400)
        reply = 0;
    return arg;
}

static void *close_idle(void *arg)
{
    int idle_s = treadle_int("idle");
    if (idle_s > 300) {
        hold();
        atomic_store(&has_data, 0);
        atomic_store(&has_control, 0);
        let_go();
    }
    return arg;
}

int main(void)
{
    pthread_t t[2] = {start(serve, 0), start(close_idle, 1)};
    join_all(t, 2);
    return 0;
}
