/* SPDX-License-Identifier: Apache-2.0 */
/* An event loop: a worker adds results and wakes the loop through an eventfd, and is told to stop
 * through a pipe.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 15
 * expect: traces 8
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake, done[2];
static atomic_int results;

static void *worker(void *arg)
{
    atomic_fetch_add(&results, 1);
    assert(eventfd_write(wake, 1) == 0);
    close(done[1]);
    return arg;
}

int main(void)
{
    pthread_t a;
    int loop = epoll_create1(0), n_results = 0, is_open = 1;
    wake = eventfd(0, EFD_NONBLOCK);
    assert(pipe(done) == 0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = wake};
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, wake, &e) == 0);
    e.data.fd = done[0];
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, done[0], &e) == 0);
    pthread_create(&a, NULL, worker, NULL);
    while (is_open || n_results == 0) {
        struct epoll_event got[4];
        int n = epoll_wait(loop, got, 4, -1);
        assert(n == 1 || n == 2);
        for (int i = 0; i < n; i++) {
            eventfd_t count;
            if (got[i].data.fd == wake) {
                assert(got[i].events == EPOLLIN && eventfd_read(wake, &count) == 0);
                n_results += atomic_exchange(&results, 0);
            } else {
                assert(got[i].events == EPOLLHUP);
                assert(epoll_ctl(loop, EPOLL_CTL_DEL, done[0], NULL) == 0);
                is_open = 0;
            }
        }
    }
    assert(n_results == 1);
    pthread_join(a, NULL);
    return 0;
}
