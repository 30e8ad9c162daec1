/* SPDX-License-Identifier: Apache-2.0 */
/* circular_buffer [N]: a sender and a receiver of N numbers share a ring.
 *
 * After CS.circular_buffer. Bug: the receiver takes a place whether or not the sender has
 * filled it. FIXED: it takes nothing from an empty ring. */
#include <assert.h>

#include "../../programs/common.h"

enum { PLACES = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int place[PLACES], n_sent, n_received, n;

static void *sender(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        if (n_sent - n_received < PLACES) {
            place[n_sent % PLACES] = n_sent + 1;
            n_sent++;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static int is_ready(void)
{
#ifdef FIXED
    return n_received < n_sent;
#else
    return 1;
#endif
}

static void *receiver(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        if (is_ready()) {
            int seen = place[n_received % PLACES];
            n_received++;
            assert(seen == n_received);
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(int argc, char **argv)
{
    n = size_arg(argc, argv, 1, 4, PLACES);
    pthread_t t[2] = {start(sender, 0), start(receiver, 1)};
    join_all(t, 2);
    return 0;
}
