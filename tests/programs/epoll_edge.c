/* SPDX-License-Identifier: Apache-2.0 */
/* Two messages of a byte. Told of every edge, a loop that reads one message at a time may wait for
 * ever for the second; one that reads all does not, nor one that is told while there is something.
 *
 * treadle: --search=all -k
 * agree: -k
 * expect: runs 8
 * expect: traces 8
 * expect: verdict bug
 * expect: finding deadlock epoll_edge.c:46
 *
 * treadle: --search=all -k
 * args: all
 * agree: -k
 * expect: runs 10
 * expect: traces 10
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --search=all -k
 * args: all level
 * agree: -k
 * expect: runs 10
 * expect: traces 10
 * expect: verdict complete
 * hand: 0
 * cflags: -D_GNU_SOURCE */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    assert(write(fds[1], "a", 1) == 1);
    assert(write(fds[1], "b", 1) == 1);
    return arg;
}

static int wait_for(int loop)
{
    struct epoll_event got;
    return epoll_wait(loop, &got, 1, -1);
}

int main(int argc, char **argv)
{
    pthread_t a;
    int loop = epoll_create1(EPOLL_CLOEXEC), n = 0;
    char c;
    (void)argv;
    assert(pipe(fds) == 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0);
    struct epoll_event e = {.events = EPOLLIN | (argc < 3 ? EPOLLET : 0)};
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, fds[0], &e) == 0);
    pthread_create(&a, NULL, writer, NULL);
    while (n < 2) {
        assert(wait_for(loop) == 1);
        while (read(fds[0], &c, 1) == 1) {
            n++;
            if (argc == 1)
                break;
        }
    }
    pthread_join(a, NULL);
    return 0;
}
