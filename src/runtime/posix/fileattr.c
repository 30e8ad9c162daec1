/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of files; what belongs to the process: directory, mask, limits. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/posix/filecall.h"

#define OV (rt->overlay)

/* ---- attributes ---- */

typedef void change_fn(rt_inode *n, const long *values);

static void change_mode(rt_inode *n, const long *values)
{
    n->mode = (uint32_t)values[0] & 07777;
}

static void change_owner(rt_inode *n, const long *values)
{
    if ((uint32_t)values[0] != UINT32_MAX)
        n->uid = (uint32_t)values[0];
    if ((uint32_t)values[1] != UINT32_MAX)
        n->gid = (uint32_t)values[1];
}

/* Times that are asked for are kept; what the clock would give is not. */
static void change_time(rt_inode *n, const long *values)
{
    const struct timespec *times = (const struct timespec *)values[0];
    if (times && times[1].tv_nsec != UTIME_NOW && times[1].tv_nsec != UTIME_OMIT)
        n->time = times[1].tv_sec;
}

static void change_size(rt_inode *n, const long *values)
{
    rt_sys(SYS_ftruncate, n->memory, values[0], 0);
}

static long call_change(const filecall *c, int at, long path, bool follows,
                        change_fn *change, const long *values)
{
    rt_place p;
    long error = rt_place_find(at, (const char *)path, follows, &p);
    if (error == 0 && p.kind == RT_PLACE_REAL && change == change_size)
        error = S_ISREG(p.st.st_mode) ? rt_place_may(p.fd, W_OK) : -EINVAL;
    if (error == 0)
        error = rt_place_be_node(&p);
    if (error == 0) {
        rt_file_use(p.node->id, true);
        change(p.node, values);
    }
    rt_place_close(&p);
    return error == 1 ? rt_filecall_pass_out(c) : error;
}

/* The same of an open file: a real one becomes a node, and its descriptors go there. */
static long call_change_fd(const filecall *c, int fd, change_fn *change,
                           const long *values)
{
    struct stat st;
    long error = 0;
    rt_inode *n = rt_inode_of_fd(fd, &st);
    if (!n && rt_overlay_has(fd) &&
        rt_sys_exempt(SYS_newfstatat, fd, (long)"", (long)&st, AT_EMPTY_PATH, 0, 0) ==
            0 &&
        S_ISREG(st.st_mode))
        n = rt_inode_of_real(fd, &st, false, &error);
    if (!n)
        return error < 0 ? error : rt_filecall_pass_out(c);
    rt_file_use(n->id, true);
    change(n, values);
    return 0;
}

long rt_filecall_chmod(const filecall *c, int at, long path, const long *mode)
{
    return call_change(c, at, path, true, change_mode, mode);
}

long rt_filecall_chown(const filecall *c, int at, long path, bool follows,
                       const long *owner)
{
    return call_change(c, at, path, follows, change_owner, owner);
}

long rt_filecall_fchmodat(const filecall *c)
{
    return rt_filecall_chmod(c, (int)c->a[0], c->a[1], &c->a[2]);
}

long rt_filecall_fchmod(const filecall *c)
{
    return call_change_fd(c, (int)c->a[0], change_mode, &c->a[1]);
}

long rt_filecall_fchownat(const filecall *c)
{
    bool follows = !(c->a[4] & AT_SYMLINK_NOFOLLOW);
    return rt_filecall_chown(c, (int)c->a[0], c->a[1], follows, &c->a[2]);
}

long rt_filecall_fchown(const filecall *c)
{
    return call_change_fd(c, (int)c->a[0], change_owner, &c->a[1]);
}

long rt_filecall_utimensat(const filecall *c)
{
    if (!c->a[1])
        return call_change_fd(c, (int)c->a[0], change_time, &c->a[2]);
    bool follows = !(c->a[3] & AT_SYMLINK_NOFOLLOW);
    return call_change(c, (int)c->a[0], c->a[1], follows, change_time, &c->a[2]);
}

long rt_filecall_truncate(const filecall *c)
{
    if (c->a[1] < 0)
        return -EINVAL;
    return call_change(c, AT_FDCWD, c->a[0], true, change_size, &c->a[1]);
}

/* ---- the process ---- */

/* The run ends, and the call does not come back. */
static long refuse(const char *what)
{
    OV->refused = what;
    return -ENOSYS;
}

long rt_filecall_chdir(const filecall *c)
{
    rt_place p;
    long error = rt_place_find(AT_FDCWD, (const char *)c->a[0], true, &p);
    rt_place_close(&p);
    if (error < 0)
        return error;
    if (p.kind == RT_PLACE_NONE)
        return -ENOENT;
    if (p.kind == RT_PLACE_NODE && p.node->kind != RT_INODE_DIRECTORY)
        return -ENOTDIR;
    if (p.kind == RT_PLACE_NODE)
        return refuse("chdir to a directory that the run has made");
    OV->has_moved = true;
    return rt_filecall_pass(c);
}

long rt_filecall_fchdir(const filecall *c)
{
    struct stat st;
    if (rt_inode_of_fd((int)c->a[0], &st))
        return refuse("fchdir to a directory that the run has made");
    OV->has_moved = true;
    return rt_filecall_pass(c);
}

long rt_filecall_umask(const filecall *c)
{
    OV->mask_now = (uint32_t)c->a[0] & 0777;
    return rt_filecall_pass(c);
}

/* Hard limits are the program's belief only: they could not be put back. */
static long call_limit(long resource, const uint64_t *new, uint64_t *old)
{
    uint64_t now[2], set[2];
    if (resource < 0 || resource >= RT_N_LIMITS)
        return -EINVAL;
    uint32_t bit = 1u << resource;
    rt_sys_exempt(SYS_prlimit64, 0, resource, 0, (long)now, 0, 0);
    if (resource == RLIMIT_NOFILE && !(OV->limits & bit))
        now[0] = OV->most_fds;
    if (!(OV->limits & bit)) {
        memcpy(OV->limit_was[resource], now, sizeof now);
        memcpy(OV->limit_shown[resource], now, sizeof now);
    }
    uint64_t *shown = OV->limit_shown[resource];
    if (new && (new[0] > new[1] || new[1] > OV->limit_was[resource][1]))
        return new[0] > new[1] ? -EINVAL : -EPERM;
    if (old)
        memcpy(old, shown, sizeof now);
    if (!new)
        return 0;
    OV->limits |= bit;
    memcpy(shown, new, sizeof now);
    set[0] = new[0];
    set[1] = now[1];
    if (resource == RLIMIT_NOFILE)
        return 0;
    return rt_sys_exempt(SYS_prlimit64, 0, resource, (long)set, 0, 0, 0);
}

long rt_filecall_prlimit(const filecall *c)
{
    if (c->a[0] != 0 && c->a[0] != RT_PROCESS_ID)
        return c->a[2] ? rt_filecall_pass_out(c) : rt_filecall_pass(c);
    return call_limit(c->a[1], (const uint64_t *)c->a[2], (uint64_t *)c->a[3]);
}

long rt_filecall_setrlimit(const filecall *c)
{
    return call_limit(c->a[0], (const uint64_t *)c->a[1], NULL);
}

long rt_filecall_getrlimit(const filecall *c)
{
    return call_limit(c->a[0], NULL, (uint64_t *)c->a[1]);
}

/* The C library calls this for names of temporary files. */
long rt_filecall_getrandom(const filecall *c)
{
    uint8_t *out = (uint8_t *)c->a[0];
    for (long i = 0; i < c->a[1]; i++)
        out[i] = (uint8_t)(rt_random(&rt->self->random) >> 40);
    return c->a[1];
}
