/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/overlay.h - regular files as one run of the program sees them.
 *
 * Purpose     A run's changes of files are undone like its other effects. A file that is written,
 *             created, renamed or whose attributes change becomes a node: its bytes are a memory file
 *             of the kernel's, so that reading, writing, seeking, mapping and streams are the
 *             kernel's and the C library's. Files that are only read are the real ones.
 * Words       node: a file, directory or symbolic link of this run.  entry: a name in a directory, real or
 *             not, that leads to a node, or to nothing if it was removed. memory: the descriptor of a
 *             node's bytes. place: the target of a path.
 * Invariants  (O1) calls with a file name come here, also from the C library and from code of other
 *             compilers: a filter stops them (process/trap.c), and only
 *                  rt_sys_exempt passes it;
 *             (O2) no call that is handled here changes a file of the system. Other calls are passed
 *             on, and the process is not used again (rt_taint);
 *             (O3) the result of a call is determined by the earlier calls of the run, and by the
 *             real files: numbers of nodes and times are the same in every run;
 *             (O4) at the end of a run the descriptors, the working directory, the mask of modes
 *                  and the limits are what they were before.
 */
#pragma once

#include <sys/stat.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"

enum rt_inode_kind { RT_INODE_FILE, RT_INODE_DIRECTORY, RT_INODE_LINK, RT_INODE_SOCKET };

/* The identity of a directory or file that the program sees: a real one's, or numbers of our own. */
typedef struct rt_file_id {
    uint64_t dev, ino;
} rt_file_id;

typedef struct rt_inode {
    struct rt_inode *next;
    uint8_t kind; /* enum rt_inode_kind */
    int memory;
    uint64_t memory_ino; /* its number by fstat */
    rt_file_id id;
    uint32_t mode, uid, gid, links;
    int64_t time;     /* seconds */
    const char *text; /* target of a link */
    /* of a directory: its parent, a node */
    struct rt_inode *parent; /* or a real one: */
    int parent_fd;
} rt_inode;

typedef struct rt_entry {
    struct rt_entry *next;
    rt_file_id directory;
    rt_inode *node; /* NULL: removed */
    const char *name;
} rt_entry;

#define RT_PATH_BYTES 4096
#define RT_N_LIMITS 16

typedef struct rt_overlay {
    bool is_on;
    int first_memory;       /* descriptors of nodes are from here on */
    uint64_t memory_dev;    /* device of memory files by fstat */
    uint64_t most_fds;      /* limit that the program sees and has */
    int copies[RT_MAX_FDS]; /* copies of descriptors open before the first run, or -1 */
    int n_copies;           /* behind the highest of them */
    int directory;          /* the working directory */
    uint32_t mask;          /* mask of modes */

    /* State of the run: */
    rt_inode *nodes;
    rt_entry *entries;
    uint64_t n_nodes;
    uint32_t mask_now;
    const char *call;   /* name of the one under way */
    const char *called; /* function that the program has called last, and where */
    uint32_t called_at;
    const char *refused; /* what the call under way cannot do: the run ends */
    uint64_t listed;     /* entries returned by the last listing of a directory */
    bool has_fds;        /* descriptors may have changed */
    bool has_moved;      /* the working directory */
    uint32_t limits;     /* bits of those that were set */
    uint64_t limit_was[RT_N_LIMITS][2], limit_shown[RT_N_LIMITS][2];
} rt_overlay;

/* ---- overlay.c ---- */

/* A device that keeps nothing: /dev/null and the like. */
bool rt_is_stateless(const struct stat *st);
/* Returns the key of a descriptor's file, to find unordered users; 0: not a file. */
uint64_t rt_overlay_key(int fd);

rt_inode *rt_inode_new(enum rt_inode_kind kind, uint32_t mode, uint64_t dev);
rt_inode *rt_inode_of(rt_file_id id);
rt_inode *rt_inode_of_fd(int fd, struct stat *st);
/* The node of a real file, made of it if need be; its bytes too unless it is to be emptied. NULL: *error. */
rt_inode *rt_inode_of_real(int fd, const struct stat *st, bool is_emptied, long *error);
/* /proc/self/fd/FD */
void rt_fd_path(int fd, char out[32]);
/* A descriptor for the program. */
long rt_inode_open(const rt_inode *n, int flags);
bool rt_inode_permits(const rt_inode *n, int mode);
void rt_inode_stat(const rt_inode *n, struct stat *st);
rt_entry *rt_entry_of(rt_file_id directory, const char *name);
/* Self looks at a name, or at the bytes of a file, or changes them. */
void rt_entry_use(rt_file_id directory, const char *name, bool is_write);
void rt_file_use(rt_file_id id, bool is_write);
void rt_entry_set(rt_file_id directory, const char *name, rt_inode *node);
bool rt_entries_any(rt_file_id directory);

/* ---- filepath.c ---- */

enum rt_place_kind { RT_PLACE_NONE, RT_PLACE_REAL, RT_PLACE_NODE };

typedef struct rt_place {
    uint8_t kind;      /* enum rt_place_kind */
    rt_inode *node;    /* the node, if it is one */
    int fd;            /* for a real file: opened for its path alone; otherwise -1 */
    struct stat st;    /* its attributes */
    int parent;        /* the real directory it is in, opened likewise, or -1 */
    rt_file_id in;     /* that directory */
    rt_inode *in_node; /* or this one */
    bool has_name;     /* else the path ended in a directory: ".", "/" ... */
    char name[256];    /* in the directory */
} rt_place;

/* Finds what a path leads to: 0, or a negative error number. A place is closed afterwards in either case. */
long rt_place_find(int at, const char *path, bool follows, rt_place *out);
void rt_place_close(rt_place *p);

/* ---- filecall.c ---- */

/* A system call of the filter's list, and its result, unless it is refused. */
bool rt_file_call(long number, const long *a, long *result);
/* The list: numbers of calls that have to come here; how many. */
uint32_t rt_file_calls(const uint32_t **numbers);

/* ---- fileentry.c ---- */

/* A file of a socket is made, found: 0, a negative error number, or 1: it is one of the system. */
long rt_overlay_socket_make(const char *path, rt_inode **out);
long rt_overlay_socket_find(const char *path, rt_inode **out);

/* ---- filestat.c ---- */

long rt_file_stat(int at, const char *path, struct stat *out, int flags);
struct statx;
long rt_file_statx(int at, const char *path, int flags, unsigned mask, struct statx *out);
long rt_file_access(int at, const char *path, int mode, int flags);
long rt_file_list(int fd, void *out, uint64_t size);
