/* SPDX-License-Identifier: Apache-2.0 */
/* Options of sockets within the process. Most concern how bytes travel, which is not observable here: they
 * are stored and returned. */
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/socket.h"
#include "runtime/symbolic/values.h"

#define BUFFER_BYTES 212992
#define SEGMENT_BYTES 32741

static bool is_kept(int level, int name)
{
    static const int socket[] = {SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE, SO_SNDBUF,
                                 SO_RCVBUF,    SO_PRIORITY,  SO_BROADCAST, SO_DONTROUTE,
                                 SO_OOBINLINE, SO_PASSCRED};
    static const int tcp[] = {TCP_NODELAY,  TCP_CORK,         TCP_QUICKACK,
                              TCP_KEEPIDLE, TCP_KEEPINTVL,    TCP_KEEPCNT,
                              TCP_MAXSEG,   TCP_DEFER_ACCEPT, TCP_USER_TIMEOUT,
                              TCP_LINGER2,  TCP_SYNCNT,       TCP_FASTOPEN};
    bool is_tcp = level == IPPROTO_TCP;
    const int *names = is_tcp ? tcp : socket;
    size_t n = is_tcp ? sizeof tcp / sizeof *tcp : sizeof socket / sizeof *socket;
    for (size_t i = 0; (is_tcp || level == SOL_SOCKET) && i < n; i++)
        if (names[i] == name)
            return true;
    return false;
}

/* These change what calls do, unless they are off. */
static bool is_off(int level, int name, const void *value, socklen_t size)
{
    static const uint8_t zero[16];
    bool is_known = level == SOL_SOCKET &&
                    (name == SO_LINGER || name == SO_RCVTIMEO || name == SO_SNDTIMEO);
    return is_known && size <= sizeof zero && memcmp(value, zero, size) == 0;
}

static rt_socket_option *option_of(rt_socket *s, int level, int name)
{
    for (uint32_t i = 0; i < s->n_options; i++)
        if (s->options[i].level == level && s->options[i].name == name)
            return &s->options[i];
    return NULL;
}

/* ---- set ---- */

static bool attempt_set(rt_fd_call *c, rt_thread *t)
{
    rt_socket *s = c->file->socket;
    const rt_socket_option *wanted = (const rt_socket_option *)c->a;
    (void)t;
    c->result = rt_file_is_socket(c->file) ? 0 : -ENOTSOCK;
    if (!s || c->result < 0)
        return true;
    rt_socket_option *o = option_of(s, wanted->level, wanted->name);
    if (!o && s->n_options == RT_MOST_OPTIONS)
        c->result = -ENOBUFS;
    else
        *(o ? o : &s->options[s->n_options++]) = *wanted;
    if (wanted->level == SOL_SOCKET && wanted->name == SO_REUSEADDR)
        s->reuses = *(const int *)wanted->value != 0;
    return true;
}

RT_API int __treadle_setsockopt(int fd, int level, int name, const void *value,
                                socklen_t size);
int __treadle_setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
    if (!rt_fd_is_ours(fd)) {
        if (rt_on())
            rt_changed();
        return setsockopt(fd, level, name, value, size);
    }
    uint32_t site = rt_call_site();
    rt_socket_option o = {level, name, {0}, sizeof(int)};
    if (!value)
        return (int)rt_fd_answer(-EFAULT);
    rt_sym_bytes_concrete(value, size, site, "setsockopt");
    if (!is_kept(level, name) && !is_off(level, name, value, size))
        rt_refuse("setsockopt with an option that is not known", site);
    if (is_kept(level, name) && size < sizeof(int))
        return (int)rt_fd_answer(-EINVAL);
    memcpy(o.value, value, size < sizeof o.value ? size : sizeof o.value);
    rt_fd_call c = {.what = WIRE_FD_CALL_CONTROL,
                    .fd = fd,
                    .site = site,
                    .attempt = attempt_set,
                    .wants_socket = true,
                    .a = (uint64_t)&o};
    if (rt_fd_begin(&c, RT_FD_IN))
        rt_fd_do(&c, NULL, NULL);
    return (int)rt_fd_answer(c.result);
}

void rt_socket_options_pass(const rt_socket *s, int fd)
{
    for (uint32_t i = 0; i < s->n_options; i++)
        setsockopt(fd, s->options[i].level, s->options[i].name, s->options[i].value,
                   s->options[i].size);
}

/* ---- get ---- */

static int plain_value(const rt_file *f, int name)
{
    switch (name) {
    case SO_TYPE:
        return SOCK_STREAM;
    case SO_DOMAIN:
        return f->socket ? f->socket->domain : AF_UNIX;
    case SO_PROTOCOL:
        return f->is_inet ? IPPROTO_TCP : 0;
    case SO_ACCEPTCONN:
        return f->type == RT_FILE_LISTENER;
    case SO_SNDBUF:
    case SO_RCVBUF:
        return BUFFER_BYTES;
    default:
        return 0;
    }
}

static bool attempt_get(rt_fd_call *c, rt_thread *t)
{
    rt_socket_option *o = (rt_socket_option *)c->a;
    rt_file *f = c->file;
    c->result = rt_file_is_socket(f) ? 0 : -ENOTSOCK;
    if (c->result < 0)
        return true;
    const rt_socket_option *kept =
        f->socket ? option_of(f->socket, o->level, o->name) : NULL;
    int value = kept                     ? *(const int *)kept->value
                : o->level == SOL_SOCKET ? plain_value(f, o->name)
                : o->name == TCP_MAXSEG  ? SEGMENT_BYTES
                                         : 0;
    if (o->level == SOL_SOCKET && o->name == SO_ERROR) {
        bool is_reset = f->type == RT_FILE_SOCKET && f->in->is_reset;
        value = is_reset ? ECONNRESET : f->error;
        f->error = 0;
        if (is_reset)
            f->in->is_reset = false;
        f->is_gone |= is_reset;
        if (f->in)
            rt_clock_join(&t->clock, &f->in->sent);
    }
    memcpy(o->value, &value, sizeof value);
    return true;
}

static bool can_be_read(int level, int name)
{
    return is_kept(level, name) ||
           (level == SOL_SOCKET &&
            (name == SO_TYPE || name == SO_DOMAIN || name == SO_PROTOCOL ||
             name == SO_ACCEPTCONN || name == SO_ERROR || name == SO_PEERCRED));
}

static int tell(const void *from, socklen_t n, void *value, socklen_t *size)
{
    *size = *size < n ? *size : n;
    memcpy(value, from, *size);
    rt_sym_forget((uint64_t)value, *size);
    rt_sym_forget((uint64_t)size, sizeof *size);
    return 0;
}

RT_API int __treadle_getsockopt(int fd, int level, int name, void *value,
                                socklen_t *size);
int __treadle_getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
    if (!rt_fd_is_ours(fd))
        return getsockopt(fd, level, name, value, size);
    uint32_t site = rt_call_site();
    rt_socket_option o = {level, name, {0}, sizeof(int)};
    if (!value || !size)
        return (int)rt_fd_answer(-EFAULT);
    if (!can_be_read(level, name))
        rt_refuse("getsockopt with an option that is not known", site);
    rt_sym_bytes_concrete(size, sizeof *size, site, "getsockopt");
    rt_fd_call c = {.what = WIRE_FD_CALL_CONTROL,
                    .fd = fd,
                    .site = site,
                    .attempt = attempt_get,
                    .wants_socket = true,
                    .a = (uint64_t)&o};
    if (!rt_fd_begin(&c, RT_FD_IN) || rt_fd_do(&c, NULL, NULL) < 0)
        return (int)rt_fd_answer(c.result);
    struct ucred who = {RT_PROCESS_ID, geteuid(), getegid()};
    if (level == SOL_SOCKET && name == SO_PEERCRED)
        return tell(&who, sizeof who, value, size);
    return tell(o.value, sizeof(int), value, size);
}
