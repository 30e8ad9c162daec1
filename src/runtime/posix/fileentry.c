/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files are made, changed and removed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/posix/filecall.h"

#define OV (rt->overlay)

/* ---- places ---- */

long rt_place_may(int fd, int mode)
{
    return rt_sys_exempt(SYS_faccessat2, fd, (long)"", mode, AT_EMPTY_PATH | AT_EACCESS,
                         0, 0);
}

/* Names in the directory of a place may be changed. */
long rt_place_may_change(const rt_place *p)
{
    return p->in_node || p->parent < 0 ? 0 : rt_place_may(p->parent, W_OK | X_OK);
}

rt_inode *rt_place_make(const rt_place *p, enum rt_inode_kind kind, uint32_t mode)
{
    rt_inode *n = rt_inode_new(kind, mode & ~OV->mask_now & 07777, p->in.dev);
    if (!n)
        return NULL;
    if (p->has_name)
        rt_entry_set(p->in, p->name, n);
    n->parent = p->in_node;
    n->parent_fd = -1;
    if (kind == RT_INODE_DIRECTORY && p->parent >= 0)
        n->parent_fd =
            (int)rt_sys(SYS_fcntl, p->parent, F_DUPFD_CLOEXEC, OV->first_memory);
    return n;
}

/* Makes a node of the place if it is a regular file; returns 1 if it is not. */
long rt_place_be_node(rt_place *p)
{
    long error = 0;
    if (p->kind == RT_PLACE_NONE)
        return -ENOENT;
    if (p->kind == RT_PLACE_NODE)
        return 0;
    if (!S_ISREG(p->st.st_mode))
        return 1;
    p->node = rt_inode_of_real(p->fd, &p->st, false, &error);
    p->kind = RT_PLACE_NODE;
    return error;
}

static bool is_directory(const rt_place *p)
{
    return p->kind == RT_PLACE_NODE ? p->node->kind == RT_INODE_DIRECTORY
                                    : p->kind == RT_PLACE_REAL && S_ISDIR(p->st.st_mode);
}

static bool is_empty(rt_file_id directory)
{
    for (const rt_entry *e = OV->entries; e; e = e->next)
        if (e->node && e->directory.ino == directory.ino &&
            e->directory.dev == directory.dev)
            return false;
    return true;
}

/* ---- names ---- */

/* 1: by the kernel. */
static long remove_place(rt_place *p, bool wants_directory)
{
    if (p->kind == RT_PLACE_NONE)
        return -ENOENT;
    if (wants_directory != is_directory(p))
        return wants_directory ? -ENOTDIR : -EISDIR;
    if (!p->has_name)
        return wants_directory ? -EINVAL : -EISDIR;
    if (p->kind == RT_PLACE_REAL && wants_directory)
        return 1;
    if (wants_directory && !is_empty(p->node->id))
        return -ENOTEMPTY;
    long error = rt_place_may_change(p);
    if (error == 0 && p->kind == RT_PLACE_NODE && p->node->links > 0)
        p->node->links -= wants_directory ? 2 : 1;
    if (error == 0)
        rt_entry_set(p->in, p->name, NULL);
    return error;
}

long rt_filecall_unlink(const filecall *c, int at, long path, long flags)
{
    rt_place p;
    long error = rt_place_find(at, (const char *)path, false, &p);
    if (error == 0)
        error = remove_place(&p, (flags & AT_REMOVEDIR) != 0);
    rt_place_close(&p);
    return error == 1 ? rt_filecall_pass_out(c) : error;
}

long rt_filecall_unlinkat(const filecall *c)
{
    return rt_filecall_unlink(c, (int)c->a[0], c->a[1], c->a[2]);
}

/* What is there already. */
static long make_way(const rt_place *from, const rt_place *to, unsigned flags)
{
    if (to->kind == RT_PLACE_NONE)
        return flags & RENAME_EXCHANGE ? -ENOENT : 0;
    if (flags & RENAME_NOREPLACE)
        return -EEXIST;
    if (is_directory(from) != is_directory(to) && !(flags & RENAME_EXCHANGE))
        return is_directory(to) ? -EISDIR : -ENOTDIR;
    if (is_directory(to) && !(flags & RENAME_EXCHANGE) && !is_empty(to->node->id))
        return -ENOTEMPTY;
    return 0;
}

/* 1: by the kernel. */
static long move(rt_place *from, rt_place *to, unsigned flags)
{
    long error;
    if (!from->has_name || !to->has_name)
        return -EBUSY;
    if (from->kind == RT_PLACE_NONE)
        return -ENOENT;
    if (to->kind == RT_PLACE_REAL && is_directory(to))
        return 1;
    error = rt_place_may_change(from);
    error = error < 0 ? error : rt_place_may_change(to);
    error = error < 0 ? error : make_way(from, to, flags);
    error = error < 0 ? error : rt_place_be_node(from);
    if (error == 0 && to->kind != RT_PLACE_NONE && (flags & RENAME_EXCHANGE))
        error = rt_place_be_node(to);
    if (error != 0 || from->node == to->node)
        return error;
    if (to->kind == RT_PLACE_NODE && !(flags & RENAME_EXCHANGE) && to->node->links > 0)
        to->node->links--;
    rt_entry_set(from->in, from->name, flags & RENAME_EXCHANGE ? to->node : NULL);
    rt_entry_set(to->in, to->name, from->node);
    if (from->node->kind == RT_INODE_DIRECTORY) {
        from->node->parent = to->in_node;
        from->node->parent_fd =
            to->parent < 0
                ? -1
                : (int)rt_sys(SYS_fcntl, to->parent, F_DUPFD_CLOEXEC, OV->first_memory);
    }
    return 0;
}

long rt_filecall_rename(const filecall *c, int from_at, long from, int to_at, long to,
                        long flags)
{
    rt_place a, b = {.fd = -1, .parent = -1};
    long error = rt_place_find(from_at, (const char *)from, false, &a);
    if (error == 0)
        error = rt_place_find(to_at, (const char *)to, false, &b);
    if (error == 0)
        error = move(&a, &b, (unsigned)flags);
    rt_place_close(&a);
    rt_place_close(&b);
    return error == 1 ? rt_filecall_pass_out(c) : error;
}

long rt_filecall_renameat(const filecall *c)
{
    long flags = c->number == SYS_renameat2 ? c->a[4] : 0;
    return rt_filecall_rename(c, (int)c->a[0], c->a[1], (int)c->a[2], c->a[3], flags);
}

long rt_filecall_link(const filecall *c, int from_at, long from, int to_at, long to,
                      long flags)
{
    rt_place a, b = {.fd = -1, .parent = -1};
    if ((flags & AT_EMPTY_PATH) && *(const char *)from == 0)
        return rt_filecall_pass_out(c);
    long error =
        rt_place_find(from_at, (const char *)from, (flags & AT_SYMLINK_FOLLOW) != 0, &a);
    if (error == 0)
        error = rt_place_find(to_at, (const char *)to, false, &b);
    if (error == 0 && b.kind != RT_PLACE_NONE)
        error = -EEXIST;
    if (error == 0 && is_directory(&a))
        error = -EPERM;
    error = error < 0 ? error : rt_place_may_change(&b);
    error = error < 0 ? error : rt_place_be_node(&a);
    if (error == 0) {
        a.node->links++;
        rt_entry_set(b.in, b.name, a.node);
    }
    rt_place_close(&a);
    rt_place_close(&b);
    return error == 1 ? rt_filecall_pass_out(c) : error;
}

long rt_filecall_linkat(const filecall *c)
{
    return rt_filecall_link(c, (int)c->a[0], c->a[1], (int)c->a[2], c->a[3], c->a[4]);
}

/* A new directory or link. */
long rt_filecall_make(int at, long path, enum rt_inode_kind kind, uint32_t mode,
                      const char *text)
{
    rt_place p;
    long error = rt_place_find(at, (const char *)path, false, &p);
    if (error == 0 && p.kind != RT_PLACE_NONE)
        error = -EEXIST;
    if (error == 0)
        error = rt_place_may_change(&p);
    rt_inode *n = error == 0 ? rt_place_make(&p, kind, mode) : NULL;
    if (error == 0 && !n)
        error = -ENFILE;
    rt_place_close(&p);
    if (n && text) {
        size_t size = strnlen(text, RT_PATH_BYTES - 1) + 1;
        n->text = memcpy(rt_bump(size), text, size - 1);
        n->mode = 0777;
    }
    return error;
}

long rt_filecall_mkdirat(const filecall *c)
{
    return rt_filecall_make((int)c->a[0], c->a[1], RT_INODE_DIRECTORY, (uint32_t)c->a[2],
                            NULL);
}

long rt_filecall_symlinkat(const filecall *c)
{
    return rt_filecall_make((int)c->a[1], c->a[2], RT_INODE_LINK, 0777,
                            (const char *)c->a[0]);
}

long rt_filecall_readlink(const filecall *c, int at, long path, long out, long size)
{
    rt_place p;
    if (*(const char *)path == 0)
        return rt_filecall_pass(c);
    long error = rt_place_find(at, (const char *)path, false, &p);
    rt_place_close(&p);
    if (error < 0)
        return error;
    if (p.kind == RT_PLACE_REAL)
        return rt_filecall_pass(c);
    if (p.kind == RT_PLACE_NONE)
        return -ENOENT;
    if (p.node->kind != RT_INODE_LINK || size <= 0)
        return -EINVAL;
    long n = (long)strlen(p.node->text);
    n = n < size ? n : size;
    memcpy((void *)out, p.node->text, (size_t)n);
    return n;
}

long rt_filecall_readlinkat(const filecall *c)
{
    return rt_filecall_readlink(c, (int)c->a[0], c->a[1], c->a[2], c->a[3]);
}

/* ---- sockets ---- */

long rt_overlay_socket_make(const char *path, rt_inode **out)
{
    rt_place p;
    OV->call = "bind";
    long error = rt_place_find(AT_FDCWD, path, true, &p);
    if (error == 0 && p.kind != RT_PLACE_NONE)
        error = -EADDRINUSE;
    if (error == 0)
        error = rt_place_may_change(&p);
    *out = error == 0 ? rt_place_make(&p, RT_INODE_SOCKET, 0777) : NULL;
    rt_place_close(&p);
    return error == 0 && !*out ? -ENFILE : error;
}

long rt_overlay_socket_find(const char *path, rt_inode **out)
{
    rt_place p;
    OV->call = "connect";
    long error = rt_place_find(AT_FDCWD, path, true, &p);
    rt_place_close(&p);
    if (error < 0)
        return error;
    if (p.kind == RT_PLACE_NONE)
        return -ENOENT;
    if (p.kind == RT_PLACE_REAL)
        return S_ISSOCK(p.st.st_mode) ? 1 : -ECONNREFUSED;
    *out = p.node;
    if (!rt_inode_permits(p.node, W_OK))
        return -EACCES;
    return p.node->kind == RT_INODE_SOCKET ? 0 : -ECONNREFUSED;
}
