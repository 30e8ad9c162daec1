/* SPDX-License-Identifier: Apache-2.0 */
/* netmap: a thread looks after the devices of a network at an interval the user can change.
 *
 * After the paper's experiment 3 (jNetMap, Figures 18 and 19, Table VII): one branch depends on the
 * interleaving, 5 test cases (TPAIR: infinitely many, since the loop never ends). The loop reads the
 * interval, waits until somebody wakes it or sleeps, and sets the interval anew; the thread of the
 * user interface sets it, saves it and wakes the other. No lock round the interval: a race. FIXED:
 * there is one. */
#include <pthread.h>
#include <unistd.h>

#include "../../programs/common.h"

static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static int interval = 1, saved, n_looks;

static const char *field_text(void)
{
    return "5";
}

#ifdef FIXED
static pthread_mutex_t interval_lock = PTHREAD_MUTEX_INITIALIZER;

static int get_interval(void)
{
    pthread_mutex_lock(&interval_lock);
    int n = interval;
    pthread_mutex_unlock(&interval_lock);
    return n;
}

static void set_interval(int n)
{
    pthread_mutex_lock(&interval_lock);
    interval = n;
    pthread_mutex_unlock(&interval_lock);
}
#else
static int get_interval(void)
{
    return interval;
}

static void set_interval(int n)
{
    interval = n;
}
#endif

static void look_at_devices(void)
{
    pthread_mutex_lock(&device_lock);
    n_looks = n_looks < 3 ? n_looks + 1 : 0;
    pthread_mutex_unlock(&device_lock);
}

static void *look_after(void *arg)
{
    while (arg != NULL) {
        look_at_devices();
        if (get_interval() <= 0) {
            pthread_mutex_lock(&wait_lock);
            pthread_cond_wait(&woken, &wait_lock);
            pthread_mutex_unlock(&wait_lock);
        } else {
            usleep(60000);
        }
        set_interval(atoi(field_text()));
    }
    return arg;
}

static void *change(void *arg)
{
    set_interval(atoi(field_text()));
    saved = get_interval();
    pthread_mutex_lock(&wait_lock);
    pthread_cond_broadcast(&woken);
    pthread_mutex_unlock(&wait_lock);
    return arg;
}

/* The program ends when the user interface does, whatever the loop is doing. */
int main(void)
{
    start(look_after, 1);
    pthread_join(start(change, 2), NULL);
    return 0;
}
