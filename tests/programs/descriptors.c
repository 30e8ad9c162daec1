/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls return, in one thread: the same under treadle and by hand.
 *
 * treadle:
 * cflags: -D_GNU_SOURCE
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define FAILS(call, error) (errno = 0, (call) == -1 && errno == (error))

static short look(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};
    int n = poll(&p, 1, 0);
    assert(n == (p.revents != 0));
    return p.revents;
}

static void numbers(void)
{
    int a[2], b[2];
    assert(pipe(a) == 0 && a[1] == a[0] + 1);
    assert(pipe2(b, O_NONBLOCK | O_CLOEXEC) == 0 && b[0] == a[1] + 1);
    assert(fcntl(b[0], F_GETFD) == FD_CLOEXEC && fcntl(a[0], F_GETFD) == 0);
    assert(fcntl(b[0], F_GETFL) == (O_RDONLY | O_NONBLOCK));
    assert(fcntl(a[1], F_GETFL) == O_WRONLY);
    assert(close(a[0]) == 0 && FAILS(close(a[0]), EBADF));
    assert(dup(b[0]) == a[0] && fcntl(a[0], F_GETFD) == 0);
    assert(dup2(b[0], 50) == 50 && dup2(50, 50) == 50 && dup2(b[1], 50) == 50);
    assert(FAILS(dup3(b[0], b[0], 0), EINVAL) && FAILS(dup2(60, 50), EBADF));
    assert(fcntl(b[1], F_DUPFD, 70) == 70 && fcntl(b[1], F_DUPFD_CLOEXEC, 70) == 71);
    assert(fcntl(71, F_GETFD) == FD_CLOEXEC);
    char c;
    assert(write(70, "z", 1) == 1 && read(a[0], &c, 1) == 1 && c == 'z');
    assert(FAILS(read(b[1], &c, 1), EBADF) && FAILS(write(b[0], &c, 1), EBADF));
    assert(FAILS(read(b[0], &c, 1), EAGAIN) && FAILS(dup(99), EBADF));
    assert(close(b[1]) == 0 && close(50) == 0 && close(70) == 0 && close(71) == 0);
    assert(read(b[0], &c, 1) == 0 && close(b[0]) == 0 && close(a[0]) == 0);
    assert(FAILS(read(b[0], &c, 1), EBADF));
    close(a[1]);
}

static void pipes(void)
{
    int p[2], n = 7;
    char text[64] = "", full[5000] = "";
    assert(pipe(p) == 0 && fcntl(p[0], F_GETPIPE_SZ) == 65536);
    struct iovec out[3] = {{"abc", 3}, {NULL, 0}, {"de", 2}};
    struct iovec in[2] = {{text, 1}, {text + 10, 20}};
    assert(writev(p[1], out, 3) == 5 && ioctl(p[0], FIONREAD, &n) == 0 && n == 5);
    assert(look(p[0], POLLIN | POLLOUT) == POLLIN && look(p[1], POLLOUT) == POLLOUT);
    assert(readv(p[0], in, 2) == 5 && text[0] == 'a' && strcmp(text + 10, "bcde") == 0);
    assert(look(p[0], POLLIN) == 0 && read(p[0], text, 0) == 0 &&
           write(p[1], text, 0) == 0);
    assert(fcntl(p[1], F_SETPIPE_SZ, 100) == 4096 &&
           fcntl(p[1], F_SETFL, O_NONBLOCK) == 0);
    assert(write(p[1], full, sizeof full) == 4096 && FAILS(write(p[1], full, 1), EAGAIN));
    assert(look(p[1], POLLOUT) == 0 && read(p[0], full, 4096) == 4096);
    assert(write(p[1], "q", 1) == 1);
    n = 1;
    assert(ioctl(p[0], FIONBIO, &n) == 0 && (fcntl(p[0], F_GETFL) & O_NONBLOCK));
    assert(close(p[1]) == 0 && look(p[0], POLLIN) == (POLLIN | POLLHUP));
    assert(read(p[0], text, 9) == 1 && text[0] == 'q' && look(p[0], POLLIN) == POLLHUP);
    assert(read(p[0], text, 9) == 0 && close(p[0]) == 0 &&
           look(p[0], POLLIN) == POLLNVAL);
    assert(pipe(p) == 0 && close(p[0]) == 0);
    assert(look(p[1], POLLOUT) == (POLLOUT | POLLERR) && look(p[1], 0) == POLLERR);
    close(p[1]);
}

static void sockets(void)
{
    int s[2];
    char c[8] = "";
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s) == 0);
    assert(FAILS(recv(s[0], c, 1, 0), EAGAIN) && send(s[0], "hello", 5, 0) == 5);
    assert(recv(s[1], c, 2, MSG_PEEK) == 2 && memcmp(c, "he", 2) == 0);
    struct iovec v = {c, 8};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    assert(recvmsg(s[1], &m, 0) == 5 && memcmp(c, "hello", 5) == 0);
    v.iov_len = 3;
    assert(sendmsg(s[1], &m, MSG_NOSIGNAL) == 3 &&
           recvfrom(s[0], c, 8, 0, NULL, NULL) == 3);
    assert(look(s[0], POLLIN | POLLOUT) == POLLOUT);
    assert(shutdown(s[0], SHUT_WR) == 0 && recv(s[1], c, 8, 0) == 0);
    assert(look(s[1], POLLIN | POLLOUT | POLLRDHUP) == (POLLIN | POLLOUT | POLLRDHUP));
    assert(FAILS(send(s[0], c, 1, MSG_NOSIGNAL), EPIPE) && send(s[1], "x", 1, 0) == 1);
    assert(read(s[0], c, 8) == 1 && c[0] == 'x' && close(s[1]) == 0);
    assert(read(s[0], c, 8) == 0);
    assert(look(s[0], POLLIN | POLLOUT) == (POLLIN | POLLOUT | POLLHUP));
    assert(FAILS(shutdown(s[0], 9), EINVAL) && close(s[0]) == 0);
}

static void counts(void)
{
    int e = eventfd(3, EFD_NONBLOCK);
    eventfd_t n = 0;
    assert(look(e, POLLIN | POLLOUT) == (POLLIN | POLLOUT));
    assert(eventfd_write(e, 4) == 0 && read(e, &n, 8) == 8 && n == 7);
    assert(FAILS(eventfd_read(e, &n), EAGAIN) && FAILS(read(e, &n, 7), EINVAL));
    n = UINT64_MAX;
    assert(FAILS(write(e, &n, 8), EINVAL));
    n = UINT64_MAX - 1;
    assert(write(e, &n, 8) == 8 && look(e, POLLIN | POLLOUT) == POLLIN);
    assert(FAILS(eventfd_write(e, 1), EAGAIN) && FAILS(send(e, &n, 8, 0), ENOTSOCK));
    close(e);
    e = eventfd(2, EFD_SEMAPHORE);
    assert(eventfd_read(e, &n) == 0 && n == 1 && look(e, POLLIN) == POLLIN);
    assert(eventfd_read(e, &n) == 0 && n == 1 && look(e, POLLIN) == 0);
    close(e);
}

static int told(int loop, struct epoll_event *got)
{
    return epoll_wait(loop, got, 4, 0);
}

static void epolls(void)
{
    int p[2], loop = epoll_create(1), outer = epoll_create1(0);
    char c;
    struct epoll_event e = {.events = EPOLLIN, .data.u64 = 77}, got[4];
    assert(pipe(p) == 0 && FAILS(epoll_ctl(loop, EPOLL_CTL_MOD, p[0], &e), ENOENT));
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, p[0], &e) == 0);
    assert(FAILS(epoll_ctl(loop, EPOLL_CTL_ADD, p[0], &e), EEXIST));
    assert(FAILS(epoll_ctl(loop, EPOLL_CTL_ADD, 99, &e), EBADF));
    assert(FAILS(epoll_ctl(loop, EPOLL_CTL_ADD, loop, &e), EINVAL));
    assert(FAILS(epoll_ctl(p[0], EPOLL_CTL_ADD, p[1], &e), EINVAL));
    assert(FAILS(epoll_wait(loop, got, 0, 0), EINVAL) && told(loop, got) == 0);
    assert(epoll_ctl(outer, EPOLL_CTL_ADD, loop, &e) == 0);
    assert(FAILS(epoll_ctl(loop, EPOLL_CTL_ADD, outer, &e), ELOOP));
    assert(write(p[1], "ab", 2) == 2 && told(loop, got) == 1);
    assert(got[0].events == EPOLLIN && got[0].data.u64 == 77 && told(loop, got) == 1);
    assert(look(loop, POLLIN) == POLLIN && told(outer, got) == 1);
    e.events = EPOLLIN | EPOLLET;
    assert(epoll_ctl(loop, EPOLL_CTL_MOD, p[0], &e) == 0 && told(loop, got) == 1);
    assert(told(loop, got) == 0 && read(p[0], &c, 1) == 1 && told(loop, got) == 0);
    assert(write(p[1], "c", 1) == 1 && told(loop, got) == 1 && told(loop, got) == 0);
    e.events = EPOLLIN | EPOLLONESHOT;
    assert(epoll_ctl(loop, EPOLL_CTL_MOD, p[0], &e) == 0 && told(loop, got) == 1);
    assert(write(p[1], "d", 1) == 1 && told(loop, got) == 0);
    assert(epoll_ctl(loop, EPOLL_CTL_MOD, p[0], &e) == 0 && told(loop, got) == 1);
    e.events = EPOLLOUT;
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, p[1], &e) == 0 && told(loop, got) == 1);
    assert(got[0].events == EPOLLOUT && close(p[1]) == 0 && told(loop, got) == 0);
    assert(epoll_ctl(loop, EPOLL_CTL_DEL, p[0], NULL) == 0);
    assert(FAILS(epoll_ctl(loop, EPOLL_CTL_DEL, p[0], NULL), ENOENT));
    assert(FAILS(read(loop, &c, 1), EINVAL));
    close(p[0]);
    close(loop);
    close(outer);
}

static void sets(void)
{
    int p[2];
    fd_set in, out;
    struct timespec now = {0, 0};
    assert(pipe(p) == 0);
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(p[0], &in);
    FD_SET(p[1], &out);
    assert(pselect(p[1] + 1, &in, &out, NULL, &now, NULL) == 1);
    assert(!FD_ISSET(p[0], &in) && FD_ISSET(p[1], &out));
    assert(write(p[1], "a", 1) == 1);
    FD_SET(p[0], &in);
    assert(pselect(p[1] + 1, &in, &out, NULL, &now, NULL) == 2);
    struct pollfd two[2] = {{.fd = p[0], .events = POLLIN}, {.fd = p[1]}};
    assert(ppoll(two, 2, &now, NULL) == 1 && two[0].revents == POLLIN && !two[1].revents);
    close(p[0]);
    close(p[1]);
}

int main(void)
{
    numbers();
    pipes();
    sockets();
    counts();
    epolls();
    sets();
    return 0;
}
