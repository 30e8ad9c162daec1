/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic values at calls: arguments and results, variable arguments, and what goes to code that
 * does not follow them. */
#include "runtime/symbolic/nodes.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/core/above.h"
#include "runtime/core/sys.h"
#include "runtime/symbolic/values.h"

uint32_t rt_sym_argument(const void *self, uint32_t i)
{
    if (!rt->symbolic || PLAN_CTL->callee != (uint64_t)self)
        return 0;
    return node_at(PLAN_CTL->arguments[i])->bits ? PLAN_CTL->arguments[i] : 0;
}

void rt_sym_arrive(void)
{
    PLAN_CTL->callee = 0;
}

void rt_sym_return(const void *self, uint32_t label)
{
    PLAN_CTL->results[0] = label;
    PLAN_CTL->returned = (uint64_t)self;
}

void rt_sym_pass(const void *callee, uint32_t label)
{
    if (!rt->symbolic)
        return;
    PLAN_CTL->arguments[0] = label;
    PLAN_CTL->callee = (uint64_t)callee;
    PLAN_CTL->returned = 0;
}

uint32_t rt_sym_result(const void *callee)
{
    bool follows = rt->symbolic && PLAN_CTL->returned == (uint64_t)callee;
    return follows ? PLAN_CTL->results[0] : 0;
}

void rt_sym_lost(uint32_t site)
{
    rt_use_all();
    /* Without inputs it can only be what was read. */
    if (!rt->flow || rt->n_inputs > 0)
        rt_gap_once(WIRE_GAP_CONCRETE, site, "");
}

/* Uses the bytes where they are not followed; returns whether an input affects one of them. */
static bool use_bytes(uint64_t p, uint64_t size)
{
    uint32_t *labels = labels_at(p);
    if (!rt_labels_any(labels, size))
        return false;
    rt_labels_spell(p, size);
    bool any = false;
    for (uint64_t i = 0; i < size; i++) {
        if (labels[i] == 0)
            continue;
        rt_labels_validate(labels + i, 1, (const uint8_t *)p + i);
        rt_sym_used(labels[i] >> 4);
        any |= by_inputs(labels[i] >> 4);
    }
    return any;
}

RT_HIDDEN void rt_slow_sym_opaque(const void *p, uint64_t size, const wire_site *s);
void rt_slow_sym_opaque(const void *p, uint64_t size, const wire_site *s)
{
    if (!rt_sym_live() || rt->reading.at == (uint64_t)p)
        return;
    if (use_bytes((uint64_t)p, size))
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

RT_HIDDEN void rt_slow_sym_lost(uint32_t label, const wire_site *s);
void rt_slow_sym_lost(uint32_t label, const wire_site *s)
{
    bool any = !rt->flow || by_inputs(label);
    rt_sym_used(label);
    /* It may be several labels or-ed: those of arguments that the callee has not fetched. */
    for (uint32_t i = 0; rt->flow && PLAN_CTL->callee && i < PLAN_ARGUMENTS; i++) {
        uint32_t argument = PLAN_CTL->arguments[i];
        if ((argument | label) != label)
            continue;
        rt_sym_used(argument);
        any |= by_inputs(argument);
    }
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

void rt_sym_bytes_concrete(const void *p, uint64_t size, uint32_t site, const char *name)
{
    if (size == 0 || !rt_sym_live())
        return;
    if (use_bytes((uint64_t)p, size))
        rt_gap_once(WIRE_GAP_CONCRETE, site, name);
}

void rt_sym_clear(void *p, uint64_t size)
{
    rt_sym_forget((uint64_t)p, size);
}

/* How many bytes it looked at is not known, and what lies behind them may be something else: the
 * first bytes count, or a text up to its end; and where these are addresses, the same there. */
enum { SHOWN = 8, SHOWN_TEXT = 256, SHOWN_WORDS = 16 };

static bool is_memory(uint64_t p)
{
#define X(lo, hi)                                                                        \
    if (p - lo < hi - lo - SHOWN_TEXT)                                                   \
        return true;
    PLAN_WINDOWS(X)
#undef X
    return false;
}

/* Bytes at p that have labels, or are the first ones, up to the end of a text. Where the function
 * wrote over a symbolic byte it may have read it before. */
static bool use_shown(uint64_t p)
{
    const uint32_t *labels = labels_at(p);
    bool any = false;
    for (uint64_t i = 0; i < SHOWN; i++)
        any |= labels[i] != TEXT_LABEL && by_inputs(labels[i] >> 4);
    any |= use_bytes(p, SHOWN);
    if (!rt_labels_any(labels + SHOWN, SHOWN_TEXT - SHOWN))
        return any;
    uint64_t n = strnlen((const char *)p, SHOWN_TEXT);
    return use_bytes(p, n > SHOWN ? n : SHOWN) || any;
}

/* The words at p up to the end of its page; their number. p may be no address at all. */
static uint64_t read_words(uint64_t p, uint64_t out[SHOWN_WORDS])
{
    uint64_t left = PAGE - p % PAGE, size = SHOWN_WORDS * 8;
    struct iovec to = {out, left < size ? left : size};
    struct iovec from = {(void *)p, to.iov_len};
    long got = rt_sys6(SYS_process_vm_readv, rt_sys(SYS_getpid, 0, 0, 0), (long)&to, 1,
                       (long)&from, 1, 0);
    return got > 0 ? (uint64_t)got / 8 : 0;
}

RT_HIDDEN void rt_slow_sym_shown(const void *p, uint64_t callee, const wire_site *s);
void rt_slow_sym_shown(const void *p, uint64_t callee, const wire_site *s)
{
    uint64_t at = (uint64_t)p;
    if (!rt_sym_live() || !is_memory(at) || rt->above->is_taken_over(callee))
        return;
    uint64_t words[SHOWN_WORDS];
    uint64_t n = at % 8 == 0 ? read_words(at, words) : 0;
    bool any = use_shown(at);
    for (uint64_t i = 0; i < n && words[i] != 0; i++)
        any |= is_memory(words[i]) && use_shown(words[i]);
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}

/* What goes to standard output or standard error is not read back. */
RT_EXPORT void __treadle_sym_output(uint64_t stream, uint32_t labels, const void *p,
                                    uint64_t size, const wire_site *s)
{
    if (!rt->active || rt_stream_is_output(stream))
        return;
    if (labels)
        rt_slow_sym_lost(labels, s);
    else if (size > 0 && is_memory((uint64_t)p))
        rt_slow_sym_opaque(p, size, s);
    else
        rt_slow_sym_shown(p, 0, s);
}

RT_EXPORT void __treadle_sym_dropped(const void *self, uint32_t n_parts,
                                     const wire_site *s)
{
    bool any = false;
    if (!rt->active || PLAN_CTL->returned != (uint64_t)self)
        return;
    for (uint32_t i = 0; i < n_parts && i < PLAN_RESULTS; i++) {
        rt_sym_used(PLAN_CTL->results[i]);
        any |= by_inputs(PLAN_CTL->results[i]);
    }
    if (any)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                    "a result returned to uninstrumented code");
}

RT_EXPORT void __treadle_sym_unfollowed(const wire_site *s)
{
    if (!rt_on() || !rt->symbolic)
        return;
    rt_use_all();
    if (PLAN_CTL->symbolic && !rt->flow && !rt->reads)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                    "a function that is not followed");
}

RT_EXPORT void __treadle_sym_argument(void *to, uint32_t i, uint64_t size,
                                      uint32_t is_passed)
{
    if (is_passed)
        rt_sym_copy((uint64_t)to, PLAN_CTL->sources[i], size);
    else
        rt_sym_forget((uint64_t)to, size);
}

/* ---- variable arguments ---- */

RT_EXPORT void __treadle_sym_va_take(wire_va *room, uint32_t is_passed)
{
    room->kinds = is_passed ? PLAN_CTL->va_kinds : 0;
    for (uint32_t i = 0; is_passed && i < PLAN_ARGUMENTS; i++)
        room->labels[i] = PLAN_CTL->arguments[i];
}

bool rt_stream_is_output(uint64_t stream)
{
    return stream == STDOUT_FILENO || stream == STDERR_FILENO ||
           stream == (uint64_t)stdout || stream == (uint64_t)stderr;
}

#if defined(__x86_64__)
typedef struct va_tag {
    uint32_t gp, fp;
    uint64_t stack, registers;
} va_tag;

enum { GP_END = 48, FP_END = 176 };

/* Where the next argument of that kind lies. */
static uint64_t va_next(va_tag *at, uint32_t kind)
{
    if (kind == WIRE_VA_INTEGER && at->gp < GP_END) {
        at->gp += 8;
        return at->registers + at->gp - 8;
    }
    if (kind == WIRE_VA_REAL && at->fp < FP_END) {
        at->fp += 16;
        return at->registers + at->fp - 16;
    }
    at->stack += 8;
    return at->stack - 8;
}

/* Their memory was written by the caller and by the start of the function, unseen. */
RT_EXPORT void __treadle_sym_va_start(const void *list, const wire_va *room,
                                      uint32_t n_fixed, const wire_site *s)
{
    va_tag at;
    memcpy(&at, list, sizeof at);
    if (!rt->active || !rt_sym_exists())
        return;
    rt_sym_forget((uint64_t)list, sizeof at);
    rt_sym_forget(at.registers + at.gp, GP_END - at.gp);
    for (uint32_t i = n_fixed; i < PLAN_ARGUMENTS; i++) {
        uint32_t kind = room->kinds >> 2 * i & 3;
        uint32_t label = kind == WIRE_VA_INTEGER ? room->labels[i] : 0;
        if (kind == WIRE_VA_NONE)
            return;
        if (kind == WIRE_VA_OTHER) { /* how large it is is not known here */
            rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s),
                        "a structure or a wide number among variable arguments");
            return;
        }
        uint64_t p = va_next(&at, kind);
        rt_sym_forget(p, 8);
        if (label)
            rt_sym_put(p, (node_at(label)->bits + 7u) / 8, label);
    }
}
#else
RT_EXPORT void __treadle_sym_va_start(const void *list, const wire_va *room,
                                      uint32_t n_fixed, const wire_site *s)
{
    (void)list;
    uint32_t any = 0;
    for (uint32_t i = n_fixed; room->kinds && i < PLAN_ARGUMENTS; i++)
        any |= room->kinds >> 2 * i & 3 ? room->labels[i] : 0;
    if (any && rt->active)
        rt_gap_once(WIRE_GAP_CONCRETE, rt_site_number((uint64_t)s), "");
}
#endif
