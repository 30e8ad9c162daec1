/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a run: nodes and their bytes, entries; descriptors that are put back. */
#include "runtime/posix/overlay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/posix/shares.h"

#define OV (rt->overlay)
#define FIRST_NODE 1024 /* descriptor of a node, if the limits allow */
#define MOST_NODES 3072 /* with bytes, at once */
#define FIRST_INO (UINT64_C(1) << 40)
#define NULL_DEVICE 0x103
#define ZERO_DEVICE 0x105
#define FULL_DEVICE 0x107
#define RANDOM_DEVICE 0x108
#define URANDOM_DEVICE 0x109
#define FILE_TIME INT64_C(1000000000)

static long exempt(long number, long a, long b, long c, long d)
{
    return rt_sys_exempt(number, a, b, c, d, 0, 0);
}

static long stat_of(int fd, struct stat *st)
{
    return exempt(SYS_newfstatat, fd, (long)"", (long)st, AT_EMPTY_PATH);
}

/* ---- the process ---- */

/* Room for nodes behind the descriptors that the program can have. */
static bool make_room(void)
{
    uint64_t limit[2], more[2];
    if (rt_sys6(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)limit, 0, 0) != 0)
        return false;
    OV->most_fds = limit[0];
    OV->first_memory =
        limit[0] > FIRST_NODE || limit[1] > FIRST_NODE ? FIRST_NODE : RT_MAX_FDS + 60;
    more[0] = (uint64_t)OV->first_memory + MOST_NODES;
    more[0] = more[0] < limit[1] ? more[0] : limit[1];
    more[1] = limit[1];
    if (more[0] > limit[0])
        rt_sys6(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)more, 0, 0, 0);
    else
        more[0] = limit[0];
    if (OV->most_fds > RT_MAX_FDS)
        OV->most_fds = RT_MAX_FDS;
    return more[0] > (uint64_t)OV->first_memory + 8;
}

/* The table of descriptors grows now, see rt_fd_prepare. */
static bool learn_device(void)
{
    long low = rt_sys(SYS_memfd_create, (long)"treadle", MFD_CLOEXEC, 0);
    long high = rt_sys(SYS_fcntl, low, F_DUPFD_CLOEXEC, OV->first_memory + 1000);
    struct stat st;
    bool done = low >= 0 && stat_of((int)low, &st) == 0;
    rt_sys(SYS_close, low, 0, 0);
    if (high >= 0)
        rt_sys(SYS_close, high, 0, 0);
    OV->memory_dev = done ? st.st_dev : 0;
    return done;
}

static int out_of_the_way(int fd)
{
    return (int)rt_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RT_MAX_FDS);
}

/* Descriptors below RT_MAX_FDS that are open: one system call. */
static void find_open(struct pollfd *fds)
{
    for (int i = 0; i < RT_MAX_FDS; i++)
        fds[i] = (struct pollfd){.fd = i};
#if defined(SYS_poll)
    rt_sys(SYS_poll, (long)fds, RT_MAX_FDS, 0);
#else
    uint64_t now[2] = {0, 0};
    rt_sys6(SYS_ppoll, (long)fds, RT_MAX_FDS, (long)now, 0, 0, 0);
#endif
}

static void keep_fds(void)
{
    struct pollfd fds[RT_MAX_FDS];
    find_open(fds);
    for (int i = 0; i < RT_MAX_FDS; i++) {
        bool is_open = !(fds[i].revents & POLLNVAL);
        OV->copies[i] = is_open ? out_of_the_way(i) : -1;
        OV->n_copies = is_open ? i + 1 : OV->n_copies;
    }
}

static void reset(void)
{
    OV->nodes = NULL;
    OV->entries = NULL;
    OV->n_nodes = 0;
    OV->called = OV->refused = NULL;
    OV->mask_now = OV->mask;
    OV->has_fds = OV->has_moved = false;
    OV->limits = 0;
}

void rt_overlay_prepare(void)
{
    if (!OV)
        OV = rt_saved_alloc(sizeof *OV);
    *OV = (rt_overlay){0};
    if (rt->shm->keep_files || !make_room() || !learn_device())
        return;
    long here = exempt(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_CLOEXEC, 0);
    OV->directory = here < 0 ? -1 : out_of_the_way((int)here);
    rt_sys(SYS_close, here, 0, 0);
    OV->mask = (uint32_t)exempt(SYS_umask, 0, 0, 0, 0);
    exempt(SYS_umask, OV->mask, 0, 0, 0);
    keep_fds();
    OV->is_on = true;
    reset();
}

/* ---- undoing ---- */

static void close_all(int first, int last)
{
    if (first <= last)
        rt_sys(SYS_close_range, first, last, 0);
}

static void undo_fds(void)
{
    int from = 0;
    for (int i = 0; i < OV->n_copies; i++) {
        if (OV->copies[i] < 0)
            continue;
        close_all(from, i - 1);
        rt_sys(SYS_dup3, OV->copies[i], i, 0);
        from = i + 1;
    }
    close_all(from, RT_MAX_FDS - 1);
    close_all(OV->first_memory, INT32_MAX);
}

static void undo_limits(void)
{
    for (uint32_t i = 0; i < RT_N_LIMITS; i++)
        if (OV->limits & (1u << i) && i != RLIMIT_NOFILE)
            rt_sys_exempt(SYS_prlimit64, 0, i, (long)OV->limit_was[i], 0, 0, 0);
}

bool rt_overlay_undo(void)
{
    if (!OV->is_on)
        return false;
    if (OV->has_fds)
        undo_fds();
    if (OV->has_moved)
        exempt(SYS_fchdir, OV->directory, 0, 0, 0);
    if (OV->mask_now != OV->mask)
        exempt(SYS_umask, OV->mask, 0, 0, 0);
    if (OV->limits)
        undo_limits();
    reset();
    return true;
}

void rt_overlay_moves(void)
{
    OV->has_fds = true;
}

bool rt_is_stateless(const struct stat *st)
{
    uint64_t dev = st->st_rdev;
    return S_ISCHR(st->st_mode) &&
           (dev == NULL_DEVICE || dev == ZERO_DEVICE || dev == FULL_DEVICE ||
            dev == RANDOM_DEVICE || dev == URANDOM_DEVICE);
}

/* One from before the first run is shared with others, and its position is not put back. */
bool rt_overlay_has(int fd)
{
    struct stat st, was;
    if (!OV->is_on || fd < 0 || stat_of(fd, &st) != 0)
        return OV->is_on;
    for (int i = 0; S_ISREG(st.st_mode) && i < OV->n_copies; i++)
        if (OV->copies[i] >= 0 && stat_of(OV->copies[i], &was) == 0 &&
            was.st_dev == st.st_dev && was.st_ino == st.st_ino)
            return false;
    return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || rt_is_stateless(&st);
}

/* Functions of WIRE_FILES whose first argument is a descriptor. */
static bool is_by_fd(const char *name)
{
    static const char *const names[] = {"ftruncate", "lseek", "pread", "pwrite", "read"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool rt_overlay_takes(const char *name, uint64_t first, uint32_t site)
{
    if (!OV->is_on || (is_by_fd(name) && !rt_overlay_has((int)first)))
        return false;
    OV->called = name;
    OV->called_at = site;
    return true;
}

static uint64_t key_of(rt_file_id id, uint64_t kind)
{
    return kind << 62 | (((id.dev << 40) ^ id.ino) & (UINT64_MAX >> 2));
}

void rt_file_use(rt_file_id id, bool is_write)
{
    if (!rt_is_only_thread())
        rt_share_use(key_of(id, 3), is_write, OV->call, "file", rt->last_call);
}

uint64_t rt_overlay_key(int fd)
{
    struct stat st;
    if (!OV->is_on || stat_of(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    const rt_inode *n = rt_inode_of_fd(fd, &st);
    return key_of(n ? n->id : (rt_file_id){st.st_dev, st.st_ino}, 3);
}

/* ---- nodes ---- */

static int make_memory(void)
{
    long low = rt_sys(SYS_memfd_create, (long)"treadle", MFD_CLOEXEC, 0);
    long high = rt_sys(SYS_fcntl, low, F_DUPFD_CLOEXEC, OV->first_memory);
    rt_sys(SYS_close, low, 0, 0);
    return (int)high;
}

rt_inode *rt_inode_new(enum rt_inode_kind kind, uint32_t mode, uint64_t dev)
{
    rt_inode *n = rt_bump(sizeof *n);
    struct stat st;
    OV->has_fds = true;
    n->kind = (uint8_t)kind;
    n->memory = kind == RT_INODE_LINK ? -1 : make_memory();
    if (kind != RT_INODE_LINK && (n->memory < 0 || stat_of(n->memory, &st) != 0))
        return NULL;
    n->memory_ino = kind == RT_INODE_LINK ? 0 : st.st_ino;
    n->id = (rt_file_id){dev, FIRST_INO + OV->n_nodes++};
    n->mode = mode;
    n->links = kind == RT_INODE_DIRECTORY ? 2 : 1;
    n->uid = (uint32_t)rt_sys(SYS_geteuid, 0, 0, 0);
    n->gid = (uint32_t)rt_sys(SYS_getegid, 0, 0, 0);
    n->time = FILE_TIME;
    n->next = OV->nodes;
    return OV->nodes = n;
}

rt_inode *rt_inode_of(rt_file_id id)
{
    for (rt_inode *n = OV->nodes; n; n = n->next)
        if (n->id.dev == id.dev && n->id.ino == id.ino)
            return n;
    return NULL;
}

rt_inode *rt_inode_of_fd(int fd, struct stat *st)
{
    if (!OV->nodes || stat_of(fd, st) != 0 || st->st_dev != OV->memory_dev)
        return NULL;
    for (rt_inode *n = OV->nodes; n; n = n->next)
        if (n->memory_ino == st->st_ino)
            return n;
    return NULL;
}

/* Descriptors that the file was opened with for reading follow it to the node. */
static void lead_here(const rt_inode *n, rt_file_id real)
{
    struct pollfd fds[RT_MAX_FDS];
    find_open(fds);
    for (int i = 0; i < RT_MAX_FDS; i++) {
        struct stat st;
        if ((fds[i].revents & POLLNVAL) || stat_of(i, &st) != 0 ||
            st.st_dev != real.dev || st.st_ino != real.ino ||
            (i < OV->n_copies && OV->copies[i] >= 0))
            continue;
        long flags = rt_sys(SYS_fcntl, i, F_GETFL, 0);
        long at = rt_sys(SYS_lseek, i, 0, SEEK_CUR);
        long to = flags & O_PATH ? -EBADF : rt_inode_open(n, (int)flags);
        if (to < 0)
            continue;
        rt_sys(SYS_lseek, to, at, SEEK_SET);
        rt_sys(SYS_dup3, to, i, rt_sys(SYS_fcntl, i, F_GETFD, 0) ? O_CLOEXEC : 0);
        rt_sys(SYS_close, to, 0, 0);
    }
}

static long copy_bytes(int to, int from)
{
    char path[32];
    long got = 1;
    rt_fd_path(from, path);
    long fd = exempt(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
    while (fd >= 0 && got > 0)
        got = rt_sys6(SYS_sendfile, to, fd, 0, 1 << 30, 0, 0);
    rt_sys(SYS_close, fd, 0, 0);
    return fd < 0 ? fd : got;
}

rt_inode *rt_inode_of_real(int fd, const struct stat *st, bool is_emptied, long *error)
{
    rt_file_id id = {st->st_dev, st->st_ino};
    rt_inode *n = rt_inode_of(id);
    if (n)
        return n;
    n = rt_inode_new(RT_INODE_FILE, st->st_mode & 07777, st->st_dev);
    *error = n ? 0 : -ENFILE;
    if (n && !is_emptied)
        *error = copy_bytes(n->memory, fd);
    if (*error < 0)
        return NULL;
    n->id = id;
    n->uid = st->st_uid;
    n->gid = st->st_gid;
    n->links = (uint32_t)st->st_nlink;
    n->time = st->st_mtim.tv_sec;
    lead_here(n, id);
    return n;
}

/* Memory files can be opened by name there. */
void rt_fd_path(int fd, char out[32])
{
    static const char before[] = "/proc/self/fd/";
    char digits[12];
    size_t n = sizeof before - 1, k = 0;
    memcpy(out, before, n);
    do
        digits[k++] = (char)('0' + fd % 10);
    while ((fd /= 10) > 0);
    while (k > 0)
        out[n++] = digits[--k];
    out[n] = 0;
}

long rt_inode_open(const rt_inode *n, int flags)
{
    char path[32];
    if (n->memory < 0)
        return -ELOOP;
    rt_fd_path(n->memory, path);
    OV->has_fds = true;
    flags &= ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECTORY | O_DIRECT);
    return exempt(SYS_openat, AT_FDCWD, (long)path, flags, 0);
}

bool rt_inode_permits(const rt_inode *n, int mode)
{
    uint32_t uid = (uint32_t)rt_sys(SYS_geteuid, 0, 0, 0);
    uint32_t bits = n->uid == uid ? n->mode >> 6 : n->mode;
    if (uid == 0)
        return !(mode & X_OK) || n->kind == RT_INODE_DIRECTORY || (n->mode & 0111);
    return (bits & 7 & (uint32_t)mode) == (uint32_t)mode;
}

void rt_inode_stat(const rt_inode *n, struct stat *st)
{
    static const uint32_t kinds[] = {S_IFREG, S_IFDIR, S_IFLNK, S_IFSOCK};
    struct timespec changed = {n->time, 0};
    memset(st, 0, sizeof *st);
    if (n->memory >= 0)
        stat_of(n->memory, st);
    st->st_dev = n->id.dev;
    st->st_ino = n->id.ino;
    st->st_mode = kinds[n->kind] | n->mode;
    st->st_nlink = n->links;
    st->st_uid = n->uid;
    st->st_gid = n->gid;
    st->st_blksize = 4096;
    st->st_atim = st->st_mtim = st->st_ctim = changed;
    if (n->kind == RT_INODE_LINK)
        st->st_size = (off_t)strlen(n->text);
}

/* ---- entries ---- */

void rt_entry_use(rt_file_id directory, const char *name, bool is_write)
{
    uint64_t hash = directory.dev ^ directory.ino;
    if (rt_is_only_thread())
        return;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    rt_file_id id = {0, hash};
    rt_share_use(key_of(id, 1), is_write, OV->call, "name", rt->last_call);
}

rt_entry *rt_entry_of(rt_file_id directory, const char *name)
{
    for (rt_entry *e = OV->entries; e; e = e->next)
        if (e->directory.ino == directory.ino && e->directory.dev == directory.dev &&
            strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

bool rt_entries_any(rt_file_id directory)
{
    for (const rt_entry *e = OV->entries; e; e = e->next)
        if (e->directory.ino == directory.ino && e->directory.dev == directory.dev)
            return true;
    return false;
}

void rt_entry_set(rt_file_id directory, const char *name, rt_inode *node)
{
    rt_entry *e = rt_entry_of(directory, name);
    rt_entry_use(directory, name, true);
    if (!e) {
        char *copy = rt_bump(strlen(name) + 1);
        strcpy(copy, name);
        e = rt_bump(sizeof *e);
        *e = (rt_entry){OV->entries, directory, NULL, copy};
        OV->entries = e;
    }
    e->node = node;
}
