/* SPDX-License-Identifier: Apache-2.0 */
/* Saves and restores all memory of the process that a run can change.
 *
 * Taken before main: every private writable mapping (data of the program and its libraries, the C
 * library included, thread-local storage of the main thread) except the runtime's own places and
 * the first stack.
 *
 * Only pages that were ever written are copied back. The runner was forked, so the first write to
 * a page, by the program or by the kernel for it, is a page fault that gives the runner a page of
 * its own: /proc/self/pagemap shows which these are, and while the count of faults is unchanged there
 * are no new ones. */
#include "runtime/memory/accesses.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/core/sys.h"

#define PAGE UINT64_C(4096)
#define MAX_SEGMENTS 1024u
#define MAX_RANGES 65536u

typedef struct segment {
    uint64_t start, end;
    uint64_t saved; /* its contents; pages that were not there are zero */
} segment;

/* Pages in a row that were written. */
typedef struct range {
    uint64_t start, size;
    uint64_t saved;
} range;

typedef struct snapshot {
    long pagemap; /* descriptor, or negative: all pages count as written */
    long faults;  /* faults of this process when the ranges were found */
    void (*visitor)(uint64_t start, uint64_t end); /* visitor of rt_snapshot_visit */
    uint32_t n, n_ranges;
    segment segments[MAX_SEGMENTS];
    range ranges[MAX_RANGES];
} snapshot;

static_assert(sizeof(snapshot) <= RT_SNAPSHOT_SIZE, "storage starts behind it");

#define SNAP ((snapshot *)RT_SAVED)

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
    if (epoch - (lo) < (hi) - (lo) || site - (lo) < (hi) - (lo) ||                       \
        start - PLAN_LABEL(lo) < ((hi) - (lo)) * 4)                                      \
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
    if (!writable || stack || own_place(start))
        return;
    if (SNAP->n == MAX_SEGMENTS) {
        rt_sys_say("treadle: the program has too many writable memory mappings\n");
        rt_sys_exit(71);
    }
    SNAP->segments[SNAP->n++] = (segment){start, stop, 0};
}

static void find_segments(void)
{
    static const char path[] = "/proc/self/maps";
    const long room = 4L << 20;
    char *text = rt_saved_alloc((uint64_t)room);
    long fd = rt_sys6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    long len = 0, got;
    while (fd >= 0 && len < room &&
           (got = rt_sys(SYS_read, fd, (long)(text + len),
                         room - len < 65536 ? room - len : 65536)) > 0)
        len += got;
    if (len == room) {
        rt_sys_say("treadle: /proc/self/maps of the program is longer than 4 MiB\n");
        rt_sys_exit(71);
    }
    rt_sys(SYS_close, fd, 0, 0);
    uint64_t sp = (uint64_t)__builtin_frame_address(0);
    const char *line = text;
    for (long i = 0; i < len; i++)
        if (text[i] == '\n') {
            consider(line, &text[i], sp);
            line = &text[i + 1];
        }
}

/* ---- which pages were written ---- */

#define ENTRY_PRESENT (UINT64_C(1) << 63)
#define ENTRY_SWAPPED (UINT64_C(1) << 62)
#define ENTRY_FILE (UINT64_C(1) << 61)
#define ENTRY_EXCLUSIVE (UINT64_C(1) << 56)

static bool was_written(uint64_t entry)
{
    if (entry & ENTRY_SWAPPED)
        return true;
    return (entry & ENTRY_PRESENT) && (entry & ENTRY_EXCLUSIVE) && !(entry & ENTRY_FILE);
}

/* Calls visit with the entry of every page of the segment. */
static void each_page(const segment *s,
                      void (*visit)(const segment *, uint64_t, uint64_t))
{
    uint64_t entries[512];
    for (uint64_t at = s->start; at < s->end;) {
        uint64_t n = (s->end - at) / PAGE < 512 ? (s->end - at) / PAGE : 512;
        long got = rt_sys6(SYS_pread64, SNAP->pagemap, (long)entries, (long)(n * 8),
                           (long)(at / PAGE * 8), 0, 0);
        for (uint64_t i = 0; i < n; i++, at += PAGE)
            visit(s, at, got == (long)(n * 8) ? entries[i] : ENTRY_SWAPPED);
    }
}

static void note_range(const segment *s, uint64_t page, uint64_t entry)
{
    if (!was_written(entry))
        return;
    range *last = SNAP->n_ranges > 0 ? &SNAP->ranges[SNAP->n_ranges - 1] : NULL;
    if (last && last->start + last->size == page &&
        last->saved + last->size == s->saved + (page - s->start)) {
        last->size += PAGE;
        return;
    }
    if (SNAP->n_ranges == MAX_RANGES) {
        rt_sys_say(
            "treadle: the program has too many separate ranges of non-zero memory\n");
        rt_sys_exit(71);
    }
    SNAP->ranges[SNAP->n_ranges++] = (range){page, PAGE, s->saved + (page - s->start)};
}

static void find_ranges(void)
{
    SNAP->n_ranges = 0;
    for (uint32_t i = 0; i < SNAP->n; i++)
        each_page(&SNAP->segments[i], note_range);
}

static long count_faults(void)
{
    struct rusage usage;
    rt_sys(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0);
    return usage.ru_minflt + usage.ru_majflt;
}

/* ---- saving ---- */

/* A page that was never touched is left so: a huge array stays sparse. */
static void save_page(const segment *s, uint64_t page, uint64_t entry)
{
    if (entry & (ENTRY_PRESENT | ENTRY_SWAPPED))
        memcpy((void *)(s->saved + (page - s->start)), (const void *)page, PAGE);
}

static long open_pagemap(void)
{
    return rt_sys_open_high("/proc/self/pagemap", O_RDONLY);
}

void rt_snapshot_take(void)
{
    RT_ASSERT(!rt->active);
    SNAP->n = 0;
    find_segments();
    SNAP->pagemap = open_pagemap();
    for (uint32_t i = 0; i < SNAP->n; i++) {
        segment *s = &SNAP->segments[i];
        s->saved = (uint64_t)rt_saved_alloc(s->end - s->start);
        each_page(s, save_page);
    }
    find_ranges();
    SNAP->faults = count_faults();
}

/* ---- visiting ---- */

static void visit_page(const segment *s, uint64_t page, uint64_t entry)
{
    (void)s;
    if (entry & (ENTRY_PRESENT | ENTRY_SWAPPED))
        SNAP->visitor(page, page + PAGE);
}

void rt_snapshot_visit(void (*visit)(uint64_t start, uint64_t end))
{
    /* No snapshot was taken of a process for one run. */
    if (SNAP->n == 0) {
        find_segments();
        SNAP->pagemap = open_pagemap();
    }
    SNAP->visitor = visit;
    for (uint32_t i = 0; i < SNAP->n; i++)
        each_page(&SNAP->segments[i], visit_page);
}

/* ---- restoring ---- */

/* Stacks start out zero in every run. What a thread used lies above the lowest place seen at an
 * operation; below it, calls between operations may have written: continue to a zero stretch. */
#define STRETCH 512u

/* 64 bytes at once, as the compiler's vector. */
typedef uint64_t line __attribute__((vector_size(64)));

static bool stretch_is_zero(uint64_t at)
{
    const line *from = (const line *)at;
    line any = from[0];
    for (uint32_t i = 1; i < STRETCH / sizeof *from; i++)
        any |= from[i];
    return (any[0] | any[1] | any[2] | any[3] | any[4] | any[5] | any[6] | any[7]) == 0;
}

static void stack_wipe(const rt_thread *t)
{
    uint64_t top = rt_stack_top(t->slot);
    uint64_t floor = rt_stack_bottom(t->slot) + PAGE + STRETCH;
    uint64_t low = t->stack_low & ~(uint64_t)(STRETCH - 1);
    if (low < floor || low > top)
        low = floor;
    while (low > floor &&
           !(stretch_is_zero(low - STRETCH) && stretch_is_zero(low - 2 * STRETCH)))
        low -= STRETCH;
    memset((void *)low, 0, top - low);
}

void rt_snapshot_restore(void)
{
    RT_ASSERT(!rt->active && SNAP->n <= MAX_SEGMENTS);
    long faults = count_faults();
    bool is_new = faults != SNAP->faults;
    if (is_new)
        find_ranges();
    for (uint32_t i = 0; i < SNAP->n_ranges; i++) {
        const range *r = &SNAP->ranges[i];
        memcpy((void *)r->start, (const void *)r->saved, r->size);
    }
    for (uint32_t i = 0; i < rt->n_threads; i++)
        stack_wipe(&rt->threads[i]);
    /* Faults of this restore, if it has any, count as those of the next run. */
    SNAP->faults = is_new ? count_faults() : faults;
}
