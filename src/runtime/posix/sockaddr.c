/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of sockets within the process. */
#include <errno.h>
#include <string.h>

#include "runtime/posix/socket.h"

#define FIRST_PORT 32768u
#define PATH_AT (offsetof(struct sockaddr_un, sun_path))

long rt_address_read(const rt_socket *s, const void *p, socklen_t size, rt_address *out)
{
    if (size > sizeof *out || size < sizeof(sa_family_t))
        return -EINVAL;
    memset(out, 0, sizeof *out);
    memcpy(out, p, size);
    if (s->domain == AF_INET && size < sizeof out->in)
        return -EINVAL;
    if (out->any.sa_family != s->domain)
        return s->domain == AF_INET ? -EAFNOSUPPORT : -EINVAL;
    return 0;
}

void rt_address_tell(const rt_address *a, socklen_t size, void *out, socklen_t *out_size)
{
    memcpy(out, a, *out_size < size ? *out_size : size);
    *out_size = size;
}

bool rt_address_is_path(const rt_address *a, socklen_t size)
{
    return a->any.sa_family == AF_UNIX && size > PATH_AT && a->un.sun_path[0];
}

bool rt_address_is_all(const rt_address *a)
{
    return a->any.sa_family == AF_INET && a->in.sin_addr.s_addr == htonl(INADDR_ANY);
}

bool rt_address_is_loopback(const rt_address *a)
{
    return a->any.sa_family == AF_INET && ntohl(a->in.sin_addr.s_addr) >> 24 == 127;
}

/* Calls with this address mean that socket. */
static bool means(const rt_socket *s, const rt_address *a, socklen_t size,
                  const struct rt_inode *inode)
{
    if (s->domain != a->any.sa_family)
        return false;
    if (s->domain == AF_UNIX && (inode || s->inode))
        return inode == s->inode;
    if (s->domain == AF_UNIX)
        return size == s->local_size && memcmp(a, &s->local, size) == 0;
    return a->in.sin_port == s->local.in.sin_port &&
           (a->in.sin_addr.s_addr == s->local.in.sin_addr.s_addr ||
            rt_address_is_all(a) || rt_address_is_all(&s->local));
}

rt_socket *rt_address_find(const rt_socket *from, const rt_address *a, socklen_t size,
                           const struct rt_inode *inode, bool listens)
{
    for (rt_socket *s = rt_fd_numbers()->bound; s; s = s->next)
        if (s != from && s->file->refs > 0 && means(s, a, size, inode) &&
            (!listens || (s->file->type == RT_FILE_LISTENER && !s->file->in_ended)))
            return s;
    return NULL;
}

bool rt_address_was_ours(const rt_socket *from, const rt_address *a, socklen_t size)
{
    for (const rt_socket *s = rt_fd_numbers()->bound; s; s = s->next)
        if (s != from && means(s, a, size, NULL))
            return true;
    return false;
}

static void make_name(rt_socket *s, uint32_t n)
{
    static const char digits[] = "0123456789abcdef";
    s->local.un.sun_family = AF_UNIX;
    for (uint32_t i = 0; i < 5; i++)
        s->local.un.sun_path[1 + i] = digits[n >> (16 - 4 * i) & 15];
    s->local_size = PATH_AT + 6;
}

void rt_address_make_up(rt_socket *s)
{
    do {
        uint32_t n = rt_fd_numbers()->n_names++;
        if (s->domain == AF_UNIX) {
            make_name(s, n & 0xfffff);
        } else {
            s->local.in.sin_family = AF_INET;
            s->local.in.sin_port = htons((uint16_t)(FIRST_PORT + n % FIRST_PORT));
            s->local_size = sizeof s->local.in;
        }
    } while (rt_address_find(s, &s->local, s->local_size, NULL, false));
}
