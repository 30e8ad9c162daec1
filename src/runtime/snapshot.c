/* SPDX-License-Identifier: Apache-2.0 */
/* All memory of the process that a run can change, and putting it back.
 *
 * Taken before main: every private writable mapping (data of the program and its libraries, the C
 * library included, thread-local storage of the main thread) except the runtime's own places and
 * the first stack. Small ones are copied back; a large one is mapped anew from a memory file, so
 * that dropping its changed pages is enough. */
#include "runtime/rt.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/sys.h"

#define LARGE (UINT64_C(256) << 10)
#define MAX_SEGMENTS 1024u

typedef struct segment {
    uint64_t start, end;
    void *saved; /* NULL: mapped from a memory file */
} segment;

typedef struct snapshot {
    uint64_t saved_at; /* next free place in the region */
    uint32_t n;
    segment segments[MAX_SEGMENTS];
} snapshot;

#define SNAP ((snapshot *)RT_SAVED)

void *rt_saved_alloc(size_t size)
{
    if (SNAP->saved_at == 0)
        SNAP->saved_at = (RT_SAVED + sizeof(snapshot) + 4095) & ~UINT64_C(4095);
    uint64_t at = SNAP->saved_at;
    if (size >= 65536)
        at = (at + 4095) & ~UINT64_C(4095);
    if (at + size > RT_SAVED_END) {
        rt_sys_say("treadle: the program has more writable memory than can be saved\n");
        rt_sys_exit(71);
    }
    SNAP->saved_at = (at + size + 63) & ~UINT64_C(63);
    return (void *)at;
}

/* ---- /proc/self/maps, without stdio ---- */

static uint64_t hex(const char **at)
{
    uint64_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            value = value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

static bool own_place(uint64_t start)
{
    if (start == PLAN_CONTROL)
        return true;
    if (start >= PLAN_SLOTS && start < UINT64_C(0x080000000000))
        return true;
    uint64_t epoch = start ^ PLAN_EPOCH_XOR, site = start ^ PLAN_SITE_XOR;
#define X(lo, hi)                                                                        \
    if (epoch - (lo) < (hi) - (lo) || site - (lo) < (hi) - (lo))                         \
        return true;
    PLAN_WINDOWS(X)
#undef X
    return false;
}

/* One line of the map; the segment is added if a run can change it. */
static void consider(const char *line, const char *end, uint64_t stack_pointer)
{
    const char *at = line;
    uint64_t start = hex(&at);
    at++;
    uint64_t stop = hex(&at);
    bool writable = end - at > 5 && at[1] == 'r' && at[2] == 'w' && at[4] == 'p';
    bool stack = stack_pointer >= start && stack_pointer < stop;
    if (!writable || stack || own_place(start) || SNAP->n == MAX_SEGMENTS)
        return;
    SNAP->segments[SNAP->n++] = (segment){start, stop, NULL};
}

static void find_segments(void)
{
    static const char path[] = "/proc/self/maps";
    char *text = rt_saved_alloc(UINT64_C(4) << 20);
    long fd = rt_sys6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    long len = 0, got;
    while (fd >= 0 && (got = rt_sys(SYS_read, fd, (long)(text + len), 65536)) > 0)
        len += got;
    rt_sys(SYS_close, fd, 0, 0);
    uint64_t sp = (uint64_t)__builtin_frame_address(0);
    const char *line = text;
    for (long i = 0; i < len; i++)
        if (text[i] == '\n') {
            consider(line, &text[i], sp);
            line = &text[i + 1];
        }
}

/* ---- saving ---- */

static void save_copy(segment *s)
{
    s->saved = rt_saved_alloc(s->end - s->start);
    memcpy(s->saved, (const void *)s->start, s->end - s->start);
}

static bool page_is_zero(const uint64_t *page)
{
    for (int i = 0; i < 512; i++)
        if (page[i])
            return false;
    return true;
}

/* Pages that were never touched must not be touched now: a huge array stays sparse. */
static bool save_mapped(segment *s)
{
    uint64_t size = s->end - s->start;
    long fd = rt_sys(SYS_memfd_create, (long)"treadle-snapshot", MFD_CLOEXEC, 0);
    if (fd < 0)
        return false;
    rt_sys(SYS_ftruncate, fd, (long)size, 0);
    long map = rt_sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap",
                       O_RDONLY | O_CLOEXEC, 0, 0, 0);
    for (uint64_t at = s->start; at < s->end; at += 4096) {
        uint64_t entry = UINT64_C(1) << 63;
        if (map >= 0)
            rt_sys6(SYS_pread64, map, (long)&entry, 8, (long)(at / 4096 * 8), 0, 0);
        bool touched = (entry & UINT64_C(3) << 62) != 0;
        if (touched && !page_is_zero((const uint64_t *)at))
            rt_sys6(SYS_pwrite64, fd, (long)at, 4096, (long)(at - s->start), 0, 0);
    }
    long got = rt_sys6(SYS_mmap, (long)s->start, (long)size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_FIXED, fd, 0);
    rt_sys(SYS_close, fd, 0, 0);
    if (map >= 0)
        rt_sys(SYS_close, map, 0, 0);
    return got == (long)s->start;
}

void rt_snapshot_take(void)
{
    SNAP->n = 0;
    find_segments();
    for (uint32_t i = 0; i < SNAP->n; i++) {
        segment *s = &SNAP->segments[i];
        if (s->end - s->start < LARGE || !save_mapped(s))
            save_copy(s);
    }
    rt_heap_saved();
}

/* ---- restoring ---- */

/* Stacks start out zero in every run. What a thread used lies above the lowest place seen at an
 * operation; below it, calls between operations may have written: go on to a zero stretch. */
#define STRETCH 512u

static bool stretch_is_zero(uint64_t at)
{
    const uint64_t *word = (const uint64_t *)at;
    uint64_t any = 0;
    for (uint32_t i = 0; i < STRETCH / 8; i++)
        any |= word[i];
    return any == 0;
}

static void stack_wipe(const rt_thread *t)
{
    uint64_t top = PLAN_SLOTS + (t->slot + 1) * PLAN_SLOT_SIZE;
    uint64_t floor = top - PLAN_STACK_SIZE + 4096 + STRETCH;
    uint64_t low = t->stack_low & ~(uint64_t)(STRETCH - 1);
    if (low < floor || low > top)
        low = floor;
    while (low > floor &&
           !(stretch_is_zero(low - STRETCH) && stretch_is_zero(low - 2 * STRETCH)))
        low -= STRETCH;
    memset((void *)low, 0, top - low);
}

static void stacks_restore(void)
{
    for (uint32_t i = 0; i < rt->n_threads; i++)
        stack_wipe(&rt->threads[i]);
    rt->n_free_stacks = 0;
    for (uint32_t i = rt->n_stacks; i-- > 0;) {
        rt->free_stacks[rt->n_free_stacks++] = i;
        if (rt->stacks[i].user == RT_NONE)
            continue;
        rt_stack_clean(&rt->stacks[i]);
        rt->stacks[i].user = RT_NONE;
    }
}

void rt_snapshot_restore(void)
{
    for (uint32_t i = 0; i < SNAP->n; i++) {
        const segment *s = &SNAP->segments[i];
        if (s->saved)
            memcpy((void *)s->start, s->saved, s->end - s->start);
        else
            rt_sys(SYS_madvise, (long)s->start, (long)(s->end - s->start), MADV_DONTNEED);
    }
    rt_heap_restore();
    stacks_restore();
}
