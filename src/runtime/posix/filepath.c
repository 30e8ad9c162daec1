/* SPDX-License-Identifier: Apache-2.0 */
/* What a path leads to, in the files of the run and in the real ones behind them. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/vfs.h>

#include "runtime/posix/overlay.h"
#include "runtime/core/sys.h"

#define OV (rt->overlay)
#define MOST_LINKS 16
#define PROC_MAGIC 0x9fa0

/* A directory: real, opened for its path alone, or a node. */
typedef struct where {
    int fd;
    bool is_own; /* the descriptor is to be closed */
    rt_inode *node;
    rt_file_id id;
} where;

static long open_path(int at, const char *name, int more)
{
    return rt_sys_exempt(SYS_openat, at, (long)name, O_PATH | O_CLOEXEC | more, 0, 0, 0);
}

static long stat_of(int fd, struct stat *st)
{
    return rt_sys_exempt(SYS_newfstatat, fd, (long)"", (long)st, AT_EMPTY_PATH, 0, 0);
}

static void leave(where *d)
{
    if (d->is_own)
        rt_sys(SYS_close, d->fd, 0, 0);
    *d = (where){.fd = -1};
}

static long go_real(where *d, const char *path)
{
    struct stat st;
    long fd = open_path(d->fd, *path ? path : ".", O_DIRECTORY);
    if (fd < 0)
        return fd;
    leave(d);
    stat_of((int)fd, &st);
    *d = (where){(int)fd, true, NULL, {st.st_dev, st.st_ino}};
    return 0;
}

static long go_root(where *d)
{
    leave(d);
    d->fd = AT_FDCWD;
    return go_real(d, "/");
}

static void go_node(where *d, rt_inode *n)
{
    leave(d);
    d->node = n;
    d->id = n->id;
}

static long go_up(where *d)
{
    rt_inode *n = d->node;
    if (!n)
        return go_real(d, "..");
    if (n->parent) {
        go_node(d, n->parent);
        return 0;
    }
    leave(d);
    d->fd = n->parent_fd;
    return go_real(d, ".");
}

static long walk(where *d, const char *path, int depth);

static long go_into(where *d, const char *name, int depth)
{
    const rt_entry *e = rt_entry_of(d->id, name);
    if (!e)
        return d->node ? -ENOENT : go_real(d, name);
    if (!e->node)
        return -ENOENT;
    if (e->node->kind == RT_INODE_LINK)
        return walk(d, e->node->text, depth + 1);
    if (e->node->kind != RT_INODE_DIRECTORY)
        return -ENOTDIR;
    go_node(d, e->node);
    return 0;
}

/* Component by component: some are of the run alone. */
static long walk(where *d, const char *path, int depth)
{
    char name[256];
    long error = depth > MOST_LINKS ? -ELOOP : 0;
    if (*path == '/' && error == 0)
        error = go_root(d);
    while (error == 0 && *path) {
        size_t n = strcspn(path, "/");
        if (n >= sizeof name)
            return -ENAMETOOLONG;
        memcpy(name, path, n);
        name[n] = 0;
        path += n;
        path += strspn(path, "/");
        if (strcmp(name, "..") == 0)
            error = go_up(d);
        else if (n > 0 && strcmp(name, ".") != 0)
            error = go_into(d, name, depth);
    }
    return error;
}

/* The kernel knows the way unless it leads over directories or links of the run. */
static long enter(where *d, const char *path, int depth)
{
    if (d->node && *path == 0)
        return 0;
    long error = d->node ? -ENOENT : go_real(d, path);
    if (error == 0 || !OV->entries)
        return error;
    if (!d->node && d->id.ino == 0 && *path != '/')
        error = go_real(d, ".");
    else
        error = 0;
    return error < 0 ? error : walk(d, path, depth);
}

/* ---- the last component ---- */

/* A path, cut in two: text has the way to the directory, *name the rest. False: it ends in a
 * directory by its form. */
static bool cut(char *text, const char **name, bool *is_directory)
{
    size_t n = strlen(text);
    while (n > 1 && text[n - 1] == '/') {
        text[--n] = 0;
        *is_directory = true;
    }
    char *last = strrchr(text, '/');
    const char *rest = last ? last + 1 : text;
    if (*rest == 0 || strcmp(rest, ".") == 0 || strcmp(rest, "..") == 0)
        return false;
    *name = rest;
    return true;
}

/* Links of /proc lead to what their text does not name. */
static bool is_magic(int fd)
{
    struct statfs fs;
    return rt_sys(SYS_fstatfs, fd, (long)&fs, 0) == 0 && fs.f_type == PROC_MAGIC;
}

static void be_real(rt_place *out, int fd)
{
    stat_of(fd, &out->st);
    rt_file_id id = {out->st.st_dev, out->st.st_ino};
    struct stat st;
    out->fd = fd;
    out->kind = RT_PLACE_REAL;
    out->node = S_ISREG(out->st.st_mode) ? rt_inode_of(id) : NULL;
    if (!out->node && out->st.st_dev == OV->memory_dev)
        out->node = rt_inode_of_fd(fd, &st);
    if (out->node)
        out->kind = RT_PLACE_NODE;
}

/* 1: text is a path to continue with. */
static long look_real(const where *d, bool follows, char *text, rt_place *out)
{
    long fd = open_path(d->fd, out->name, O_NOFOLLOW), n;
    if (fd == -ENOENT)
        return 0;
    if (fd < 0)
        return fd;
    be_real(out, (int)fd);
    if (!S_ISLNK(out->st.st_mode) || !follows)
        return 0;
    if (is_magic((int)fd)) {
        rt_sys(SYS_close, fd, 0, 0);
        out->fd = -1;
        fd = open_path(d->fd, out->name, 0);
        if (fd >= 0)
            be_real(out, (int)fd);
        return fd < 0 ? fd : 0;
    }
    n = rt_sys_exempt(SYS_readlinkat, fd, (long)"", (long)text, RT_PATH_BYTES - 1, 0, 0);
    rt_sys(SYS_close, fd, 0, 0);
    out->fd = -1;
    out->kind = RT_PLACE_NONE;
    if (n < 0)
        return n;
    text[n] = 0;
    return 1;
}

static long look(const where *d, bool follows, char *text, rt_place *out)
{
    const rt_entry *e = rt_entry_of(d->id, out->name);
    out->kind = RT_PLACE_NONE;
    if (!e)
        return d->node ? 0 : look_real(d, follows, text, out);
    if (!e->node)
        return 0;
    if (follows && e->node->kind == RT_INODE_LINK) {
        strcpy(text, e->node->text);
        return 1;
    }
    out->kind = RT_PLACE_NODE;
    out->node = e->node;
    return 0;
}

/* The path ended in a directory. */
static void be_directory(where *d, rt_place *out)
{
    out->has_name = false;
    if (d->node) {
        out->kind = RT_PLACE_NODE;
        out->node = d->node;
        return;
    }
    be_real(out, d->fd);
    d->is_own = false;
}

static void start_at(where *d, int at)
{
    struct stat st;
    rt_inode *n = at == AT_FDCWD ? NULL : rt_inode_of_fd(at, &st);
    *d = (where){.fd = at};
    if (n && n->kind == RT_INODE_DIRECTORY)
        go_node(d, n);
}

static long find(where *d, char *text, bool follows, rt_place *out)
{
    char way[RT_PATH_BYTES];
    for (int depth = 0; depth < MOST_LINKS; depth++) {
        const char *name = NULL;
        bool is_directory = false;
        bool has_name = cut(text, &name, &is_directory);
        size_t n = has_name ? (size_t)(name - text) : strlen(text);
        memcpy(way, text, n);
        way[n] = 0;
        long error = enter(d, way, depth);
        if (error < 0)
            return error;
        if (!has_name) {
            be_directory(d, out);
            return 0;
        }
        if (strlen(name) >= sizeof out->name)
            return -ENAMETOOLONG;
        strcpy(out->name, name);
        out->has_name = true;
        rt_entry_use(d->id, name, false);
        error = look(d, follows || is_directory, text, out);
        if (error <= 0)
            return error;
    }
    return -ELOOP;
}

long rt_place_find(int at, const char *path, bool follows, rt_place *out)
{
    char text[RT_PATH_BYTES];
    where d;
    *out = (rt_place){.fd = -1, .parent = -1};
    size_t n = strnlen(path, sizeof text);
    if (n == sizeof text)
        return -ENAMETOOLONG;
    if (n == 0)
        return -ENOENT;
    memcpy(text, path, n + 1);
    start_at(&d, at);
    long error = find(&d, text, follows, out);
    out->in = d.id;
    out->in_node = d.node;
    if (d.is_own)
        out->parent = d.fd;
    return error;
}

void rt_place_close(rt_place *p)
{
    if (p->fd >= 0)
        rt_sys(SYS_close, p->fd, 0, 0);
    if (p->parent >= 0)
        rt_sys(SYS_close, p->parent, 0, 0);
    p->fd = p->parent = -1;
}
