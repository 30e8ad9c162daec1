/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/filecall.h - system calls that name files, one function each; shared by their sources. */
#pragma once

#include "runtime/posix/overlay.h"

/* A call under way. */
typedef struct filecall {
    long number;
    const long *a;
} filecall;

/* ---- filecall.c ---- */

/* By the kernel, as the program asked for it; likewise, and the run cannot be undone. */
long rt_filecall_pass(const filecall *c);
long rt_filecall_pass_out(const filecall *c);

/* ---- fileentry.c ---- */

/* What is opened for its path alone may be read, written (R_OK, W_OK). */
long rt_place_may(int fd, int mode);
/* Names in the directory of a place may be changed. */
long rt_place_may_change(const rt_place *p);
/* A new node there. */
rt_inode *rt_place_make(const rt_place *p, enum rt_inode_kind kind, uint32_t mode);
/* Makes a node of the place if it is a regular file; returns 1 if it is not. */
long rt_place_be_node(rt_place *p);
long rt_filecall_unlink(const filecall *c, int at, long path, long flags);
long rt_filecall_rename(const filecall *c, int from_at, long from, int to_at, long to,
                        long flags);
long rt_filecall_link(const filecall *c, int from_at, long from, int to_at, long to,
                      long flags);
long rt_filecall_make(int at, long path, enum rt_inode_kind kind, uint32_t mode,
                      const char *text);
long rt_filecall_readlink(const filecall *c, int at, long path, long out, long size);
long rt_filecall_unlinkat(const filecall *c);
long rt_filecall_renameat(const filecall *c);
long rt_filecall_linkat(const filecall *c);
long rt_filecall_mkdirat(const filecall *c);
long rt_filecall_symlinkat(const filecall *c);
long rt_filecall_readlinkat(const filecall *c);

/* ---- fileattr.c ---- */

long rt_filecall_chmod(const filecall *c, int at, long path, const long *mode);
long rt_filecall_chown(const filecall *c, int at, long path, bool follows,
                       const long *owner);
long rt_filecall_fchmodat(const filecall *c);
long rt_filecall_fchmod(const filecall *c);
long rt_filecall_fchownat(const filecall *c);
long rt_filecall_fchown(const filecall *c);
long rt_filecall_utimensat(const filecall *c);
long rt_filecall_truncate(const filecall *c);
long rt_filecall_chdir(const filecall *c);
long rt_filecall_fchdir(const filecall *c);
long rt_filecall_umask(const filecall *c);
long rt_filecall_prlimit(const filecall *c);
long rt_filecall_setrlimit(const filecall *c);
long rt_filecall_getrlimit(const filecall *c);
long rt_filecall_getrandom(const filecall *c);
