/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing. A thread tells what it reads from its memory before the operation, and
 * what it writes there behind it; in between its bytes are the stream's. */
#include "runtime/posix/fd.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* Pieces of the thread's memory, and where in them it continues. */
typedef struct pieces {
    const struct iovec *at;
    int n;
    uint32_t site;
    bool is_socket; /* the call is one of sockets */
} pieces;

/* ---- moving bytes ---- */

static void move_in(rt_stream *s, uint64_t at, const uint8_t *p, size_t n)
{
    uint64_t mask = s->size - 1;
    bool labelled = rt->symbolic && rt_sym_any((uint64_t)p, n);
    if (labelled && !s->labels)
        s->labels = rt_bump(s->size * sizeof *s->labels);
    for (size_t i = 0; i < n; i++) {
        s->bytes[(at + i) & mask] = p[i];
        if (s->labels)
            s->labels[(at + i) & mask] =
                labelled ? rt_sym_get((uint64_t)p + i, 1, p[i], 0) : 0;
    }
}

static void move_out(const rt_stream *s, uint64_t at, uint8_t *p, size_t n, uint32_t site)
{
    uint64_t mask = s->size - 1;
    rt_access((uint64_t)p, n, true, site);
    for (size_t i = 0; i < n; i++)
        p[i] = s->bytes[(at + i) & mask];
    rt_sym_forget((uint64_t)p, n);
    for (size_t i = 0; s->labels && i < n; i++)
        if (s->labels[(at + i) & mask])
            rt_sym_put((uint64_t)p + i, 1, s->labels[(at + i) & mask]);
}

static void scatter(const pieces *v, uint64_t value);

/* Behind an operation: the bytes of the last attempt. */
static void move(rt_fd_call *c, void *with)
{
    const pieces *v = with;
    if (c->file->type == RT_FILE_EVENT) {
        scatter(v, c->a);
        return;
    }
    uint64_t skip = (uint64_t)(c->done - c->moved), left = (uint64_t)c->moved, at = c->at;
    for (int i = 0; i < v->n && left > 0; i++) {
        uint64_t len = v->at[i].iov_len, from = skip < len ? skip : len;
        uint64_t n = len - from < left ? len - from : left;
        uint8_t *p = (uint8_t *)v->at[i].iov_base + from;
        skip -= from;
        left -= n;
        if (n > 0 && c->what == WIRE_FD_CALL_READ)
            move_out(c->stream, at, p, n, v->site);
        else if (n > 0)
            move_in(c->stream, at, p, n);
        at += n;
    }
}

/* ---- pieces ---- */

/* Bytes of all pieces, or a negative error number. */
static long total(const struct iovec *v, int n)
{
    uint64_t sum = 0;
    if (n < 0 || n > IOV_MAX)
        return -EINVAL;
    for (int i = 0; i < n; i++)
        if (v[i].iov_len > SSIZE_MAX || (sum += v[i].iov_len) > SSIZE_MAX)
            return -EINVAL;
    return (long)(sum < INT_MAX ? sum : INT_MAX);
}

/* Before a write: what it reads; a bad address faults here. */
static void tell_read(const pieces *v)
{
    for (int i = 0; i < v->n; i++) {
        const uint8_t *p = v->at[i].iov_base;
        if (v->at[i].iov_len == 0)
            continue;
        rt_access((uint64_t)p, v->at[i].iov_len, false, v->site);
        rt_peek((uint64_t)p, 1);
        rt_peek((uint64_t)p + v->at[i].iov_len - 1, 1);
    }
}

/* ---- eventfds: 8 bytes are a number ---- */

static uint64_t gather(const pieces *v)
{
    uint64_t value = 0;
    uint8_t *to = (uint8_t *)&value, *end = to + sizeof value;
    for (int i = 0; i < v->n; i++)
        for (size_t k = 0; k < v->at[i].iov_len && to < end; k++)
            *to++ = ((const uint8_t *)v->at[i].iov_base)[k];
    return value;
}

static void scatter(const pieces *v, uint64_t value)
{
    const uint8_t *from = (const uint8_t *)&value, *end = from + sizeof value;
    for (int i = 0; i < v->n && from < end; i++) {
        size_t n = v->at[i].iov_len;
        n = n < (size_t)(end - from) ? n : (size_t)(end - from);
        rt_access((uint64_t)v->at[i].iov_base, n, true, v->site);
        rt_sym_forget((uint64_t)v->at[i].iov_base, n);
        memcpy(v->at[i].iov_base, from, n);
        from += n;
    }
}

/* ---- one way or the other ---- */

static rt_fd_call call_of(uint8_t what, int fd, long wanted, int flags, uint32_t site)
{
    bool reads = what == WIRE_FD_CALL_READ;
    return (rt_fd_call){.what = what,
                        .fd = fd,
                        .site = site,
                        .attempt = reads ? rt_fd_attempt_read : rt_fd_attempt_write,
                        .is_ready = reads ? rt_fd_can_read : rt_fd_can_write,
                        .wanted = wanted,
                        .is_impatient = (flags & MSG_DONTWAIT) != 0,
                        .wants_all = (flags & MSG_WAITALL) != 0,
                        .peeks = (flags & MSG_PEEK) != 0};
}

static void check_flags(int flags, uint32_t site)
{
    if (flags & ~(MSG_DONTWAIT | MSG_WAITALL | MSG_PEEK | MSG_NOSIGNAL |
                  MSG_CMSG_CLOEXEC | MSG_MORE))
        rt_refuse("send or recv with unsupported flags", site);
    if ((flags & MSG_PEEK) && (flags & MSG_WAITALL))
        rt_refuse("recv with MSG_PEEK and MSG_WAITALL", site);
}

static long read_pieces(int fd, pieces v, int flags)
{
    long wanted = total(v.at, v.n);
    check_flags(flags, v.site);
    if (wanted < 0)
        return rt_fd_answer(wanted);
    rt_fd_call c = call_of(WIRE_FD_CALL_READ, fd, wanted, flags, v.site);
    c.wants_socket = v.is_socket;
    return rt_fd_answer(rt_fd_begin(&c, RT_FD_IN) ? rt_fd_do(&c, move, &v) : c.result);
}

/* Handles a write that can never be read: sends the signal, unless it is ignored. */
static void break_pipe(uint32_t site)
{
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) != 0 || now.sa_handler == SIG_IGN)
        return;
    if (now.sa_handler != SIG_DFL)
        raise(SIGPIPE);
    else
        rt_fail_end(WIRE_FAIL_CRASH, site, 0, SIGPIPE, NULL);
}

static long write_pieces(int fd, pieces v, int flags)
{
    long wanted = total(v.at, v.n);
    check_flags(flags, v.site);
    if (wanted < 0)
        return rt_fd_answer(wanted);
    tell_read(&v);
    rt_fd_call c = call_of(WIRE_FD_CALL_WRITE, fd, wanted, flags, v.site);
    c.a = gather(&v);
    c.wants_socket = v.is_socket;
    if (rt_fd_begin(&c, RT_FD_OUT))
        rt_fd_do(&c, move, &v);
    if (c.is_broken && !(flags & MSG_NOSIGNAL))
        break_pipe(v.site);
    return rt_fd_answer(c.result);
}

/* ---- read and write ---- */

RT_HIDDEN long rt_fd_read(int fd, void *p, size_t n, const wire_site *at);
long rt_fd_read(int fd, void *p, size_t n, const wire_site *at)
{
    struct iovec one = {p, n};
    return read_pieces(fd, (pieces){&one, 1, rt_site_number((uint64_t)at), false}, 0);
}

/* Handles an outside descriptor; output is not read back, so it can be written again. */
static void outside(const char *name, int fd, const struct iovec *v, int n)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_stdin_passed(fd, name, site);
    for (int i = 0; i < n && name[0] == 'w' && !rt_stream_is_output((uint64_t)fd); i++)
        rt_sym_bytes_concrete(v[i].iov_base, v[i].iov_len, site, name);
    if ((fd == STDOUT_FILENO || fd == STDERR_FILENO) && name[0] == 'w')
        return;
    if (rt_overlay_has(fd))
        rt_changed();
    else
        rt_taint(name, site);
}

RT_API ssize_t __treadle_write(int fd, const void *p, size_t n);
ssize_t __treadle_write(int fd, const void *p, size_t n)
{
    const void *self = (const void *)__treadle_write;
    struct iovec one = {(void *)(uintptr_t)p, n};
    if (!rt_fd_is_ours(fd)) {
        outside("write", fd, &one, 1);
        return write(fd, p, n);
    }
    uint32_t site = rt_call_site(), label = rt_sym_argument(self, 2);
    rt_sym_arrive();
    rt_sym_concrete(label, n, site);
    return write_pieces(fd, (pieces){&one, 1, site, false}, 0);
}

static void tell_vector(const struct iovec *v, int n, uint32_t site)
{
    if (n > 0 && n <= IOV_MAX)
        rt_access((uint64_t)v, (uint64_t)n * sizeof *v, false, site);
}

RT_API ssize_t __treadle_writev(int fd, const struct iovec *v, int n);
ssize_t __treadle_writev(int fd, const struct iovec *v, int n)
{
    if (!rt_fd_is_ours(fd)) {
        outside("writev", fd, v, n);
        return writev(fd, v, n);
    }
    uint32_t site = rt_call_site();
    tell_vector(v, n, site);
    return write_pieces(fd, (pieces){v, n, site, false}, 0);
}

static ssize_t forget(const struct iovec *v, size_t n, ssize_t got)
{
    for (size_t i = 0; rt_on() && got > 0 && i < n; i++)
        rt_sym_forget((uint64_t)v[i].iov_base, v[i].iov_len);
    return got;
}

RT_API ssize_t __treadle_readv(int fd, const struct iovec *v, int n);
ssize_t __treadle_readv(int fd, const struct iovec *v, int n)
{
    if (!rt_fd_is_ours(fd)) {
        outside("readv", fd, NULL, 0);
        return forget(v, n > 0 ? (size_t)n : 0, readv(fd, v, n));
    }
    uint32_t site = rt_call_site();
    tell_vector(v, n, site);
    return read_pieces(fd, (pieces){v, n, site, false}, 0);
}

/* ---- sockets ---- */

static ssize_t transfer(int fd, pieces v, int flags, bool sends)
{
    v.is_socket = true;
    return sends ? write_pieces(fd, v, flags) : read_pieces(fd, v, flags);
}

RT_API ssize_t __treadle_sendto(int fd, const void *p, size_t n, int flags,
                                const struct sockaddr *to, socklen_t to_size);
ssize_t __treadle_sendto(int fd, const void *p, size_t n, int flags,
                         const struct sockaddr *to, socklen_t to_size)
{
    if (!rt_fd_is_ours(fd)) {
        outside("sendto", fd, NULL, 0);
        return sendto(fd, p, n, flags, to, to_size);
    }
    struct iovec one = {(void *)(uintptr_t)p, n};
    return transfer(fd, (pieces){&one, 1, rt_call_site(), false}, flags, true);
}

RT_API ssize_t __treadle_send(int fd, const void *p, size_t n, int flags);
ssize_t __treadle_send(int fd, const void *p, size_t n, int flags)
{
    return __treadle_sendto(fd, p, n, flags, NULL, 0);
}

RT_API ssize_t __treadle_recvfrom(int fd, void *p, size_t n, int flags,
                                  struct sockaddr *from, socklen_t *from_size);
ssize_t __treadle_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *from,
                           socklen_t *from_size)
{
    struct iovec one = {p, n};
    if (!rt_fd_is_ours(fd)) {
        outside("recvfrom", fd, NULL, 0);
        return forget(&one, 1, recvfrom(fd, p, n, flags, from, from_size));
    }
    if (from_size)
        *from_size = 0;
    return transfer(fd, (pieces){&one, 1, rt_call_site(), false}, flags, false);
}

RT_API ssize_t __treadle_recv(int fd, void *p, size_t n, int flags);
ssize_t __treadle_recv(int fd, void *p, size_t n, int flags)
{
    return __treadle_recvfrom(fd, p, n, flags, NULL, NULL);
}

static pieces pieces_of(const struct msghdr *m)
{
    uint32_t site = rt_call_site();
    rt_access((uint64_t)m, sizeof *m, false, site);
    if (m->msg_control && m->msg_controllen > 0)
        rt_refuse("sendmsg or recvmsg with control data", site);
    tell_vector(m->msg_iov, (int)m->msg_iovlen, site);
    return (pieces){m->msg_iov, (int)m->msg_iovlen, site, false};
}

RT_API ssize_t __treadle_sendmsg(int fd, const struct msghdr *m, int flags);
ssize_t __treadle_sendmsg(int fd, const struct msghdr *m, int flags)
{
    if (!rt_fd_is_ours(fd)) {
        outside("sendmsg", fd, NULL, 0);
        return sendmsg(fd, m, flags);
    }
    return transfer(fd, pieces_of(m), flags, true);
}

RT_API ssize_t __treadle_recvmsg(int fd, struct msghdr *m, int flags);
ssize_t __treadle_recvmsg(int fd, struct msghdr *m, int flags)
{
    if (!rt_fd_is_ours(fd)) {
        outside("recvmsg", fd, NULL, 0);
        return forget(m->msg_iov, m->msg_iovlen, recvmsg(fd, m, flags));
    }
    ssize_t got = transfer(fd, pieces_of(m), flags, false);
    m->msg_flags = 0;
    m->msg_namelen = 0;
    return got;
}

/* ---- eventfds by name ---- */

RT_API int __treadle_eventfd_write(int fd, eventfd_t value);
int __treadle_eventfd_write(int fd, eventfd_t value)
{
    struct iovec one = {&value, sizeof value};
    if (rt_fd_is_ours(fd))
        return write_pieces(fd, (pieces){&one, 1, rt_call_site(), false}, 0) == 8 ? 0
                                                                                  : -1;
    outside("eventfd_write", fd, NULL, 0);
    return eventfd_write(fd, value);
}

RT_API int __treadle_eventfd_read(int fd, eventfd_t *value);
int __treadle_eventfd_read(int fd, eventfd_t *value)
{
    struct iovec one = {value, sizeof *value};
    if (rt_fd_is_ours(fd))
        return read_pieces(fd, (pieces){&one, 1, rt_call_site(), false}, 0) == 8 ? 0 : -1;
    outside("eventfd_read", fd, NULL, 0);
    return eventfd_read(fd, value);
}
