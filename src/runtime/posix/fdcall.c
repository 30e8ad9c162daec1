/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that make, move, read and write descriptors. Those of a descriptor outside go to the C
 * library. */
#include "runtime/posix/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/overlay.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/shares.h"
#include "runtime/posix/socket.h"
#include "runtime/symbolic/values.h"

/* The descriptor is the kernel's: unless it is of a file of the run, this process is not used again. */
static void taint(const char *name, int fd, uint32_t site)
{
    if (!rt_overlay_has(fd)) {
        rt_taint(name, site);
        return;
    }
    rt_overlay_moves();
    rt_changed();
}

static void outside(const char *name, int fd)
{
    if (rt_on())
        taint(name, fd, rt_call_site());
}

/* The same of a call that copies a descriptor; the number to, if it is one, gets another file. */
static void outside_copies(const char *name, int fd, int to)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_fd_order(WIRE_FD_CALL_DUP, fd, site);
    if (to >= 0)
        rt_share_use(RT_SHARE_FD(to), true, name, "descriptor", site);
    taint(name, fd, site);
}

/* A new number: threads that used it before have nothing to do with its file. One of the runtime's is
 * not given out. */
static int made(int fd)
{
    if (rt_on() && fd >= RT_MAX_FDS) {
        rt_sys(SYS_close, fd, 0, 0);
        return (int)rt_fd_answer(-EMFILE);
    }
    if (rt_on())
        rt_share_opens(fd);
    return fd;
}

/* The runtime's own descriptors are nothing to the program: its number would be beyond the limit. */
static bool is_kept(int fd)
{
    return rt_on() && fd >= RT_MAX_FDS;
}

/* The same; the kernel reads and writes so many bytes at arg. -1: nobody knows how many. The site is
 * returned. */
static uint32_t outside_at(const char *name, int fd, long arg, int reads, int writes)
{
    if (!rt_on())
        return 0;
    uint32_t site = rt_call_site();
    taint(name, fd, site);
    bool is_address = (uint64_t)arg >= 4096 && (uint64_t)arg < UINT64_C(0x7ffffffff000);
    if (is_address && (reads < 0 || writes < 0))
        rt_gap_once(WIRE_GAP_UNWATCHED, site, name);
    if (is_address && reads > 0) {
        rt_access((uint64_t)arg, (uint64_t)reads, false, site);
        rt_sym_bytes_concrete((const void *)arg, (uint64_t)reads, site, name);
    }
    return site;
}

/* The call went well. */
static void outside_wrote(long arg, int writes, uint32_t site)
{
    if (!rt_on() || writes <= 0)
        return;
    rt_access((uint64_t)arg, (uint64_t)writes, true, site);
    rt_sym_clear((void *)arg, (uint64_t)writes);
    rt_changed();
}

static rt_fd_call call_of(uint8_t what, int fd,
                          bool (*attempt)(rt_fd_call *, rt_thread *))
{
    return (rt_fd_call){.what = what,
                        .fd = fd,
                        .site = rt_call_site(),
                        .attempt = attempt,
                        .fds = {-1, -1}};
}

/* ---- making ---- */

/* Two files at two numbers. */
static bool put_two(rt_fd_call *c, rt_file *first, rt_file *second, rt_thread *t)
{
    bool cloexec = (c->a & O_CLOEXEC) != 0;
    first->nonblocking = second->nonblocking = (c->a & O_NONBLOCK) != 0;
    c->fds[0] = rt_fd_put(first, 0, cloexec);
    c->fds[1] = c->fds[0] < 0 ? c->fds[0] : rt_fd_put(second, 0, cloexec);
    c->result = c->fds[1] < 0 ? c->fds[1] : 0;
    if (c->fds[0] >= 0 && c->fds[1] < 0)
        rt_fd_take_away(c->fds[0], c, t);
    return true;
}

static bool attempt_pipe(rt_fd_call *c, rt_thread *t)
{
    rt_file *reader = rt_file_new(RT_FILE_PIPE), *writer = rt_file_new(RT_FILE_PIPE);
    rt_stream *s = rt_stream_new();
    rt_file_opens(reader, s, NULL);
    rt_file_opens(writer, NULL, s);
    return put_two(c, reader, writer, t);
}

static bool attempt_pair(rt_fd_call *c, rt_thread *t)
{
    rt_file *a = rt_file_new(RT_FILE_SOCKET), *b = rt_file_new(RT_FILE_SOCKET);
    rt_stream *forth = rt_stream_new(), *back = rt_stream_new();
    rt_file_opens(a, back, forth);
    rt_file_opens(b, forth, back);
    return put_two(c, a, b, t);
}

static bool attempt_eventfd(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = rt_file_new(RT_FILE_EVENT);
    rt_stream *s = rt_stream_new();
    (void)t;
    rt_file_opens(f, s, s);
    s->count = c->b;
    f->nonblocking = (c->a & EFD_NONBLOCK) != 0;
    f->counts_one = (c->a & EFD_SEMAPHORE) != 0;
    c->result = c->fds[0] = rt_fd_put(f, 0, (c->a & EFD_CLOEXEC) != 0);
    return true;
}

static int make_two(bool (*attempt)(rt_fd_call *, rt_thread *), int fds[2], int flags)
{
    rt_fd_call c = call_of(WIRE_FD_CALL_OPEN, -1, attempt);
    c.a = (uint64_t)flags;
    if (rt_fd_do(&c, NULL, NULL) < 0)
        return (int)rt_fd_answer(c.result);
    rt_access((uint64_t)fds, 2 * sizeof *fds, true, c.site);
    rt_sym_forget((uint64_t)fds, 2 * sizeof *fds);
    fds[0] = c.fds[0];
    fds[1] = c.fds[1];
    return 0;
}

RT_API int __treadle_pipe2(int fds[2], int flags);
int __treadle_pipe2(int fds[2], int flags)
{
    if (!rt_on())
        return pipe2(fds, flags);
    if (flags & ~(O_CLOEXEC | O_NONBLOCK))
        rt_refuse("pipe2 with O_DIRECT", rt_call_site());
    return make_two(attempt_pipe, fds, flags);
}

RT_API int __treadle_pipe(int fds[2]);
int __treadle_pipe(int fds[2])
{
    return rt_on() ? make_two(attempt_pipe, fds, 0) : pipe(fds);
}

RT_API int __treadle_socketpair(int domain, int type, int protocol, int fds[2]);
int __treadle_socketpair(int domain, int type, int protocol, int fds[2])
{
    int plain = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (!rt_on())
        return socketpair(domain, type, protocol, fds);
    if (domain != AF_UNIX || plain != SOCK_STREAM)
        rt_refuse("socketpair other than AF_UNIX, SOCK_STREAM", rt_call_site());
    return make_two(attempt_pair, fds, type);
}

RT_API int __treadle_eventfd(unsigned count, int flags);
int __treadle_eventfd(unsigned count, int flags)
{
    if (!rt_on())
        return eventfd(count, flags);
    if (flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)) {
        errno = EINVAL;
        return -1;
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_OPEN, -1, attempt_eventfd);
    c.a = (uint64_t)flags;
    c.b = count;
    return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
}

/* ---- closing ---- */

static bool attempt_close(rt_fd_call *c, rt_thread *t)
{
    rt_fd_take_away(c->fd, c, t);
    c->result = 0;
    return true;
}

RT_API int __treadle_close(int fd);
int __treadle_close(int fd)
{
    if (!rt_fd_is_ours(fd)) {
        if (!rt_on())
            return close(fd);
        uint32_t site = rt_call_site();
        if (is_kept(fd))
            return (int)rt_fd_answer(-EBADF);
        rt_fd_order(WIRE_FD_CALL_CLOSE, fd, site);
        if (rt_overlay_takes("close", (uint64_t)fd, site))
            rt_overlay_moves();
        else
            taint("close", fd, site);
        return close(fd);
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_CLOSE, fd, attempt_close);
    rt_fd_closes(fd, c.site);
    rt_fd_do(&c, NULL, NULL);
    rt_fd_finish(&c);
    return (int)rt_fd_answer(c.result);
}

static bool attempt_shutdown(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    c->result = rt_file_is_socket(f) ? 0 : -ENOTSOCK;
    if (f->type == RT_FILE_UNCONNECTED && f->is_inet)
        c->result = -ENOTCONN;
    if (f->type == RT_FILE_LISTENER)
        rt_listener_shut(c, t);
    if (f->type != RT_FILE_SOCKET)
        return true;
    if (c->a != SHUT_WR && f->is_inet) {
        f->in_shut = true;
        f->in->edges.end++;
    } else if (c->a != SHUT_WR) {
        rt_file_ends_in(f, t);
    }
    if (c->a != SHUT_RD)
        rt_file_ends_out(f, t);
    return true;
}

/* One side after the other where they are apart. */
static long shut(int fd, int how, enum rt_fd_side side)
{
    rt_fd_call c = call_of(WIRE_FD_CALL_SHUTDOWN, fd, attempt_shutdown);
    c.a = (uint64_t)how;
    c.wants_socket = true;
    if (rt_fd_begin(&c, side))
        rt_fd_do(&c, NULL, NULL);
    rt_fd_finish(&c);
    return c.result;
}

RT_API int __treadle_shutdown(int fd, int how);
int __treadle_shutdown(int fd, int how)
{
    if (!rt_fd_is_ours(fd)) {
        outside("shutdown", fd);
        return shutdown(fd, how);
    }
    if (how < SHUT_RD || how > SHUT_RDWR)
        return (int)rt_fd_answer(-EINVAL);
    uint64_t site = PLAN_CTL->call_site;
    const rt_file *f = rt_fd_file(fd);
    bool both = rt->fds_apart && how == SHUT_RDWR && f && f->type == RT_FILE_SOCKET;
    long result = both ? shut(fd, SHUT_RD, RT_FD_IN) : 0;
    PLAN_CTL->call_site = site;
    if (result == 0)
        result = shut(fd, both ? SHUT_WR : how, how == SHUT_RD ? RT_FD_IN : RT_FD_OUT);
    return (int)rt_fd_answer(result);
}

/* ---- copies ---- */

static bool attempt_dup(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    int to = (int)c->a;
    f->refs++; /* dup2 may close the last other one */
    if (c->is_exact && rt_fd_file(to))
        rt_fd_take_away(to, c, t);
    c->result = rt_fd_put(f, to, c->b != 0);
    f->refs--;
    return true;
}

enum copy_to { COPY_FROM_ON, COPY_EXACTLY };

/* To the lowest free number from to on, or exactly to that one. flags: O_CLOEXEC or 0. */
static int copy(int fd, int to, enum copy_to how, int flags)
{
    rt_fd_call c = call_of(WIRE_FD_CALL_DUP, fd, attempt_dup);
    c.a = (uint64_t)to;
    c.b = (flags & O_CLOEXEC) != 0;
    c.is_exact = how == COPY_EXACTLY;
    rt_fd_uses(fd, c.site);
    if (c.is_exact)
        rt_fd_closes(to, c.site);
    rt_fd_do(&c, NULL, NULL);
    rt_fd_finish(&c);
    return (int)rt_fd_answer(c.result);
}

/* What is read from the copy is not an input. */
static void stdin_copied(int fd, const char *name)
{
    if (rt_on())
        rt_stdin_passed(fd, name, rt_site_number(PLAN_CTL->call_site));
}

RT_API int __treadle_dup(int fd);
int __treadle_dup(int fd)
{
    if (rt_fd_is_ours(fd))
        return copy(fd, 0, COPY_FROM_ON, 0);
    stdin_copied(fd, "dup");
    outside_copies("dup", fd, -1);
    return made(dup(fd));
}

static bool attempt_nothing(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    c->result = c->fd;
    return true;
}

/* Onto a descriptor that the C library or the kernel has something to do with it cannot be. */
static int copy_to(int from, int to, int flags)
{
    if (to < 0 || to >= RT_MAX_FDS)
        return (int)rt_fd_answer(-EBADF);
    if (from == to) {
        rt_fd_call c = call_of(WIRE_FD_CALL_DUP, from, attempt_nothing);
        return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
    }
    if (!rt_fd_file(to) && rt_sys(SYS_fcntl, to, F_GETFD, 0) >= 0)
        rt_refuse("dup2 onto a descriptor that leads outside", rt_call_site());
    return copy(from, to, COPY_EXACTLY, flags);
}

RT_API int __treadle_dup2(int from, int to);
int __treadle_dup2(int from, int to)
{
    if (rt_fd_is_ours(from))
        return copy_to(from, to, 0);
    if (rt_on() && rt_fd_file(to))
        __treadle_close(to);
    stdin_copied(from, "dup2");
    if (is_kept(to))
        return (int)rt_fd_answer(-EBADF);
    outside_copies("dup2", from, to);
    return made(dup2(from, to));
}

RT_API int __treadle_dup3(int from, int to, int flags);
int __treadle_dup3(int from, int to, int flags)
{
    if (rt_fd_is_ours(from))
        return from == to ? (int)rt_fd_answer(-EINVAL) : copy_to(from, to, flags);
    if (rt_on() && rt_fd_file(to))
        __treadle_close(to);
    stdin_copied(from, "dup3");
    if (is_kept(to))
        return (int)rt_fd_answer(-EBADF);
    outside_copies("dup3", from, to);
    return made(dup3(from, to, flags));
}

/* ---- control ---- */

static bool attempt_get_flags(rt_fd_call *c, rt_thread *t)
{
    const rt_file *f = c->file;
    bool both = (f->in && f->out) || f->type != RT_FILE_PIPE;
    (void)t;
    c->result = (both     ? O_RDWR
                 : f->out ? O_WRONLY
                          : O_RDONLY) |
                (f->nonblocking ? O_NONBLOCK : 0);
    return true;
}

static bool attempt_set_flags(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    c->file->nonblocking = (c->a & O_NONBLOCK) != 0;
    c->result = 0;
    return true;
}

static bool attempt_size(rt_fd_call *c, rt_thread *t)
{
    rt_stream *s = c->file->in ? c->file->in : c->file->out;
    uint32_t size = RT_PIPE_BUF;
    (void)t;
    if (c->file->type != RT_FILE_PIPE) {
        c->result = -EBADF;
        return true;
    }
    while (size < c->a && size < RT_STREAM_MOST)
        size *= 2;
    c->result = size;
    if (c->a > RT_STREAM_MOST)
        c->result = -EPERM;
    else if (size < rt_stream_len(s))
        c->result = -EBUSY;
    if (c->a == 0)
        c->result = s->cap;
    else if (c->result > 0)
        s->cap = size;
    return true;
}

static bool attempt_count(rt_fd_call *c, rt_thread *t)
{
    (void)t;
    bool counts = c->file->type == RT_FILE_PIPE || rt_file_is_socket(c->file);
    const rt_stream *s = c->file->in ? c->file->in : c->file->out;
    c->result = s ? rt_stream_len(s) : 0;
    if (!counts || c->file->type == RT_FILE_LISTENER)
        c->result = counts ? -EINVAL : -ENOTTY;
    return true;
}

static int control(int fd, bool (*attempt)(rt_fd_call *, rt_thread *), uint64_t a,
                   bool only_looks)
{
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt);
    c.a = a;
    if (!rt_fd_begin(&c, RT_FD_ANY))
        return (int)rt_fd_answer(c.result);
    return (int)rt_fd_answer(only_looks ? rt_fd_look(&c) : rt_fd_do(&c, NULL, NULL));
}

/* Whether calls wait is looked at by what touches either stream. */
static int set_flags(int fd, uint64_t flags)
{
    uint64_t site = PLAN_CTL->call_site;
    const rt_file *f = rt_fd_file(fd);
    bool both = rt->fds_apart && f && f->in && f->out && f->in != f->out;
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt_set_flags);
    c.a = flags;
    if (both && rt_fd_begin(&c, RT_FD_OUT))
        rt_fd_do(&c, NULL, NULL);
    PLAN_CTL->call_site = site;
    return control(fd, attempt_set_flags, flags, false);
}

static int fcntl_ours(int fd, int command, long arg)
{
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (arg < 0 || arg >= RT_MAX_FDS)
            return (int)rt_fd_answer(-EINVAL);
        return copy(fd, (int)arg, COPY_FROM_ON,
                    command == F_DUPFD_CLOEXEC ? O_CLOEXEC : 0);
    case F_GETFD:
    case F_SETFD:
        rt_changed();
        return fcntl(fd, command, arg);
    case F_GETFL:
        return control(fd, attempt_get_flags, 0, true);
    case F_SETFL:
        return set_flags(fd, (uint64_t)arg);
    case F_GETPIPE_SZ:
        return control(fd, attempt_size, 0, true);
    case F_SETPIPE_SZ:
        return arg <= 0 ? (int)rt_fd_answer(-EINVAL)
                        : control(fd, attempt_size, (uint64_t)arg, false);
    default:
        rt_refuse("fcntl of a pipe or socket with an unsupported command",
                  rt_call_site());
    }
}

/* Bytes that a command reads at its argument, -1: see outside_at. */
static int fcntl_reads(int command)
{
    switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK:
        return offsetof(struct flock, l_pid);
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_GETFD:
    case F_SETFD:
    case F_GETFL:
    case F_SETFL:
    case F_GETOWN:
    case F_SETOWN:
        return 0;
    default:
        return -1;
    }
}

/* Flags of a descriptor outside, and copies of it, are in an order. */
static void order_fcntl(int fd, int command, uint32_t site)
{
    bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    bool sets = command == F_SETFL || command == F_SETFD;
    if (!rt_on())
        return;
    if (is_copy || sets)
        rt_fd_order(is_copy ? WIRE_FD_CALL_DUP : WIRE_FD_CALL_CONTROL, fd, site);
    else if (command == F_GETFL || command == F_GETFD)
        rt_fd_order_look(fd, site);
    if (command == F_SETFL)
        rt_share_use(RT_SHARE_FD(fd), true, "fcntl", "descriptor", site);
}

RT_API int __treadle_fcntl(int fd, int command, ...);
int __treadle_fcntl(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    long arg = va_arg(args, long);
    va_end(args);
    if (rt_fd_is_ours(fd))
        return fcntl_ours(fd, command, arg);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        stdin_copied(fd, "fcntl");
    uint32_t site = outside_at("fcntl", fd, arg, fcntl_reads(command), 0);
    order_fcntl(fd, command, site);
    int result = fcntl(fd, command, arg);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return made(result);
    if (command == F_GETLK && result == 0)
        outside_wrote(arg, sizeof(short), site); /* l_type at least */
    return result;
}

static int ioctl_ours(int fd, unsigned long request, int *arg)
{
    uint32_t site = rt_site_number(PLAN_CTL->call_site);
    switch (request) {
    case FIONREAD: {
        int n = control(fd, attempt_count, 0, true);
        if (n < 0)
            return -1;
        rt_access((uint64_t)arg, sizeof *arg, true, site);
        *arg = n;
        return 0;
    }
    case FIONBIO:
        rt_access((uint64_t)arg, sizeof *arg, false, site);
        return set_flags(fd, *arg ? O_NONBLOCK : 0);
    case FIOCLEX:
    case FIONCLEX:
        rt_changed();
        return ioctl(fd, request);
    default:
        return (int)rt_fd_answer(-ENOTTY);
    }
}

/* Bytes that a request writes at its argument, -1: see outside_at. */
static int ioctl_writes(unsigned long request)
{
    if (request == FIOCLEX || request == FIONCLEX || request == FIONBIO)
        return 0;
    return request == FIONREAD     ? (int)sizeof(int)
           : request == TIOCGWINSZ ? (int)sizeof(struct winsize)
                                   : -1;
}

RT_API int __treadle_ioctl(int fd, unsigned long request, ...);
int __treadle_ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    long arg = va_arg(args, long);
    va_end(args);
    if (rt_fd_is_ours(fd))
        return ioctl_ours(fd, request, (int *)arg);
    int writes = ioctl_writes(request);
    int reads = request == FIONBIO ? (int)sizeof(int) : 0;
    uint32_t site = outside_at("ioctl", fd, arg, reads, writes);
    if (rt_on() && (request == FIONBIO || request == FIOCLEX || request == FIONCLEX))
        order_fcntl(fd, request == FIONBIO ? F_SETFL : F_SETFD, site);
    int result = ioctl(fd, request, arg);
    if (result == 0)
        outside_wrote(arg, writes, site);
    return result;
}

RT_API FILE *__treadle_fdopen(int fd, const char *mode);
FILE *__treadle_fdopen(int fd, const char *mode)
{
    if (rt_fd_is_ours(fd))
        rt_refuse("fdopen of a pipe or socket", rt_call_site());
    outside("fdopen", fd);
    return fdopen(fd, mode);
}
