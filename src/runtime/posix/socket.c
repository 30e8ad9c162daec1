/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets that listen, connect and accept within the process. */
#include "runtime/posix/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/posix/overlay.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

#define MOST_PENDING 4096

static rt_fd_call call_of(uint8_t what, int fd,
                          bool (*attempt)(rt_fd_call *, rt_thread *), uint32_t site)
{
    return (rt_fd_call){
        .what = what, .fd = fd, .site = site, .attempt = attempt, .fds = {-1, -1}};
}

/* The socket behind a number, as far as that is known without an operation. */
static rt_socket *socket_of(int fd)
{
    const rt_file *f = rt_fd_file(fd);
    return f && f->type != RT_FILE_EPOLL ? f->socket : NULL;
}

/* Handles an outside descriptor. */
static void outside(const char *name)
{
    if (rt_on())
        rt_taint(name, rt_call_site());
}

/* The same of a call that makes a descriptor. */
static void outside_makes(const char *name)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_fd_order(WIRE_FD_CALL_OPEN, -1, site);
    rt_taint(name, site);
}

/* ---- socket ---- */

static rt_file *file_new(enum rt_file_type type, int domain)
{
    rt_file *f = rt_file_new(type);
    f->socket = rt_bump(sizeof *f->socket);
    f->socket->file = f;
    f->socket->domain = domain;
    f->socket->local_size = f->socket->peer_size =
        domain == AF_INET ? sizeof(struct sockaddr_in) : sizeof(sa_family_t);
    f->socket->local.any.sa_family = f->socket->peer.any.sa_family = (sa_family_t)domain;
    f->is_inet = domain == AF_INET;
    return f;
}

static bool attempt_socket(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = file_new(RT_FILE_UNCONNECTED, (int)c->a);
    (void)t;
    f->nonblocking = (c->b & SOCK_NONBLOCK) != 0;
    c->result = c->fds[0] = rt_fd_put(f, 0, (c->b & SOCK_CLOEXEC) != 0);
    return true;
}

RT_API int __treadle_socket(int domain, int type, int protocol);
int __treadle_socket(int domain, int type, int protocol)
{
    int plain = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    bool is_tcp = domain == AF_INET && (protocol == 0 || protocol == IPPROTO_TCP);
    bool is_ours = plain == SOCK_STREAM && (is_tcp || (domain == AF_UNIX && !protocol));
    if (!rt_on() || !is_ours) {
        outside_makes("socket");
        return socket(domain, type, protocol);
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_OPEN, -1, attempt_socket, rt_call_site());
    c.a = (uint64_t)domain;
    c.b = (uint64_t)type;
    return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
}

/* ---- out of the process ---- */

static bool is_watched(const rt_file *f)
{
    for (int fd = 0; fd < rt->fds->end; fd++)
        for (const rt_item *i = rt->fds->at[fd] ? rt->fds->at[fd]->items : NULL; i;
             i = i->next)
            if (i->file == f)
                return true;
    return false;
}

/* The kernel's socket takes the place of ours. */
static bool attempt_leave(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    (void)t;
    c->result = -ENOTSOCK;
    if (!f->socket || f->refs > 1 || is_watched(f))
        return true;
    int flags = SOCK_STREAM | (f->nonblocking ? SOCK_NONBLOCK : 0);
    long real = rt_sys(SYS_socket, f->socket->domain, flags, 0);
    long kept = rt_sys(SYS_fcntl, c->fd, F_GETFD, 0) & FD_CLOEXEC;
    c->result = real < 0 ? real : rt_sys(SYS_dup3, real, c->fd, kept ? O_CLOEXEC : 0);
    if (real >= 0)
        rt_sys(SYS_close, real, 0, 0);
    if (c->result < 0)
        return true;
    rt->fds->at[c->fd] = NULL;
    f->refs = 0;
    rt_socket_options_pass(f->socket, c->fd);
    return true;
}

/* False: the call fails with *result. */
static bool leave(const char *name, int fd, uint32_t site, long *result)
{
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt_leave, site);
    const rt_file *f = rt_fd_file(fd);
    if (f && (f->refs > 1 || is_watched(f)))
        rt_refuse("a duplicated or polled socket that connects to another process", site);
    rt_taint(name, site);
    *result = rt_fd_do(&c, NULL, NULL);
    return *result >= 0;
}

/* ---- bind ---- */

/* What a call with an address is about, on the stack of its thread. */
typedef struct target {
    rt_address address;
    socklen_t size;
    rt_inode *inode;
} target;

static void bound(rt_socket *s)
{
    if (s->is_bound)
        return;
    s->is_bound = true;
    s->next = rt_fd_numbers()->bound;
    rt_fd_numbers()->bound = s;
}

static bool attempt_bind(rt_fd_call *c, rt_thread *t)
{
    rt_socket *s = c->file->socket;
    const target *to = (const target *)c->a;
    (void)t;
    c->result = rt_file_is_socket(c->file) ? -EINVAL : -ENOTSOCK;
    if (s && s->is_bound && s->domain == AF_UNIX && to->size == sizeof(sa_family_t))
        c->result = 0; /* a chosen port exists */
    if (!s || s->is_bound || c->file->type != RT_FILE_UNCONNECTED)
        return true;
    bool chooses = s->domain == AF_UNIX ? to->size == sizeof(sa_family_t)
                                        : to->address.in.sin_port == 0;
    const rt_socket *other =
        chooses ? NULL : rt_address_find(s, &to->address, to->size, to->inode, false);
    bool is_shared = other && s->domain == AF_INET && s->reuses && other->reuses &&
                     other->file->type != RT_FILE_LISTENER;
    c->result = other && !is_shared ? -EADDRINUSE : 0;
    if (c->result < 0)
        return true;
    s->local = to->address;
    s->local_size = to->size;
    s->inode = to->inode;
    if (chooses)
        rt_address_make_up(s);
    bound(s);
    return true;
}

/* Some socket of the run could have it; else the kernel must be asked. */
static bool is_inside(const rt_socket *s, const target *to)
{
    if (s->domain == AF_INET)
        return rt_address_is_loopback(&to->address) || rt_address_is_all(&to->address);
    return !rt_address_is_path(&to->address, to->size) || rt->overlay->is_on;
}

static long bind_ours(int fd, rt_socket *s, target *to, uint32_t site)
{
    if (rt_address_is_all(&to->address))
        rt_gap_once(WIRE_GAP_REFUSED, site, "connections from outside");
    if (rt_address_is_path(&to->address, to->size) && !s->is_bound) {
        char path[sizeof to->address.un.sun_path + 1] = {0};
        memcpy(path, to->address.un.sun_path, sizeof to->address.un.sun_path);
        long error = rt_overlay_socket_make(path, &to->inode);
        if (error < 0)
            return error;
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt_bind, site);
    rt_fd_uses(fd, site);
    c.a = (uint64_t)to;
    return rt_fd_do(&c, NULL, NULL);
}

RT_API int __treadle_bind(int fd, const struct sockaddr *p, socklen_t size);
int __treadle_bind(int fd, const struct sockaddr *p, socklen_t size)
{
    if (!rt_fd_is_ours(fd)) {
        outside("bind");
        return bind(fd, p, size);
    }
    uint32_t site = rt_call_site();
    rt_socket *s = socket_of(fd);
    target to = {.size = size};
    rt_sym_bytes_concrete(p, size, site, "bind");
    long result = s ? rt_address_read(s, p, size, &to.address) : 0;
    if (result < 0)
        return (int)rt_fd_answer(result);
    if (!s || is_inside(s, &to))
        return (int)rt_fd_answer(bind_ours(fd, s, &to, site));
    if (!leave("bind", fd, site, &result))
        return (int)rt_fd_answer(result);
    return bind(fd, p, size);
}

/* ---- listen ---- */

static bool attempt_listen(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    rt_socket *s = f->socket;
    bool listens = f->type == RT_FILE_LISTENER;
    c->result = rt_file_is_socket(f) ? -EINVAL : -ENOTSOCK;
    if (!s || (!listens && f->type != RT_FILE_UNCONNECTED) ||
        (s->domain == AF_UNIX && !s->is_bound))
        return true;
    if (!s->is_bound)
        rt_address_make_up(s);
    bound(s);
    c->result = -EADDRINUSE;
    if (rt_address_find(s, &s->local, s->local_size, s->inode, true))
        return true;
    s->most = (uint32_t)c->a + 1;
    if (!listens) {
        rt_file_opens(f, rt_stream_new(), NULL);
        f->type = RT_FILE_LISTENER;
        f->in_ended = false;
    }
    rt_clock_join(&f->in->taken, &t->clock);
    c->result = 0;
    return true;
}

RT_API int __treadle_listen(int fd, int backlog);
int __treadle_listen(int fd, int backlog)
{
    if (!rt_fd_is_ours(fd)) {
        outside("listen");
        return listen(fd, backlog);
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt_listen, rt_call_site());
    rt_fd_uses(fd, c.site);
    c.a = (uint64_t)(backlog < 0 || backlog > MOST_PENDING ? MOST_PENDING : backlog);
    return (int)rt_fd_answer(rt_fd_do(&c, NULL, NULL));
}

/* Shuts a listener down. With TCP it is as before listen; otherwise the waiting threads are notified. */
void rt_listener_shut(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    if (c->a == SHUT_WR)
        return;
    if (!f->is_inet) {
        rt_file_ends_in(f, t);
        return;
    }
    c->emptied = rt_listener_empties(f, t);
    rt_file_ends_in(f, t);
    f->type = RT_FILE_UNCONNECTED;
}

/* ---- connect ---- */

static rt_socket *listener_of(const rt_fd_call *c)
{
    const target *to = (const target *)c->a;
    return rt_address_find(c->file->socket, &to->address, to->size, to->inode, true);
}

static bool can_connect(const rt_fd_call *c)
{
    const rt_socket *l = listener_of(c);
    return c->file->type != RT_FILE_UNCONNECTED || !l || l->file->n_pending < l->most;
}

/* The other end waits at the listener. */
static void join_listener(rt_file *f, rt_socket *l, const target *to, rt_thread *t)
{
    rt_stream *forth = rt_stream_new(), *back = rt_stream_new();
    rt_file *peer = file_new(RT_FILE_SOCKET, l->domain), **at = &l->file->pending;
    rt_socket *s = f->socket;
    if (s->domain == AF_INET && !s->is_bound) {
        rt_address_make_up(s);
        bound(s);
    }
    if (s->domain == AF_INET && rt_address_is_all(&s->local))
        s->local.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->peer = peer->socket->local = l->local;
    s->peer_size = peer->socket->local_size = l->local_size;
    if (s->domain == AF_INET) {
        in_addr_t host = to->address.in.sin_addr.s_addr;
        host = host == htonl(INADDR_ANY) ? htonl(INADDR_LOOPBACK) : host;
        s->peer.in.sin_addr.s_addr = peer->socket->local.in.sin_addr.s_addr = host;
    }
    peer->socket->peer = s->local;
    peer->socket->peer_size = s->local_size;
    f->type = RT_FILE_SOCKET;
    f->in_ended = false;
    rt_file_opens(f, back, forth);
    rt_file_opens(peer, forth, back);
    forth->edges.out = back->edges.out = 1; /* now they can be written */
    if (f->is_inet)
        back->object = forth->object; /* a writer may acquire the reader's clock */
    while (*at)
        at = &(*at)->next;
    *at = peer;
    l->file->n_pending++;
    l->file->in->edges.in++;
    rt_clock_join(&t->clock, &l->file->in->taken);
    rt_clock_join(&l->file->in->sent, &t->clock);
    rt_clock_copy(&peer->dropped, &t->clock);
}

/* Refuses a connection because no socket listens. */
static bool refuse_connection(rt_fd_call *c)
{
    rt_file *f = c->file;
    const target *to = (const target *)c->a;
    c->goes_out = !to->inode && !rt_address_was_ours(f->socket, &to->address, to->size);
    c->result = -ECONNREFUSED;
    if (!c->goes_out && f->is_inet && f->nonblocking) {
        f->error = ECONNREFUSED;
        f->socket->is_connecting = true;
        c->result = -EINPROGRESS;
    }
    return true;
}

static bool attempt_connect(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file;
    rt_socket *s = f->socket;
    c->result = rt_file_is_socket(f) ? -EISCONN : -ENOTSOCK;
    if (s && s->is_connecting) {
        s->is_connecting = false;
        c->result = -f->error;
        f->error = 0;
        return true;
    }
    if (!s || f->type != RT_FILE_UNCONNECTED) {
        if (f->type == RT_FILE_LISTENER && !f->is_inet)
            c->result = -EINVAL;
        return true;
    }
    rt_socket *l = listener_of(c);
    if (!l)
        return refuse_connection(c);
    if (l->file->n_pending >= l->most) {
        c->b = f->is_inet && f->nonblocking; /* it would continue later */
        return rt_fd_gives_up(c);
    }
    join_listener(f, l, (const target *)c->a, t);
    s->is_connecting = f->is_inet && f->nonblocking;
    c->result = s->is_connecting ? -EINPROGRESS : 0;
    return true;
}

/* 1: the kernel must be asked. */
static long connect_ours(int fd, target *to, uint32_t site)
{
    if (rt_address_is_path(&to->address, to->size)) {
        char path[sizeof to->address.un.sun_path + 1] = {0};
        memcpy(path, to->address.un.sun_path, sizeof to->address.un.sun_path);
        long error = rt_overlay_socket_find(path, &to->inode);
        if (error != 0)
            return error;
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_CONNECT, fd, attempt_connect, site);
    rt_fd_closes(fd, site); /* the number then has another file */
    c.a = (uint64_t)to;
    c.is_ready = can_connect;
    rt_fd_do(&c, NULL, NULL);
    if (c.b && c.result == -EAGAIN)
        rt_refuse("connect that does not wait, to a socket with a full backlog", site);
    return c.goes_out ? 1 : c.result;
}

RT_API int __treadle_connect(int fd, const struct sockaddr *p, socklen_t size);
int __treadle_connect(int fd, const struct sockaddr *p, socklen_t size)
{
    if (!rt_fd_is_ours(fd)) {
        outside("connect");
        return connect(fd, p, size);
    }
    uint32_t site = rt_call_site();
    const rt_socket *s = socket_of(fd);
    target to = {.size = size};
    rt_sym_bytes_concrete(p, size, site, "connect");
    if (size >= sizeof p->sa_family && p->sa_family == AF_UNSPEC)
        rt_refuse("connect to AF_UNSPEC", site);
    long result = s ? rt_address_read(s, p, size, &to.address) : 0;
    if (result == 0)
        result = !s || is_inside(s, &to) ? connect_ours(fd, &to, site) : 1;
    if (result != 1 || !leave("connect", fd, site, &result))
        return (int)rt_fd_answer(result);
    return connect(fd, p, size);
}

/* ---- accept ---- */

static bool can_accept(const rt_fd_call *c)
{
    return c->file->pending || c->file->type != RT_FILE_LISTENER || c->file->in_ended;
}

static bool attempt_accept(rt_fd_call *c, rt_thread *t)
{
    rt_file *f = c->file, *got = f->pending;
    c->result = rt_file_is_socket(f) ? -EINVAL : -ENOTSOCK;
    if (f->type != RT_FILE_LISTENER || (!got && f->in_ended))
        return true;
    if (!got)
        return rt_fd_gives_up(c);
    c->result = c->fds[0] = rt_fd_put(got, 0, (c->a & SOCK_CLOEXEC) != 0);
    if (c->result < 0)
        return true;
    got->nonblocking = (c->a & SOCK_NONBLOCK) != 0;
    if (f->n_pending >= f->socket->most)
        rt_clock_join(&f->in->taken, &t->clock);
    f->pending = got->next;
    f->n_pending--;
    f->in->edges.out++;
    rt_clock_join(&t->clock, &got->dropped);
    return true;
}

static void tell_address(const rt_address *a, socklen_t n, void *out, socklen_t *size,
                         uint32_t site)
{
    rt_sym_bytes_concrete(size, sizeof *size, site, "an address of a socket");
    socklen_t room = *size;
    rt_address_tell(a, n, out, size);
    rt_sym_forget((uint64_t)out, room < n ? room : n);
    rt_sym_forget((uint64_t)size, sizeof *size);
}

RT_API int __treadle_accept4(int fd, struct sockaddr *out, socklen_t *size, int flags);
int __treadle_accept4(int fd, struct sockaddr *out, socklen_t *size, int flags)
{
    if (!rt_fd_is_ours(fd)) {
        outside_makes("accept");
        return accept4(fd, out, size, flags);
    }
    rt_fd_call c = call_of(WIRE_FD_CALL_ACCEPT, fd, attempt_accept, rt_call_site());
    if (flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK))
        return (int)rt_fd_answer(-EINVAL);
    rt_fd_uses(fd, c.site);
    c.a = (uint64_t)flags;
    c.is_ready = can_accept;
    long got = rt_fd_do(&c, NULL, NULL);
    const rt_socket *s = got >= 0 ? socket_of((int)got) : NULL;
    if (s && out && size)
        tell_address(&s->peer, s->peer_size, out, size, c.site);
    return (int)rt_fd_answer(got);
}

RT_API int __treadle_accept(int fd, struct sockaddr *out, socklen_t *size);
int __treadle_accept(int fd, struct sockaddr *out, socklen_t *size)
{
    return __treadle_accept4(fd, out, size, 0);
}

/* ---- names ---- */

static bool attempt_name(rt_fd_call *c, rt_thread *t)
{
    static const rt_address none = {.any.sa_family = AF_UNIX};
    const rt_socket *s = c->file->socket;
    target *to = (target *)c->b;
    (void)t;
    c->result = rt_file_is_socket(c->file) ? 0 : -ENOTSOCK;
    if (c->a && c->result == 0 && c->file->type != RT_FILE_SOCKET)
        c->result = -ENOTCONN;
    if (c->result < 0)
        return true;
    to->address = !s ? none : c->a ? s->peer : s->local;
    to->size = !s ? sizeof(sa_family_t) : c->a ? s->peer_size : s->local_size;
    return true;
}

static int name_of(int fd, bool of_peer, void *out, socklen_t *size)
{
    target to = {0};
    rt_fd_call c = call_of(WIRE_FD_CALL_CONTROL, fd, attempt_name, rt_call_site());
    if (!out || !size)
        return (int)rt_fd_answer(-EFAULT);
    c.a = of_peer;
    c.b = (uint64_t)&to;
    c.wants_socket = true;
    if (rt_fd_begin(&c, RT_FD_IN) && rt_fd_look(&c) >= 0)
        tell_address(&to.address, to.size, out, size, c.site);
    return (int)rt_fd_answer(c.result);
}

RT_API int __treadle_getsockname(int fd, struct sockaddr *out, socklen_t *size);
int __treadle_getsockname(int fd, struct sockaddr *out, socklen_t *size)
{
    if (!rt_fd_is_ours(fd))
        return getsockname(fd, out, size);
    return name_of(fd, false, out, size);
}

RT_API int __treadle_getpeername(int fd, struct sockaddr *out, socklen_t *size);
int __treadle_getpeername(int fd, struct sockaddr *out, socklen_t *size)
{
    if (!rt_fd_is_ours(fd))
        return getpeername(fd, out, size);
    return name_of(fd, true, out, size);
}
