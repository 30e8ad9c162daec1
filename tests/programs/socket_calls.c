/* SPDX-License-Identifier: Apache-2.0 */
/* What calls on sockets answer, by AF_UNIX and by 127.0.0.1. The same natively: cc socket_calls.c && ./a.out.
 *
 * treadle:
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FAILS(call, error) assert((call) == -1 && errno == (error))

static union {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_un un;
} at;
static socklen_t at_size;

static short events_of(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP};
    assert(poll(&p, 1, 0) >= 0);
    return p.revents;
}

/* A listener at a new address. */
static int listener(int domain, int flags, int backlog)
{
    int s = socket(domain, SOCK_STREAM | flags, 0), yes = 1;
    assert(s >= 0);
    memset(&at, 0, sizeof at);
    at.any.sa_family = (sa_family_t)domain;
    at.in.sin_addr.s_addr = domain == AF_INET ? htonl(INADDR_LOOPBACK) : 0;
    at_size = domain == AF_INET ? sizeof at.in : sizeof at.any.sa_family;
    assert(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    assert(events_of(s) == (POLLOUT | POLLHUP));
    assert(bind(s, &at.any, at_size) == 0);
    if (domain == AF_INET)
        FAILS(bind(s, &at.any, at_size), EINVAL);
    else
        assert(bind(s, &at.any, at_size) == 0);
    at_size = sizeof at;
    assert(getsockname(s, &at.any, &at_size) == 0 && at.any.sa_family == domain);
    assert(domain == AF_UNIX ? at_size == 8 : at_size == 16 && at.in.sin_port != 0);
    FAILS(accept(s, NULL, NULL), EINVAL);
    assert(listen(s, backlog) == 0 && events_of(s) == 0);
    return s;
}

static int client(int domain)
{
    int c = socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert(c >= 0 && connect(c, &at.any, at_size) == 0);
    FAILS(connect(c, &at.any, at_size), EISCONN);
    return c;
}

static void both_ways(int domain)
{
    int s = listener(domain, 0, 4), c = client(domain), value = 7;
    struct sockaddr_storage name, peer;
    socklen_t size = sizeof name;
    assert(events_of(s) == POLLIN && events_of(c) == POLLOUT);
    assert(write(c, "ab", 2) == 2); /* before it is accepted */
    int a = accept4(s, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK);
    assert(a >= 0 && size == (domain == AF_INET ? 16 : 2) && events_of(s) == 0);
    assert(fcntl(a, F_GETFL) == (O_RDWR | O_NONBLOCK) && fcntl(c, F_GETFL) == O_RDWR);
    assert(fcntl(c, F_GETFD) == FD_CLOEXEC && fcntl(a, F_GETFD) == 0);
    size = sizeof name;
    assert(getsockname(c, (struct sockaddr *)&name, &size) == 0);
    assert(domain == AF_UNIX || memcmp(&name, &peer, 8) == 0);
    size = sizeof name;
    assert(getpeername(c, (struct sockaddr *)&name, &size) == 0 && size == at_size);
    assert(memcmp(&name, &at, 8) == 0);
    FAILS(getpeername(s, (struct sockaddr *)&name, &size), ENOTCONN);
    char bytes[8];
    assert(read(a, bytes, 8) == 2 && bytes[1] == 'b');
    FAILS(read(a, bytes, 8), EAGAIN);
    assert(send(a, "xyz", 3, MSG_NOSIGNAL) == 3);
    assert(ioctl(c, FIONREAD, &value) == 0 && value == 3);
    assert(recv(c, bytes, 2, MSG_PEEK) == 2 && recv(c, bytes, 8, 0) == 3);
    assert(shutdown(c, SHUT_WR) == 0);
    assert(events_of(a) == (POLLIN | POLLOUT | POLLRDHUP) && read(a, bytes, 8) == 0);
    assert(write(a, "q", 1) == 1 && close(a) == 0);
    assert(read(c, bytes, 8) == 1 && read(c, bytes, 8) == 0);
    assert(close(c) == 0 && close(s) == 0);
}

/* The other side goes. */
static void goes(int domain)
{
    int s = listener(domain, 0, 4), c = client(domain), a = accept(s, NULL, NULL);
    char bytes[8];
    assert(close(a) == 0);
    if (domain == AF_INET) { /* TCP learns of it by the answer */
        assert(events_of(c) == (POLLIN | POLLOUT | POLLRDHUP));
        assert(write(c, "a", 1) == 1);
    } else {
        assert(events_of(c) == (POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
    }
    FAILS(send(c, "a", 1, MSG_NOSIGNAL), EPIPE);
    assert(read(c, bytes, 8) == 0 && close(c) == 0);
    c = client(domain); /* one that does not read all */
    a = accept(s, NULL, NULL);
    assert(write(c, "ab", 2) == 2 && write(a, "cd", 2) == 2 && close(a) == 0);
    assert(events_of(c) & POLLERR);
    assert(read(c, bytes, 8) == 2);
    FAILS(read(c, bytes, 8), ECONNRESET);
    assert(read(c, bytes, 8) == 0);
    FAILS(send(c, "a", 1, MSG_NOSIGNAL), EPIPE);
    assert(close(c) == 0);
    c = client(domain); /* likewise, and who is told writes */
    a = accept(s, NULL, NULL);
    assert(write(c, "ab", 2) == 2 && close(a) == 0);
    FAILS(send(c, "a", 1, MSG_NOSIGNAL), domain == AF_INET ? ECONNRESET : EPIPE);
    FAILS(send(c, "a", 1, MSG_NOSIGNAL), EPIPE);
    assert(close(c) == 0);
    c = client(domain); /* one that wants no more */
    a = accept(s, NULL, NULL);
    assert(shutdown(a, SHUT_RD) == 0 && read(a, bytes, 8) == 0);
    assert(events_of(a) == (POLLIN | POLLOUT | POLLRDHUP));
    if (domain == AF_INET)
        assert(write(c, "ab", 2) == 2 && read(a, bytes, 8) == 2 &&
               read(a, bytes, 8) == 0);
    else
        FAILS(send(c, "ab", 2, MSG_NOSIGNAL), EPIPE);
    assert(close(a) == 0 && close(c) == 0);
    c = client(domain); /* a listener with a connection that nobody accepts */
    assert(close(s) == 0);
    FAILS(read(c, bytes, 8), ECONNRESET);
    assert(read(c, bytes, 8) == 0 && close(c) == 0);
    c = socket(domain, SOCK_STREAM, 0);
    FAILS(connect(c, &at.any, at_size), ECONNREFUSED);
    assert(close(c) == 0);
}

static void not_connected(int domain)
{
    int s = socket(domain, SOCK_STREAM, 0), value = 0;
    socklen_t size = sizeof value;
    char byte;
    FAILS(read(s, &byte, 1), domain == AF_INET ? ENOTCONN : EINVAL);
    FAILS(send(s, "a", 1, MSG_NOSIGNAL), domain == AF_INET ? EPIPE : ENOTCONN);
    FAILS(bind(s, &at.any, 1), EINVAL);
    assert(getsockopt(s, SOL_SOCKET, SO_TYPE, &value, &size) == 0 &&
           value == SOCK_STREAM);
    assert(getsockopt(s, SOL_SOCKET, SO_DOMAIN, &value, &size) == 0 && value == domain);
    assert(getsockopt(s, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value == 0);
    if (domain == AF_INET) {
        FAILS(shutdown(s, SHUT_RDWR), ENOTCONN);
        value = 1;
        assert(setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value) == 0);
        assert(getsockopt(s, IPPROTO_TCP, TCP_NODELAY, &value, &size) == 0 && value == 1);
    }
    assert(close(s) == 0);
    int pair[2];
    assert(pipe(pair) == 0);
    FAILS(listen(pair[0], 1), ENOTSOCK);
    FAILS(accept(pair[0], NULL, NULL), ENOTSOCK);
    FAILS(connect(pair[0], &at.any, at_size), ENOTSOCK);
    assert(close(pair[0]) == 0 && close(pair[1]) == 0);
    FAILS(listen(pair[0], 1), EBADF);
}

/* Calls that do not wait. */
static void hurries(int domain)
{
    int s = listener(domain, SOCK_NONBLOCK, 0), error = 0;
    int c = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
    socklen_t size = sizeof error;
    FAILS(accept(s, NULL, NULL), EAGAIN);
    if (domain == AF_INET)
        FAILS(connect(c, &at.any, at_size), EINPROGRESS);
    else
        assert(connect(c, &at.any, at_size) == 0);
    assert(events_of(c) == POLLOUT);
    assert(getsockopt(c, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
    if (domain == AF_UNIX) {
        int full = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
        FAILS(connect(full, &at.any, at_size), EAGAIN);
        assert(close(full) == 0);
    }
    int a = accept(s, NULL, NULL), second = socket(domain, SOCK_STREAM, 0);
    assert(a >= 0 && fcntl(a, F_GETFL) == O_RDWR);
    FAILS(bind(second, &at.any, at_size), EADDRINUSE);
    assert(close(second) == 0 && close(a) == 0 && close(c) == 0 && close(s) == 0);
    c = socket(domain, SOCK_STREAM | SOCK_NONBLOCK, 0);
    FAILS(connect(c, &at.any, at_size), domain == AF_INET ? EINPROGRESS : ECONNREFUSED);
    assert(getsockopt(c, SOL_SOCKET, SO_ERROR, &error, &size) == 0);
    assert(error == (domain == AF_INET ? ECONNREFUSED : 0) && close(c) == 0);
}

/* shutdown makes accept give up. */
static void stops(int domain)
{
    int s = listener(domain, 0, 4);
    assert(shutdown(s, SHUT_RDWR) == 0);
    FAILS(accept(s, NULL, NULL), EINVAL);
    int c = socket(domain, SOCK_STREAM, 0);
    FAILS(connect(c, &at.any, at_size), ECONNREFUSED);
    assert(close(c) == 0 && close(s) == 0);
}

static void watched(int domain)
{
    int s = listener(domain, SOCK_NONBLOCK, 4), e = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = s}, got[2];
    assert(epoll_ctl(e, EPOLL_CTL_ADD, s, &event) == 0);
    assert(epoll_wait(e, got, 2, 0) == 0);
    int c = client(domain);
    assert(epoll_wait(e, got, 2, -1) == 1 && got[0].data.fd == s &&
           got[0].events == EPOLLIN);
    assert(epoll_wait(e, got, 2, 0) == 0);
    int d = client(domain);
    assert(epoll_wait(e, got, 2, 0) == 1);
    int a = accept(s, NULL, NULL), b = accept(s, NULL, NULL);
    assert(a >= 0 && b >= 0);
    FAILS(accept(s, NULL, NULL), EWOULDBLOCK);
    assert(write(d, "d", 1) == 1 && events_of(b) == (POLLIN | POLLOUT));
    assert(events_of(a) == POLLOUT); /* first come, first accepted */
    close(a), close(b), close(c), close(d), close(s), close(e);
}

static void by_path(void)
{
    struct sockaddr_un un = {AF_UNIX, "socket_calls.sock"};
    struct stat st;
    char byte;
    unlink(un.sun_path);
    int s = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    FAILS(connect(c, (struct sockaddr *)&un, sizeof un), ENOENT);
    FAILS(listen(c, 1), EINVAL);
    assert(bind(s, (struct sockaddr *)&un, sizeof un) == 0);
    assert(stat(un.sun_path, &st) == 0 && S_ISSOCK(st.st_mode));
    FAILS(open(un.sun_path, O_RDONLY), ENXIO);
    FAILS(connect(c, (struct sockaddr *)&un, sizeof un), ECONNREFUSED);
    FAILS(bind(c, (struct sockaddr *)&un, sizeof un), EADDRINUSE);
    assert(listen(s, 1) == 0 && rename(un.sun_path, "socket_calls.moved") == 0);
    strcpy(un.sun_path, "socket_calls.moved");
    assert(connect(c, (struct sockaddr *)&un, sizeof un) == 0);
    int a = accept(s, NULL, NULL);
    assert(write(c, "a", 1) == 1 && read(a, &byte, 1) == 1 && byte == 'a');
    assert(unlink(un.sun_path) == 0 && close(a) == 0 && close(c) == 0 && close(s) == 0);
}

int main(void)
{
    static const int domains[] = {AF_UNIX, AF_INET};
    for (int i = 0; i < 2; i++) {
        both_ways(domains[i]);
        goes(domains[i]);
        not_connected(domains[i]);
        hurries(domains[i]);
        stops(domains[i]);
        watched(domains[i]);
    }
    by_path();
    puts("done");
    return 0;
}
