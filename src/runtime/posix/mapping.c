/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings are the system's. Those of the run are kept in a list and are gone at its end; what is done to others
 * costs the process. What is mapped is new: accesses to what was there before have nothing to do with it. Who
 * unmaps it writes all of it. */
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

#define WIPED (UINT64_C(1) << 20) /* a larger part of a plane is given back instead */

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

static void is_gone(const void *p, size_t size, uint32_t site)
{
    uint64_t start = (uint64_t)p, bytes = whole_pages(size);
    rt_sync_free(start, start + bytes, site);
    if (is_watched(start, start + bytes))
        rt_access_freed(start, bytes, site);
}

/* ---- mappings of the run ---- */

struct rt_mapping {
    struct rt_mapping *next;
    uint64_t start, end; /* the same: unused */
};

static void keep(uint64_t start, uint64_t end)
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
            keep(end, was);
    }
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
    bool is_over = (flags & MAP_FIXED) && !(flags & MAP_FIXED_NOREPLACE);
    bool is_known = (flags & MAP_ANONYMOUS) || rt_overlay_has(fd);
    take("mmap", is_known && (!is_over || is_within(at, size)), rt_call_site());
    void *p = mmap(at, size, prot, flags, fd, offset);
    is_new(p, size);
    if (p != MAP_FAILED && !is_over)
        keep((uint64_t)p, (uint64_t)p + whole_pages(size));
    return p;
}

/* What it holds is gone, as with free. */
RT_API int __treadle_munmap(void *p, size_t size);
int __treadle_munmap(void *p, size_t size)
{
    if (!rt_on())
        return munmap(p, size);
    uint32_t site = rt_call_site();
    take("munmap", is_within(p, size), site);
    if ((uint64_t)p % 4096 == 0 && size > 0)
        is_gone(p, size, site);
    int result = munmap(p, size);
    if (result == 0)
        drop((uint64_t)p, (uint64_t)p + whole_pages(size));
    return result;
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
    bool is_plain = !(flags & ~MREMAP_MAYMOVE) && old > 0;
    take("mremap", is_plain && is_within(p, old), rt_call_site());
    void *q = mremap(p, old, size, flags, to);
    if (q != p)
        is_new(q, size);
    if (q != MAP_FAILED && is_plain) {
        drop((uint64_t)p, (uint64_t)p + whole_pages(old));
        keep((uint64_t)q, (uint64_t)q + whole_pages(size));
    }
    return q;
}

RT_API int __treadle_mprotect(void *p, size_t size, int prot);
int __treadle_mprotect(void *p, size_t size, int prot)
{
    if (rt_on())
        take("mprotect", is_within(p, size), rt_call_site());
    return mprotect(p, size, prot);
}

RT_API int __treadle_madvise(void *p, size_t size, int advice);
int __treadle_madvise(void *p, size_t size, int advice)
{
    if (rt_on())
        take("madvise", is_within(p, size), rt_call_site());
    return madvise(p, size, advice);
}
