/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that name files, as the run sees them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/posix/filecall.h"
#include "runtime/posix/shares.h"

#define OV (rt->overlay)

/* By the kernel, as the program asked for it. */
long rt_filecall_pass(const filecall *c)
{
    const long *a = c->a;
    return rt_sys_exempt(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Likewise, and the run cannot be undone. */
long rt_filecall_pass_out(const filecall *c)
{
    rt_taint(OV->call, rt->last_call);
    return rt_filecall_pass(c);
}

/* The program never has one of ours, nor more than it may. */
static long given(long fd)
{
    OV->has_fds = true;
    if (fd < 0 || (uint64_t)fd < OV->most_fds) {
        rt_share_opens((int)fd);
        return fd;
    }
    rt_sys(SYS_close, fd, 0, 0);
    return -EMFILE;
}

/* ---- open ---- */

typedef struct opening {
    int at;
    const char *path;
    int flags;
    uint32_t mode;
} opening;

static bool writes(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
}

static long open_made(const rt_place *p, const opening *o, rt_inode **node)
{
    long error = rt_place_may_change(p);
    if (!(o->flags & O_CREAT))
        return -ENOENT;
    if (error < 0)
        return error;
    *node = rt_place_make(p, RT_INODE_FILE, o->mode);
    return *node ? 0 : -ENFILE;
}

static long open_node(const rt_inode *n, const opening *o)
{
    int want = (o->flags & O_ACCMODE) == O_RDONLY   ? R_OK
               : (o->flags & O_ACCMODE) == O_WRONLY ? W_OK
                                                    : R_OK | W_OK;
    if ((o->flags & O_CREAT) && (o->flags & O_EXCL))
        return -EEXIST;
    if (n->kind == RT_INODE_LINK || n->kind == RT_INODE_SOCKET)
        return n->kind == RT_INODE_LINK ? -ELOOP : -ENXIO;
    if (n->kind == RT_INODE_DIRECTORY && (writes(o->flags) || (o->flags & O_CREAT)))
        return -EISDIR;
    if (n->kind != RT_INODE_DIRECTORY && (o->flags & O_DIRECTORY))
        return -ENOTDIR;
    return rt_inode_permits(n, want) ? 0 : -EACCES;
}

/* 1: the kernel opens it; 2: and that cannot be undone. */
static long open_real(const rt_place *p, const opening *o, rt_inode **node)
{
    uint32_t type = p->st.st_mode & S_IFMT;
    long error = 0;
    if ((o->flags & O_CREAT) && (o->flags & O_EXCL))
        return -EEXIST;
    if (type == S_IFDIR || rt_is_stateless(&p->st) || (o->flags & O_PATH))
        return 1;
    if (type != S_IFREG)
        return type == S_IFLNK ? 1 : 2;
    if (!writes(o->flags))
        return 1;
    error = rt_place_may(p->fd, (o->flags & O_ACCMODE) == O_WRONLY ? W_OK : R_OK | W_OK);
    if (error == 0)
        *node = rt_inode_of_real(p->fd, &p->st, (o->flags & O_TRUNC) != 0, &error);
    return error;
}

/* A file without a name. */
static long open_unnamed(const opening *o)
{
    rt_place p;
    rt_inode *n = NULL;
    long error = rt_place_find(o->at, o->path, true, &p);
    if (error == 0 && p.kind != RT_PLACE_NONE) {
        p.has_name = false;
        n = rt_place_make(&p, RT_INODE_FILE, o->mode);
        error = n ? 0 : -ENFILE;
    }
    rt_place_close(&p);
    if (n)
        n->links = 0;
    return !n ? (error < 0 ? error : -ENOENT)
              : given(rt_inode_open(n, o->flags & ~(O_TMPFILE | O_EXCL)));
}

static long do_open(const filecall *c, const opening *o)
{
    rt_place p;
    rt_inode *n = NULL;
    if ((o->flags & O_TMPFILE) == O_TMPFILE)
        return open_unnamed(o);
    bool is_new = (o->flags & O_CREAT) && (o->flags & O_EXCL);
    bool follows = !(o->flags & O_NOFOLLOW) && !is_new;
    long how = rt_place_find(o->at, o->path, follows, &p);
    if (how == 0 && p.kind == RT_PLACE_NONE)
        how = open_made(&p, o, &n);
    else if (how == 0 && p.kind == RT_PLACE_NODE)
        how = open_node(n = p.node, o);
    else if (how == 0)
        how = open_real(&p, o, &n);
    if (how >= 0 && p.kind == RT_PLACE_REAL && S_ISREG(p.st.st_mode))
        rt_file_use((rt_file_id){p.st.st_dev, p.st.st_ino}, writes(o->flags));
    else if (how >= 0 && n && (o->flags & O_TRUNC))
        rt_file_use(n->id, true);
    rt_place_close(&p); /* the number is to be the lowest that is free */
    if (how < 0)
        return how;
    if (how == 2)
        return rt_filecall_pass_out(c);
    return given(how == 1 ? rt_filecall_pass(c) : rt_inode_open(n, o->flags));
}

static long call_open(const filecall *c, int at, long path, long flags, long mode)
{
    opening o = {at, (const char *)path, (int)flags, (uint32_t)mode};
    bool is_plain = !writes(o.flags) && !(o.flags & (O_CREAT | O_TMPFILE));
    OV->has_fds = true;
    /* Nothing was changed yet: but a device or pipe has to be known. */
    if (is_plain && (o.flags & (O_DIRECTORY | O_PATH)) && !OV->entries && !OV->nodes)
        return given(rt_filecall_pass(c));
    return do_open(c, &o);
}

static long on_openat(const filecall *c)
{
    return call_open(c, (int)c->a[0], c->a[1], c->a[2], c->a[3]);
}

static long on_openat2(const filecall *c)
{
    const struct open_how *how = (const struct open_how *)c->a[2];
    if (how->resolve)
        return -ENOSYS;
    return call_open(c, (int)c->a[0], c->a[1], (long)how->flags, (long)how->mode);
}

/* ---- looking ---- */

static long on_newfstatat(const filecall *c)
{
    return rt_file_stat((int)c->a[0], (const char *)c->a[1], (struct stat *)c->a[2],
                        (int)c->a[3]);
}

static long on_fstat(const filecall *c)
{
    return rt_file_stat((int)c->a[0], "", (struct stat *)c->a[1], AT_EMPTY_PATH);
}

static long on_statx(const filecall *c)
{
    return rt_file_statx((int)c->a[0], (const char *)c->a[1], (int)c->a[2],
                         (unsigned)c->a[3], (struct statx *)c->a[4]);
}

static long on_faccessat(const filecall *c)
{
    int flags = c->number == SYS_faccessat2 ? (int)c->a[3] : 0;
    return rt_file_access((int)c->a[0], (const char *)c->a[1], (int)c->a[2], flags);
}

static long on_getdents(const filecall *c)
{
    return rt_file_list((int)c->a[0], (void *)c->a[1], (uint64_t)c->a[2]);
}

/* ---- calls that only some processors have ---- */

#if defined(SYS_open)
static long on_open(const filecall *c)
{
    return call_open(c, AT_FDCWD, c->a[0], c->a[1], c->a[2]);
}

static long on_creat(const filecall *c)
{
    return call_open(c, AT_FDCWD, c->a[0], O_CREAT | O_WRONLY | O_TRUNC, c->a[1]);
}

static long on_unlink(const filecall *c)
{
    return rt_filecall_unlink(c, AT_FDCWD, c->a[0],
                              c->number == SYS_rmdir ? AT_REMOVEDIR : 0);
}

static long on_rename(const filecall *c)
{
    return rt_filecall_rename(c, AT_FDCWD, c->a[0], AT_FDCWD, c->a[1], 0);
}

static long on_link(const filecall *c)
{
    return rt_filecall_link(c, AT_FDCWD, c->a[0], AT_FDCWD, c->a[1], 0);
}

static long on_mkdir(const filecall *c)
{
    return rt_filecall_make(AT_FDCWD, c->a[0], RT_INODE_DIRECTORY, (uint32_t)c->a[1],
                            NULL);
}

static long on_symlink(const filecall *c)
{
    return rt_filecall_make(AT_FDCWD, c->a[1], RT_INODE_LINK, 0777,
                            (const char *)c->a[0]);
}

static long on_readlink(const filecall *c)
{
    return rt_filecall_readlink(c, AT_FDCWD, c->a[0], c->a[1], c->a[2]);
}

static long on_chmod(const filecall *c)
{
    return rt_filecall_chmod(c, AT_FDCWD, c->a[0], &c->a[1]);
}

static long on_chown(const filecall *c)
{
    return rt_filecall_chown(c, AT_FDCWD, c->a[0], c->number == SYS_chown, &c->a[1]);
}

static long on_stat(const filecall *c)
{
    return rt_file_stat(AT_FDCWD, (const char *)c->a[0], (struct stat *)c->a[1],
                        c->number == SYS_lstat ? AT_SYMLINK_NOFOLLOW : 0);
}

static long on_access(const filecall *c)
{
    return rt_file_access(AT_FDCWD, (const char *)c->a[0], (int)c->a[1], 0);
}
/* clang-format off */
#define OLD_CALLS(X)                                                                    \
    X(open, on_open) X(creat, on_creat) X(unlink, on_unlink) X(rmdir, on_unlink)        \
    X(rename, on_rename) X(renameat, rt_filecall_renameat) X(link, on_link)             \
    X(mkdir, on_mkdir) X(symlink, on_symlink) X(readlink, on_readlink)                  \
    X(chmod, on_chmod) X(chown, on_chown) X(lchown, on_chown) X(stat, on_stat)          \
    X(lstat, on_stat) X(access, on_access) X(mknod, rt_filecall_pass_out)
#else
#define OLD_CALLS(X)
#endif

#define CALLS(X)                                                                        \
    X(openat, on_openat) X(openat2, on_openat2) X(unlinkat, rt_filecall_unlinkat)       \
    X(renameat2, rt_filecall_renameat) X(linkat, rt_filecall_linkat)                    \
    X(mkdirat, rt_filecall_mkdirat) X(symlinkat, rt_filecall_symlinkat)                 \
    X(readlinkat, rt_filecall_readlinkat) X(fchmodat, rt_filecall_fchmodat)             \
    X(fchmod, rt_filecall_fchmod) X(fchownat, rt_filecall_fchownat)                     \
    X(fchown, rt_filecall_fchown) X(utimensat, rt_filecall_utimensat)                   \
    X(truncate, rt_filecall_truncate) X(chdir, rt_filecall_chdir)                       \
    X(fchdir, rt_filecall_fchdir) X(umask, rt_filecall_umask)                           \
    X(prlimit64, rt_filecall_prlimit) X(setrlimit, rt_filecall_setrlimit)               \
    X(getrlimit, rt_filecall_getrlimit) X(getrandom, rt_filecall_getrandom)             \
    X(newfstatat, on_newfstatat) X(fstat, on_fstat) X(statx, on_statx)                  \
    X(faccessat, on_faccessat) X(faccessat2, on_faccessat) X(getdents64, on_getdents)   \
    X(mknodat, rt_filecall_pass_out) OLD_CALLS(X)
/* clang-format on */

static const struct {
    long number;
    const char *name;
    long (*function)(const filecall *c);
} calls[] = {
#define X(name, function) {SYS_##name, #name, function},
    CALLS(X)
#undef X
};

uint32_t rt_file_calls(const uint32_t **numbers)
{
    static const uint32_t list[] = {
#define X(name, function) SYS_##name,
        CALLS(X)
#undef X
    };
    *numbers = list;
    return sizeof list / sizeof list[0];
}

/* As programs call it. */
static const char *said(const char *name)
{
    if (strncmp(name, "faccessat", 9) == 0)
        return "access";
    return strcmp(name, "newfstatat") == 0 ? "stat" : name;
}

bool rt_file_call(long number, const long *a, long *result)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number != number)
            continue;
        filecall c = {number, a};
        bool is_known = OV->called && OV->called_at == rt->last_call;
        OV->call = is_known ? OV->called : said(calls[i].name);
        *result = rt_on() && rt->self && OV->is_on ? calls[i].function(&c)
                                                   : rt_filecall_pass(&c);
        return true;
    }
    return false;
}
