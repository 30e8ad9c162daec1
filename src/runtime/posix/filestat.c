/* SPDX-License-Identifier: Apache-2.0 */
/* What programs see of files: attributes, and the entries of directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runtime/posix/overlay.h"
#include "runtime/posix/shares.h"
#include "runtime/core/sys.h"

#define OV (rt->overlay)

static long real_stat(int at, const char *path, struct stat *out, int flags)
{
    return rt_sys_exempt(SYS_newfstatat, at, (long)path, (long)out, flags, 0, 0);
}

/* Finds the node that a call of this kind refers to. 0: found, or there is none and the kernel handles it. */
static long find_node(int at, const char *path, int flags, rt_inode **node)
{
    rt_place p;
    struct stat st;
    *node = NULL;
    if (!OV->entries && !OV->nodes && rt_is_only_thread())
        return 0;
    if (*path == 0 && (flags & AT_EMPTY_PATH)) {
        *node = rt_inode_of_fd(at, &st);
        if (rt_overlay_key(at))
            rt_share_use(rt_overlay_key(at), false, OV->call, "file", rt->last_call);
        return 0;
    }
    long error = rt_place_find(at, path, !(flags & AT_SYMLINK_NOFOLLOW), &p);
    if (error == 0 && p.kind == RT_PLACE_NODE)
        rt_file_use(p.node->id, false);
    else if (error == 0 && p.kind == RT_PLACE_REAL)
        rt_file_use((rt_file_id){p.st.st_dev, p.st.st_ino}, false);
    rt_place_close(&p);
    if (error == 0 && p.kind == RT_PLACE_NONE)
        error = -ENOENT;
    if (p.kind == RT_PLACE_NODE)
        *node = p.node;
    return error;
}

long rt_file_stat(int at, const char *path, struct stat *out, int flags)
{
    rt_inode *n;
    long error = find_node(at, path, flags, &n);
    if (error < 0)
        return error;
    if (!n)
        return real_stat(at, path, out, flags);
    rt_inode_stat(n, out);
    return 0;
}

static struct statx_timestamp time_of(const struct timespec *t)
{
    return (struct statx_timestamp){.tv_sec = t->tv_sec, .tv_nsec = (uint32_t)t->tv_nsec};
}

/* The parts of a device number, as the kernel has them. */
static uint32_t major_of(uint64_t dev)
{
    return (uint32_t)((dev >> 8 & 0xfff) | (dev >> 32 & ~UINT64_C(0xfff)));
}

static uint32_t minor_of(uint64_t dev)
{
    return (uint32_t)((dev & 0xff) | (dev >> 12 & ~UINT64_C(0xff)));
}

long rt_file_statx(int at, const char *path, int flags, unsigned mask, struct statx *out)
{
    rt_inode *n;
    struct stat st;
    long error = find_node(at, path, flags, &n);
    if (error < 0)
        return error;
    if (!n)
        return rt_sys_exempt(SYS_statx, at, (long)path, flags, mask, (long)out, 0);
    rt_inode_stat(n, &st);
    *out = (struct statx){.stx_mask = STATX_BASIC_STATS,
                          .stx_blksize = (uint32_t)st.st_blksize,
                          .stx_nlink = (uint32_t)st.st_nlink,
                          .stx_uid = st.st_uid,
                          .stx_gid = st.st_gid,
                          .stx_mode = (uint16_t)st.st_mode,
                          .stx_ino = st.st_ino,
                          .stx_size = (uint64_t)st.st_size,
                          .stx_blocks = (uint64_t)st.st_blocks,
                          .stx_atime = time_of(&st.st_atim),
                          .stx_mtime = time_of(&st.st_mtim),
                          .stx_ctime = time_of(&st.st_ctim),
                          .stx_dev_major = major_of(st.st_dev),
                          .stx_dev_minor = minor_of(st.st_dev)};
    return 0;
}

long rt_file_access(int at, const char *path, int mode, int flags)
{
    rt_inode *n;
    long error = find_node(at, path, flags, &n);
    if (error < 0)
        return error;
    if (!n)
        return rt_sys_exempt(SYS_faccessat2, at, (long)path, mode, flags, 0, 0);
    return rt_inode_permits(n, mode) ? 0 : -EACCES;
}

/* ---- what is in a directory ---- */

typedef struct listed {
    uint64_t ino;
    int64_t next;
    uint16_t size;
    uint8_t type;
    char name[];
} listed;

#define NAME_AT offsetof(listed, name)

/* Entries of the run are behind those of the real directory, at positions of their own. */
#define OURS_AT (INT64_C(1) << 50)

/* Leaves out names that the run has an entry for. */
static long without_ours(rt_file_id directory, uint8_t *at, long size)
{
    long kept = 0;
    for (long i = 0; i < size;) {
        const listed *d = (const listed *)(at + i);
        uint16_t n = d->size;
        if (!rt_entry_of(directory, d->name)) {
            memmove(at + kept, at + i, n);
            kept += n;
        }
        i += n;
    }
    return kept;
}

/* Writes one entry; returns 0 if there is no space. */
static uint64_t put(uint8_t *at, uint64_t room, const rt_entry *e, int64_t next)
{
    static const uint8_t types[] = {DT_REG, DT_DIR, DT_LNK, DT_SOCK};
    uint64_t size = (NAME_AT + strlen(e->name) + 1 + 7) & ~UINT64_C(7);
    listed *d = (listed *)at;
    if (size > room)
        return 0;
    memset(at, 0, size);
    d->ino = e->node->id.ino;
    d->next = next;
    d->size = (uint16_t)size;
    d->type = types[e->node->kind];
    strcpy(d->name, e->name);
    return size;
}

/* From the i-th entry of the run on. */
static long list_ours(rt_file_id directory, uint64_t i, int fd, uint8_t *out,
                      uint64_t size)
{
    uint64_t k = 0, used = 0;
    for (const rt_entry *e = OV->entries; e; e = e->next) {
        if (!e->node || e->directory.ino != directory.ino ||
            e->directory.dev != directory.dev || k++ < i)
            continue;
        uint64_t n = put(out + used, size - used, e, OURS_AT + (int64_t)k);
        if (n == 0)
            return used > 0 ? (long)used : -EINVAL;
        used += n;
        OV->listed = k;
    }
    (void)fd;
    return (long)used;
}

static long list_real(int fd, rt_file_id directory, uint8_t *out, uint64_t size)
{
    long n = 0, got = 1;
    if (rt_sys(SYS_lseek, fd, 0, SEEK_CUR) == 0)
        OV->listed = 0;
    while (n == 0 && got > 0) {
        got = rt_sys_exempt(SYS_getdents64, fd, (long)out, (long)size, 0, 0, 0);
        n = got > 0 ? without_ours(directory, out, got) : got;
    }
    return n != 0 ? n : list_ours(directory, OV->listed, fd, out, size);
}

/* The bytes of a directory of the run are as many as names were listed. */
static long list_node(int fd, const rt_inode *n, uint8_t *out, uint64_t size)
{
    uint64_t at = (uint64_t)rt_sys(SYS_lseek, fd, 0, SEEK_CUR);
    OV->listed = at;
    long got = list_ours(n->id, at, fd, out, size);
    if (got > 0)
        rt_sys(SYS_lseek, fd, (long)OV->listed, SEEK_SET);
    return got;
}

long rt_file_list(int fd, void *out, uint64_t size)
{
    struct stat st;
    const rt_inode *n = rt_inode_of_fd(fd, &st);
    if (n)
        return n->kind == RT_INODE_DIRECTORY ? list_node(fd, n, out, size) : -ENOTDIR;
    rt_file_id id = {0};
    if (OV->entries && real_stat(fd, "", &st, AT_EMPTY_PATH) == 0)
        id = (rt_file_id){st.st_dev, st.st_ino};
    if (!OV->entries || !rt_entries_any(id))
        return rt_sys_exempt(SYS_getdents64, fd, (long)out, (long)size, 0, 0, 0);
    return list_real(fd, id, out, size);
}
