/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings are the system's. Those of the run are kept in a list and are gone at its end; what is done to others
 * costs the process. What is mapped is new: accesses to what was there before have nothing to do with it.
 *
 * A call that changes what addresses mean is an access to all of them by the thread that makes it:
 * accesses of others that nothing orders with it may find the one or the other. All such calls pass
 * alters(); tests/gates fails if the runtime passes one on without it. */
#include "runtime/memory/accesses.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

static uint64_t whole_pages(size_t size)
{
    return ((uint64_t)size + 4095) & ~UINT64_C(4095);
}

#define WIPED (UINT64_C(1) << 20) /* a larger part of a plane is unmapped instead */

/* All of these bytes have a shadow. */
static bool is_watched(uint64_t start, uint64_t end)
{
#define X(from, to) {(from), (to)},
    static const uint64_t windows[][2] = {PLAN_WINDOWS(X)};
#undef X
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (start >= windows[i][0] && end <= windows[i][1])
            return true;
    return false;
}

static void wipe(uint64_t plane, uint64_t size)
{
    if (size > WIPED)
        rt_sys(SYS_madvise, (long)plane, (long)size, MADV_DONTNEED);
    else
        memset((void *)plane, 0, size);
}

static void is_new(const void *p, size_t size)
{
    uint64_t start = (uint64_t)p, bytes = whole_pages(size);
    if (p == MAP_FAILED || !is_watched(start, start + bytes))
        return;
    wipe(start ^ PLAN_EPOCH_XOR, bytes);
    wipe(start ^ PLAN_SITE_XOR, bytes);
    if (rt_sym_live())
        wipe(PLAN_LABEL(start), 4 * bytes);
}

/* What a call does to addresses that other threads use: they are unmapped; they get other contents, or may
 * not be accessed; they may not be written. */
enum alteration {
    ALTERS_NOTHING,
    ALTERS_WRITING,
    ALTERS_CONTENT, /* other memory, or none: later accesses may fail */
    ALTERS_WORDS,   /* the same, and all can be read and written still */
    ALTERS_ALL
};

#define MARKED (UINT64_C(1) << 20) /* later accesses to a larger piece are not compared */
#define PIECE (UINT64_C(1) << 16)

/* What was never touched before must be compared with what comes later as well, where that does not fail by itself. */
static void alters_piece(uint64_t at, uint64_t size, enum alteration how, uint32_t site)
{
    if (how == ALTERS_WORDS)
        rt_access(at, size, true, site);
    else
        rt_access_freed(at, size, site);
}

/* The check of every call that changes what addresses mean, before it is made. */
static void alters(uint64_t start, size_t size, enum alteration how, const char *name,
                   uint32_t site)
{
    uint64_t bytes = whole_pages(size), end = start + bytes;
    if (how == ALTERS_NOTHING || start % 4096 != 0 || bytes == 0 || end < start)
        return;
    if (how == ALTERS_ALL)
        rt_sync_free(start, end, site);
    if (!is_watched(start, end))
        return;
    if (how == ALTERS_WRITING) {
        rt_access(start, bytes, false, site);
        return;
    }
    if (how == ALTERS_ALL || bytes > MARKED)
        rt_access_freed(start, bytes, site);
    else
        for (uint64_t at = start; at < end; at += PIECE)
            alters_piece(at, end - at < PIECE ? end - at : PIECE, how, site);
    if (how < ALTERS_ALL && bytes > MARKED && !rt_is_only_thread())
        rt_gap_once(WIRE_GAP_UNWATCHED, site, name);
}

/* ---- mappings of the run ---- */

struct rt_mapping {
    struct rt_mapping *next;
    uint64_t start, end; /* the same: unused */
    int prot;
};

static void keep(uint64_t start, uint64_t end, int prot)
{
    struct rt_mapping *m = rt->mappings;
    while (m && m->start != m->end)
        m = m->next;
    if (!m) {
        m = rt_bump(sizeof *m);
        m->next = rt->mappings;
        rt->mappings = m;
    }
    m->start = start;
    m->end = end;
    m->prot = prot;
}

/* All of it was mapped by the run, in one piece or several. */
static bool is_of_run(uint64_t start, uint64_t end)
{
    while (start < end) {
        const struct rt_mapping *m = rt->mappings;
        while (m && !(m->start <= start && start < m->end))
            m = m->next;
        if (!m)
            return false;
        start = m->end;
    }
    return true;
}

static void drop(uint64_t start, uint64_t end)
{
    for (struct rt_mapping *m = rt->mappings; m; m = m->next) {
        uint64_t was = m->end;
        if (m->start >= end || m->end <= start)
            continue;
        if (m->start >= start) {
            m->start = m->end < end ? m->end : end;
            continue;
        }
        m->end = start;
        if (was > end)
            keep(end, was, m->prot);
    }
}

/* What the run may do to an address; what it has not mapped itself can be read and written. */
static int prot_of(uint64_t address)
{
    for (const struct rt_mapping *m = rt->mappings; m; m = m->next)
        if (m->start <= address && address < m->end)
            return m->prot;
    return PROT_READ | PROT_WRITE;
}

static enum alteration by_prot(uint64_t start, size_t size, int prot)
{
    enum alteration how = ALTERS_NOTHING;
    for (uint64_t at = start; at < start + whole_pages(size); at += 4096) {
        int changed = prot_of(at) ^ prot;
        if (changed & PROT_READ)
            return ALTERS_CONTENT;
        if (changed & PROT_WRITE)
            how = ALTERS_WRITING;
    }
    return how;
}

void rt_mappings_reset(void)
{
    rt->mappings = NULL;
}

void rt_mappings_undo(void)
{
    for (const struct rt_mapping *m = rt->mappings; m; m = m->next)
        if (m->start != m->end)
            rt_sys(SYS_munmap, (long)m->start, (long)(m->end - m->start), 0);
    rt->mappings = NULL;
}

/* Otherwise the process is not used again. */
static void take(const char *name, bool is_undone, uint32_t site)
{
    if (is_undone)
        rt_changed();
    else
        rt_taint(name, site);
}

static bool is_within(const void *p, size_t size)
{
    uint64_t start = (uint64_t)p, end = start + whole_pages(size);
    return start % 4096 == 0 && end >= start && is_of_run(start, end);
}

/* ---- calls ---- */

RT_API void *__treadle_mmap(void *at, size_t size, int prot, int flags, int fd,
                            off_t offset);
void *__treadle_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    if (!rt_on())
        return mmap(at, size, prot, flags, fd, offset);
    uint32_t site = rt_call_site();
    bool is_over = (flags & MAP_FIXED) && !(flags & MAP_FIXED_NOREPLACE);
    bool is_known = (flags & MAP_ANONYMOUS) || rt_overlay_has(fd);
    bool is_within_run = is_within(at, size);
    take("mmap", is_known && (!is_over || is_within_run), site);
    bool is_open = (prot & PROT_READ) && (prot & PROT_WRITE);
    if (is_over)
        alters((uint64_t)at, size, is_open ? ALTERS_WORDS : ALTERS_CONTENT,
               "mmap over a large mapping", site);
    void *p = mmap(at, size, prot, flags, fd, offset);
    if (p == MAP_FAILED)
        return p;
    if (!is_over || !is_within_run)
        is_new(p, size);
    else if (rt_sym_live())
        wipe(PLAN_LABEL((uint64_t)p), 4 * whole_pages(size));
    if (is_over)
        drop((uint64_t)p, (uint64_t)p + whole_pages(size));
    if (!is_over || is_within_run)
        keep((uint64_t)p, (uint64_t)p + whole_pages(size), prot);
    return p;
}

RT_API int __treadle_munmap(void *p, size_t size);
int __treadle_munmap(void *p, size_t size)
{
    if (!rt_on())
        return munmap(p, size);
    uint32_t site = rt_call_site();
    take("munmap", is_within(p, size), site);
    alters((uint64_t)p, size, ALTERS_ALL, "", site);
    int result = munmap(p, size);
    if (result == 0)
        drop((uint64_t)p, (uint64_t)p + whole_pages(size));
    return result;
}

/* What is moved is gone. What may be moved counts as if it were: another time it is. */
static void alters_by_mremap(uint64_t p, size_t old, size_t size, int flags, void *to,
                             uint32_t site)
{
    static const char large[] = "mremap of a large mapping";
    bool moves = (flags & ~MREMAP_MAYMOVE) || size > old;
    if (old == 0)
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "mremap: memory with two addresses");
    if ((flags & MREMAP_MAYMOVE) && moves)
        alters(p, old, ALTERS_CONTENT, large, site);
    if (size < old)
        alters(p + whole_pages(size), old - size, ALTERS_ALL, large, site);
    if (flags & MREMAP_FIXED)
        alters((uint64_t)to, size, ALTERS_CONTENT, large, site);
}

RT_API void *__treadle_mremap(void *p, size_t old, size_t size, int flags, ...);
void *__treadle_mremap(void *p, size_t old, size_t size, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    void *to = (flags & MREMAP_FIXED) ? va_arg(more, void *) : NULL;
    va_end(more);
    if (!rt_on())
        return mremap(p, old, size, flags, to);
    uint32_t site = rt_call_site();
    bool is_plain = !(flags & ~MREMAP_MAYMOVE) && old > 0;
    int prot = prot_of((uint64_t)p);
    take("mremap", is_plain && is_within(p, old), site);
    alters_by_mremap((uint64_t)p, old, size, flags, to, site);
    void *q = mremap(p, old, size, flags, to);
    if (q == MAP_FAILED)
        return q;
    if (q != p && !(flags & MREMAP_FIXED))
        is_new(q, size);
    if (is_plain) {
        drop((uint64_t)p, (uint64_t)p + whole_pages(old));
        keep((uint64_t)q, (uint64_t)q + whole_pages(size), prot);
    }
    return q;
}

RT_API int __treadle_mprotect(void *p, size_t size, int prot);
int __treadle_mprotect(void *p, size_t size, int prot)
{
    if (!rt_on())
        return mprotect(p, size, prot);
    uint32_t site = rt_call_site();
    uint64_t start = (uint64_t)p, end = start + whole_pages(size);
    bool is_of_the_run = is_within(p, size);
    take("mprotect", is_of_the_run, site);
    alters(start, size, by_prot(start, size, prot), "mprotect of a large mapping", site);
    int result = mprotect(p, size, prot);
    if (result == 0 && is_of_the_run) {
        drop(start, end);
        keep(start, end, prot);
    }
    return result;
}

/* Advice that empties pages, or brings something else there. */
static bool empties(int advice)
{
    switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_DONTFORK:
    case MADV_DOFORK:
    case MADV_MERGEABLE:
    case MADV_UNMERGEABLE:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
    case MADV_DODUMP:
    case MADV_COLD:
    case MADV_PAGEOUT:
        return false;
    default:
        return true;
    }
}

RT_API int __treadle_madvise(void *p, size_t size, int advice);
int __treadle_madvise(void *p, size_t size, int advice)
{
    if (!rt_on())
        return madvise(p, size, advice);
    uint32_t site = rt_call_site();
    take("madvise", is_within(p, size), site);
    if (empties(advice))
        alters((uint64_t)p, size, ALTERS_WORDS, "madvise of a large mapping", site);
    return madvise(p, size, advice);
}
