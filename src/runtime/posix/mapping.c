/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings are the system's, and cost the process. What is mapped is new: accesses to what was there
 * before have nothing to do with it. Who unmaps it writes all of it. */
#include "runtime/memory/accesses.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"
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

RT_API void *__treadle_mmap(void *at, size_t size, int prot, int flags, int fd,
                            off_t offset);
void *__treadle_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    if (!rt_on())
        return mmap(at, size, prot, flags, fd, offset);
    rt_taint("mmap", rt_call_site());
    void *p = mmap(at, size, prot, flags, fd, offset);
    is_new(p, size);
    return p;
}

/* What it holds is gone, as with free. */
RT_API int __treadle_munmap(void *p, size_t size);
int __treadle_munmap(void *p, size_t size)
{
    if (!rt_on())
        return munmap(p, size);
    uint32_t site = rt_call_site();
    rt_taint("munmap", site);
    if ((uint64_t)p % 4096 == 0 && size > 0)
        is_gone(p, size, site);
    return munmap(p, size);
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
    rt_taint("mremap", rt_call_site());
    void *q = mremap(p, old, size, flags, to);
    if (q != p)
        is_new(q, size);
    return q;
}
