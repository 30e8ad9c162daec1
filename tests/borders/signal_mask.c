/* SPDX-License-Identifier: Apache-2.0 */
/* A signal that is blocked comes in while ppoll waits with another mask.
 *
 * treadle:
 * expect: verdict complete
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static volatile sig_atomic_t came;

static void handler(int s)
{
    came = s;
}

static void *thread(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t t;
    int ends[2];
    sigset_t set, before;
    struct sigaction act = {.sa_handler = handler};
    sigaction(SIGUSR1, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    if (pipe(ends))
        return 0;
    first = pthread_self();
    pthread_create(&t, NULL, thread, NULL);
    struct pollfd f = {.fd = ends[0], .events = POLLIN};
    while (!came)
        ppoll(&f, 1, NULL, &before);
    pthread_join(t, NULL);
    return 0;
}
