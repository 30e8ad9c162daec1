/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/shares.h - streams, files and names that threads use: their order matters, and is not explored. */
#pragma once

#include "runtime/core/core.h"

/* The uses of one. */
typedef struct rt_share {
    struct rt_share *next;
    uint64_t key;
    rt_clock reads, writes;
    uint64_t variables[2]; /* variables that a memory stream was opened with, or 0 */
    /* for a stream, once it is known: */
    bool is_known, is_reader;
    uint64_t file; /* key of its file, or 0 */
} rt_share;

/* The key of a number: no stream has that address. */
#define RT_SHARE_FD(fd) (UINT64_C(1) << 32 | (uint64_t)(fd) << 1 | 1)

rt_share *rt_share_of(uint64_t key); /* made if need be */
bool rt_share_is_known(uint64_t key);
/* Call when the number gets a new file: earlier uses of the number do not concern it. */
void rt_share_opens(int fd);
/* Records that self uses a stream, file or name: an unordered use by another thread is a ledger entry. */
void rt_share_use(uint64_t key, bool is_write, const char *name, const char *text,
                  uint32_t site);
