/* SPDX-License-Identifier: Apache-2.0 */
/* Data races: FastTrack's idea, last accesses as epochs, on granules of 8 bytes.
 *
 * Every granule has, in the epoch plane, two words {last write, last read}: the segment in the
 * upper 24 bits, a mask of its bytes below; and in the site plane the two sites. A thread that
 * writes also sets the read word, so the inlined checks look at one word only. What these words
 * cannot hold (several readers, bytes last touched by different segments, atomic accesses) is kept
 * in a list per granule: with its top bit set, the site of the write is the number of that list
 * instead, and the list has the site.
 *
 * An atomic access counts for the segment that it ends: a thread that acquires what it releases comes
 * after it. It is compared with the clock that its thread has afterwards, which includes what it
 * acquired. The inlined checks need not know of it: a thread's next plain access, in a new segment,
 * comes here.
 *
 * Segments are numbered on from run to run, so the data of earlier runs is recognised by its number,
 * and nothing is cleared between runs.
 *
 * Reading: Flanagan, Freund, FastTrack, PLDI 2009. */
#include "runtime/memory/access_list.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/spin.h"
#include "runtime/core/store_list.h"
#include "runtime/core/sys.h"
#include "runtime/symbolic/values.h"

#define GRANULE 8u

typedef struct epochs {
    uint32_t write, read;
} epochs;

/* One access being checked. */
typedef struct touch {
    uint64_t granule;
    uint32_t epoch; /* segment << 8 | mask */
    uint32_t site;
    uint32_t size;
    bool is_write, is_atomic;
    uint64_t address;
} touch;

/* The upper half of the numbers is not given to segments: a word of a freed block is one of them,
 * so that no access passes inline. */
#define FREED UINT32_C(0x80000000)

static bool is_current(uint32_t epoch)
{
    return (epoch & FREED) == 0 && epoch >> 8 > rt->segment_base;
}

static bool ordered(uint32_t epoch)
{
    uint32_t segment = epoch >> 8;
    uint32_t thread = ((uint32_t *)RT_SEGMENTS)[segment];
    return rt_clock_get(&rt->self->clock, thread) >= segment;
}

static bool race_is_new(uint32_t a, uint32_t b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    for (uint32_t i = 0; i < rt->n_races; i++)
        if (rt->races[i] == pair)
            return false;
    if (rt->n_races < RT_MAX_RACES)
        rt->races[rt->n_races++] = pair;
    return true;
}

/* True if the earlier access faulted: it races with no other. */
static bool was_not_made(const touch *a, uint32_t epoch)
{
    const rt_thread *t = &rt->threads[((uint32_t *)RT_SEGMENTS)[epoch >> 8]];
    return t->faulted && a->address + GRANULE > t->fault &&
           a->address < t->fault + 2 * GRANULE;
}

static void race(const touch *a, uint32_t epoch, uint32_t site, bool is_write)
{
    if (was_not_made(a, epoch))
        return;
    bool goes_on = (rt->job.head.flags & WIRE_JOB_RACE_ON) != 0;
    if (goes_on && !race_is_new(a->site, site))
        return;
    if (goes_on)
        rt_fail_going_on(WIRE_FAIL_RACE, a->site, a->address, a->is_write);
    else
        rt_fail(WIRE_FAIL_RACE, a->site, a->address, a->is_write, NULL);
    wire_rec *r = rt_emit(WIRE_NOTE_OTHER);
    r->size = (uint8_t)a->size;
    r->thread = ((uint32_t *)RT_SEGMENTS)[epoch >> 8];
    r->site = site;
    r->object = a->address;
    r->value = is_write;
    if (!goes_on)
        rt_run_end(WIRE_DONE_FAIL, 0);
}

/* With an earlier plain access. */
static void compare(const touch *a, uint32_t epoch, uint32_t site, bool is_write)
{
    bool conflict = (a->is_write || is_write) && (epoch & a->epoch & 0xff) != 0;
    if (conflict && is_current(epoch) && !ordered(epoch))
        race(a, epoch, site, is_write);
}

/* Whatever races with m, and comes after a, races with a as well. */
static bool supersedes(const touch *a, const more *m)
{
    if (a->is_atomic)
        return m->is_atomic && (a->is_write || !m->is_write) && ordered(m->epoch);
    return a->is_write || (!m->is_write && ordered(m->epoch));
}

/* Compares with what the list holds, and drops from it what a makes superfluous. */
static void compare_list(const touch *a, list *l)
{
    for (more **at = &l->first; *at;) {
        more *m = *at;
        if (!a->is_atomic || !m->is_atomic)
            compare(a, m->epoch, m->site, m->is_write);
        if (supersedes(a, m))
            m->epoch &= ~(a->epoch & 0xff);
        if ((m->epoch & 0xff) != 0) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        slot_drop(m);
    }
}

/* The word of an earlier access gives way to a; is what it said still needed? */
static bool must_keep(const touch *a, uint32_t epoch, bool is_write)
{
    if (!is_current(epoch) || (epoch & 0xff) == 0)
        return false;
    bool covered = (epoch & 0xff & ~a->epoch) == 0;
    if (is_write || a->is_write)
        return !covered;
    return !covered || !ordered(epoch);
}

/* Adds to the list, which is created if there is none. */
static list *keep(const touch *a, list *l, more kept)
{
    if (!l) {
        l = &slot_take()->list;
        *l = (list){.granule = a->granule};
        rt->has_lists = true;
    }
    /* The same again needs no second entry. */
    for (more *m = l->first; m; m = m->next)
        if (m->epoch >> 8 == kept.epoch >> 8 && m->is_write == kept.is_write &&
            m->is_atomic == kept.is_atomic && (!rt->exact || m->site == kept.site)) {
            m->epoch |= kept.epoch;
            return l;
        }
    more *m = &slot_take()->more;
    kept.next = l->first;
    *m = kept;
    l->first = m;
    return l;
}

static uint32_t merged(const touch *a, uint32_t word)
{
    return word >> 8 == a->epoch >> 8 ? word | a->epoch : a->epoch;
}

/* Puts a into *word. The list of the granule, which then has what would be lost. */
static list *replace(const touch *a, list *l, uint32_t *word, uint32_t site,
                     bool is_write)
{
    bool same = *word >> 8 == a->epoch >> 8;
    bool kept =
        (!same || (rt->exact && site != a->site)) && must_keep(a, *word, is_write);
    bool replaces = same || a->is_write || (!is_write && ordered(*word));
    if (kept)
        l = keep(a, l,
                 (more){.epoch = replaces ? *word & ~(a->epoch & 0xff) : *word,
                        .site = site,
                        .is_write = is_write});
    *word = kept ? a->epoch : merged(a, *word);
    return l;
}

static epochs *epochs_at(uint64_t granule)
{
    return (epochs *)(granule ^ PLAN_EPOCH_XOR);
}

static epochs *sites_at(uint64_t granule)
{
    return (epochs *)(granule ^ PLAN_SITE_XOR);
}

/* Returns the list of a granule with these words, or NULL. A list of an earlier run does not count, and the
 * program may have overwritten the number. */
static list *list_of(uint64_t granule, const epochs *e)
{
    const epochs *sites = sites_at(granule);
    if ((sites->write & HAS_LIST) == 0 || (!is_current(e->write) && !is_current(e->read)))
        return NULL;
    list *l = list_by_number(sites->write & ~HAS_LIST);
    return l && l->granule == granule ? l : NULL;
}

static uint32_t write_site_of(const list *l, const epochs *sites)
{
    return l ? l->write_site : sites->write & ~HAS_LIST;
}

/* ---- what a thread sees of others (WIRE_F_SAW) ---- */

static uint64_t *atomically_word(uint64_t granule, uint64_t *bit)
{
    uint64_t i = (granule * UINT64_C(0x9e3779b97f4a7c15) >> 40) % RT_ATOMICALLY;
    *bit = UINT64_C(1) << i % 64;
    return &rt->atomically[i / 64];
}

static bool wrote_other(const touch *a, uint32_t epoch)
{
    return (epoch & a->epoch & 0xff) != 0 && is_current(epoch) &&
           ((uint32_t *)RT_SEGMENTS)[epoch >> 8] != rt->self->id;
}

/* May the bytes that a reads hold what another thread wrote in this run? */
static bool sees_other(const touch *a, uint32_t last_write, const list *l)
{
    uint64_t bit, *word = atomically_word(a->granule, &bit);
    if ((*word & bit) != 0 || wrote_other(a, last_write))
        return true;
    for (const more *m = l ? l->first : NULL; m; m = m->next)
        if (m->is_write && wrote_other(a, m->epoch))
            return true;
    return false;
}

/* ---- accesses ---- */

/* The site of the last write is kept beside the list, or in its place. */
static void store_write_site(epochs *sites, list *l, uint32_t site)
{
    if (l && !l->first) {
        slot_drop(l);
        l = NULL;
    }
    sites->write = l ? HAS_LIST | list_number(l) : site;
    if (l)
        l->write_site = site;
}

static void access_granule(const touch *a)
{
    epochs *e = epochs_at(a->granule), *s = sites_at(a->granule);
    list *l = list_of(a->granule, e);
    uint32_t write_site = write_site_of(l, s);
    if (!a->is_write && !rt->self->saw)
        rt->self->saw = sees_other(a, e->write, l);
    compare(a, e->write, write_site, true);
    if (a->is_write)
        compare(a, e->read, s->read, false);
    if (l)
        compare_list(a, l);
    /* A read word set by a write is that write's shadow: it is never kept. */
    bool shadow = e->read == e->write;
    if (a->is_write) {
        if (!shadow)
            l = replace(a, l, &e->read, s->read, false);
        l = replace(a, l, &e->write, write_site, true);
        if (shadow || rt->exact)
            e->read = e->write;
        write_site = s->read = a->site;
    } else {
        if (shadow)
            e->read = rt->exact ? a->epoch : merged(a, e->read);
        else
            l = replace(a, l, &e->read, s->read, false);
        s->read = a->site;
    }
    store_write_site(s, l, write_site);
}

static uint32_t mask_of(uint64_t from, uint64_t to)
{
    uint32_t first = (uint32_t)(from % GRANULE);
    uint32_t n = (uint32_t)(to - from);
    return ((1u << n) - 1) << first;
}

/* The same as access_granule, for other bytes of a granule that self's segment has read, or written, before: loops
 * over bytes come here again and again. False: it is not that simple, and nothing is done. */
static inline bool access_nearby(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    const uint64_t granule = p & ~(uint64_t)(GRANULE - 1);
    const uint32_t segment = rt->self->segment;
    epochs *e = epochs_at(granule), *s = sites_at(granule);
    if (p + size > granule + GRANULE || size == 0 || e->read >> 8 != segment ||
        (s->write & HAS_LIST) || rt->exact)
        return false;
    const touch a = {.granule = granule, .epoch = segment << 8 | mask_of(p, p + size)};
    bool wrote = e->write >> 8 == segment;
    if (is_write && !wrote)
        return false;
    bool sees_write = !wrote && (e->write & a.epoch & 0xff) && is_current(e->write);
    if (sees_write && !ordered(e->write))
        return false;
    if (!is_write && !rt->self->saw)
        rt->self->saw = sees_other(&a, e->write, NULL);
    e->read |= a.epoch;
    s->read = site;
    if (is_write) {
        e->write |= a.epoch;
        s->write = site;
    }
    return true;
}

/* A loop without operations would report forever. */
static bool worth_reporting(void)
{
    if (rt->detail_segment == 0 || rt->detail_run == 0) {
        if (rt->reads)
            rt_sym_unshared();
        return false;
    }
    rt->detail_segment--;
    rt->detail_run--;
    return true;
}

static void report_access(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    uint32_t bytes = size < 255 ? (uint32_t)size : 255;
    if (rt->shm->is_debugged)
        rt_act_recorded();
    rt_flush_write();
    rt_frames(rt->self, (uint64_t)__builtin_frame_address(0));
    wire_rec *r = rt_emit(is_write ? WIRE_NOTE_WRITE : WIRE_NOTE_READ);
    r->size = (uint8_t)bytes;
    r->thread = rt->self->id;
    r->site = site;
    r->object = p;
    r->value = rt_peek(p, bytes);
    if (is_write) {
        uint64_t old = r->value;
        rt->pending_write = rt->trace_at;
        rt_emit(WIRE_NOTE_OLD)->value = old;
    }
}

static void report_free(uint64_t p, uint64_t size, uint32_t site)
{
    if (rt->shm->is_debugged)
        rt_act_recorded();
    rt_flush_write();
    rt_frames(rt->self, (uint64_t)__builtin_frame_address(0));
    wire_rec *r = rt_emit(WIRE_NOTE_WRITE);
    r->size = (uint8_t)(size < 255 ? size : 255);
    r->flags = WIRE_WRITE_FREES;
    r->thread = rt->self->id;
    r->site = site;
    r->object = p;
}

static inline void each_granule(uint64_t p, uint64_t size, touch *a,
                                void (*visit)(const touch *))
{
    for (uint64_t at = p, end = p + size; at < end;) {
        uint64_t granule = at & ~(uint64_t)(GRANULE - 1);
        uint64_t to = granule + GRANULE < end ? granule + GRANULE : end;
        a->granule = granule;
        a->epoch = rt->self->segment << 8 | mask_of(at, to);
        visit(a);
        at = to;
    }
}

/* True if self's segment has touched all of it before, by the words. If all accesses are reported, each one
 * comes here. */
static bool touched_before(uint64_t p, uint64_t size, bool is_write)
{
    const uint32_t wants = rt->self->segment << 8 | 0xff, segment = ~UINT32_C(0xff);
    const uint64_t last = (p + size - 1) & ~(uint64_t)(GRANULE - 1);
    uint32_t bytes = 0xffu << p % GRANULE & 0xff;
    if (size == 0)
        return true;
    for (uint64_t at = p & ~(uint64_t)(GRANULE - 1);; at += GRANULE, bytes = 0xff) {
        const epochs *e = epochs_at(at);
        if (at == last)
            bytes &= 0xffu >> (last + GRANULE - p - size);
        if ((((is_write ? e->write : e->read) ^ wants) & (segment | bytes)) != 0)
            return false;
        if (at == last)
            return true;
    }
}

void rt_access_by_library(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    RT_ASSERT(rt->self);
    rt->last_address = p;
    rt->last_site = site;
    bool is_known = !rt->every && touched_before(p, size, is_write);
    if (!is_known)
        rt_access(p, size, is_write, site);
    else if (rt_spin_notices(rt->self, is_write))
        rt_spin_access(rt->self, p, size, is_write, site);
}

void rt_access(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    if (!rt->active)
        return;
    if (rt->is_repaired)
        rt_repair_point(site);
    rt->last_address = p;
    rt->last_site = site;
    if (rt_spin_notices(rt->self, is_write))
        rt_spin_access(rt->self, p, size, is_write, site);
    if (rt->promoting)
        rt_promoted_wait(p, size, is_write, site);
    if (rt->trying)
        return;
    if (rt->keeps_stores && is_write)
        rt_store_list_overwrite(p, size);
    if (rt->flow && is_write)
        rt_reads_other();
    else if (rt->flow)
        rt_reads_read(p, size, site);
    if (rt->detail && worth_reporting())
        report_access(p, size, is_write, site);
    /* Where every access comes here, the first of a segment counts, as with inlined checks: a loop that
     * is looked at must not show races that the same run does not show otherwise. */
    bool is_known = !rt->exact && touched_before(p, size, is_write);
    if (!is_known && !rt_watch_knows(p, size))
        rt_watch(p, size, is_write, site);
    /* Tracking reads requires all accesses. */
    if (rt->footprint && (!is_known || rt->flow))
        rt_footprint_add(p, size, is_write ? WIRE_TOUCH_WRITE : WIRE_TOUCH_READ, site);
    if (is_known || access_nearby(p, size, is_write, site))
        return;
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = is_write,
               .address = p};
    each_granule(p, size, &a, access_granule);
}

static void look_only(const touch *a)
{
    const epochs *e = epochs_at(a->granule);
    if (!rt->self->saw)
        rt->self->saw = sees_other(a, e->write, list_of(a->granule, e));
}

void rt_access_copied(uint64_t p, uint64_t size)
{
    touch a = {.address = p};
    if (rt->footprint)
        rt_footprint_add(p, size, WIRE_TOUCH_READ, 0);
    each_granule(p, size, &a, look_only);
}

/* A granule has a list only if one of its words is of this run: a word without bytes is enough. */
static void keep_atomic(const touch *a, list *l, epochs *e, epochs *s)
{
    uint32_t write_site = write_site_of(l, s);
    uint32_t ended = rt->self->ended_segment << 8;
    if (!l && !is_current(e->write) && !is_current(e->read))
        *e = (epochs){.write = ended, .read = ended};
    l = keep(a, l,
             (more){.epoch = ended | (a->epoch & 0xff),
                    .site = a->site,
                    .is_write = a->is_write,
                    .is_atomic = true});
    store_write_site(s, l, write_site);
}

static void atomic_granule(const touch *a)
{
    epochs *e = epochs_at(a->granule), *s = sites_at(a->granule);
    list *l = list_of(a->granule, e);
    if (a->is_write) {
        uint64_t bit, *word = atomically_word(a->granule, &bit);
        *word |= bit;
    }
    compare(a, e->write, write_site_of(l, s), true);
    if (a->is_write && e->read != e->write)
        compare(a, e->read, s->read, false);
    if (l)
        compare_list(a, l);
    /* What happens before there is a second thread happens before all that this one does. */
    if (!rt_is_only_thread())
        keep_atomic(a, l, e, s);
}

void rt_access_atomic(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    if (rt->trying)
        return;
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = is_write,
               .is_atomic = true,
               .address = p};
    each_granule(p, size, &a, atomic_granule);
}

static uint64_t size_of_object(uint8_t type)
{
    static const uint8_t sizes[RT_N_TYPES] = {
        [RT_MUTEX] = sizeof(pthread_mutex_t),   [RT_SPIN] = sizeof(pthread_spinlock_t),
        [RT_COND] = sizeof(pthread_cond_t),     [RT_SEM] = sizeof(sem_t),
        [RT_RWLOCK] = sizeof(pthread_rwlock_t), [RT_BARRIER] = sizeof(pthread_barrier_t),
        [RT_ONCE] = sizeof(pthread_once_t),
    };
    RT_ASSERT(type < RT_N_TYPES && sizes[type] > 0);
    return sizes[type];
}

/* What free takes down is part of what it frees. */
void rt_access_object(const rt_op *op, uint8_t kind)
{
    bool is_freed = kind == WIRE_DESTROY && op->a;
    if (!mdl_touches_object(kind, op->object) || is_freed || rt->trying)
        return;
    if (!mdl_resets(kind)) {
        rt_access_atomic(op->object, MDL_OBJECT_BYTES,
                         mdl_effect_of(kind) == MDL_EFFECT_E, op->site);
        return;
    }
    uint64_t size = size_of_object(op->type);
    if (rt->footprint)
        rt_footprint_add(op->object, size, WIRE_TOUCH_WRITE, op->site);
    rt_access_made(op->object, size, op->site);
}

static void look_gone(const touch *a)
{
    const epochs *words = epochs_at(a->granule), *s = sites_at(a->granule);
    const epochs e = {.write = words->write & ~FREED, .read = words->read & ~FREED};
    compare(a, e.write, write_site_of(list_of(a->granule, &e), s), true);
    if (a->is_write && e.read != e.write)
        compare(a, e.read, s->read, false);
}

void rt_access_gone(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = is_write,
               .address = p};
    each_granule(p, size < 4096 ? size : 4096, &a, look_gone);
}

void rt_access_after_free(const rt_past *past, uint64_t p, uint64_t size, bool is_write,
                          uint32_t site)
{
    uint32_t epoch = past->freed_segment << 8;
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = is_write,
               .address = p};
    if (is_current(epoch) && !ordered(epoch))
        race(&a, epoch, past->freed_site, true);
}

/* ---- freed memory ---- */

static void compare_freed(const touch *a, const epochs *e, const epochs *s)
{
    touch here = *a;
    list *l = list_of(a->granule, e);
    here.address = a->granule > a->address ? a->granule : a->address;
    compare(&here, e->write, write_site_of(l, s), true);
    if (e->read != e->write)
        compare(&here, e->read, s->read, false);
    if (l)
        compare_list(&here, l);
}

/* Compared like a write. What the words say is kept for the next user of the block, which takes
 * it over from self. */
static void free_granule(const touch *a)
{
    epochs *e = epochs_at(a->granule), *s = sites_at(a->granule);
    const uint32_t segment = a->epoch >> 8;
    if (e->write >> 8 != segment || e->read >> 8 != segment || rt->has_lists)
        compare_freed(a, e, s);
    e->write |= FREED;
    e->read |= FREED;
}

/* Most of a block may never have been accessed in this run. */
static void free_range(uint64_t p, uint64_t end, touch *a)
{
    for (uint64_t at = p & ~(uint64_t)(GRANULE - 1); at < end; at += GRANULE) {
        const epochs *e = epochs_at(at);
        if (!is_current(e->write) && !is_current(e->read))
            continue;
        uint64_t from = at > p ? at : p;
        uint64_t to = at + GRANULE < end ? at + GRANULE : end;
        a->granule = at;
        a->epoch = rt->self->segment << 8 | mask_of(from, to);
        free_granule(a);
    }
}

void rt_access_reused(uint64_t p, uint64_t size, uint64_t start, uint64_t end)
{
    for (uint64_t at = p & ~(uint64_t)(GRANULE - 1); at < p + size; at += GRANULE) {
        uint64_t *both = (uint64_t *)epochs_at(at);
        /* Bytes that were accessed may no longer be part of the block. */
        bool is_inside = at >= start && at + GRANULE <= end;
        *both = is_inside ? *both & ~((uint64_t)FREED << 32 | FREED) : 0;
    }
}

/* The shadow of a large block is looked at where it was ever written. */
#define PAGE UINT64_C(4096)
#define PAGES_AT_ONCE 4096u
#define MOST_FREED                                                                       \
    (UINT64_C(1) << 36) /* bytes: finding out what was written takes seconds in more */

static void free_large(uint64_t p, uint64_t size, touch *a)
{
    unsigned char there[PAGES_AT_ONCE];
    uint64_t end = p + size;
    for (uint64_t at = p & ~(PAGE - 1); at < end; at += PAGES_AT_ONCE * PAGE) {
        uint64_t n = (end - at + PAGE - 1) / PAGE;
        n = n < PAGES_AT_ONCE ? n : PAGES_AT_ONCE;
        if (rt_sys(SYS_mincore, (long)epochs_at(at), (long)(n * PAGE), (long)there) != 0)
            memset(there, 1, n);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t page = at + i * PAGE;
            uint64_t from = page > p ? page : p;
            uint64_t to = page + PAGE < end ? page + PAGE : end;
            if (there[i] & 1)
                free_range(from, to, a);
        }
    }
    uint64_t first = (p + PAGE - 1) & ~(PAGE - 1), last = end & ~(PAGE - 1);
    rt_sys(SYS_madvise, (long)epochs_at(first), (long)(last - first), MADV_DONTNEED);
}

void rt_access_made(uint64_t p, uint64_t size, uint32_t site)
{
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = true,
               .address = p};
    each_granule(p, size, &a, access_granule);
}

void rt_access_freed(uint64_t p, uint64_t size, uint32_t site)
{
    touch a = {.site = site,
               .size = (uint32_t)(size < 255 ? size : 255),
               .is_write = true,
               .address = p};
    if (rt->keeps_stores)
        rt_store_list_overwrite(p, size);
    if (rt->detail && worth_reporting())
        report_free(p, size, site);
    if (size > MOST_FREED)
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "giving back more than 64 GiB at once");
    else if (size > 16 * PAGE)
        free_large(p, size, &a);
    else
        free_range(p, p + size, &a);
}

static bool is_unordered(uint32_t epoch, uint32_t mask)
{
    return (epoch & mask) != 0 && is_current(epoch) && !ordered(epoch);
}

/* mask: the bytes that matter. */
static bool granule_unordered(uint64_t granule, uint32_t mask, rt_unordered *out)
{
    const epochs *e = epochs_at(granule), *s = sites_at(granule);
    *out = (rt_unordered){.address = granule};
    const list *l = list_of(granule, e);
    uint32_t epoch = 0;
    if (is_unordered(e->write, mask)) {
        epoch = e->write;
        out->site = write_site_of(l, s);
        out->is_write = true;
    } else if (is_unordered(e->read, mask)) {
        epoch = e->read;
        out->site = s->read;
    }
    const more *m = l ? l->first : NULL;
    for (; m && epoch == 0; m = m->next)
        if (is_unordered(m->epoch, mask)) {
            epoch = m->epoch;
            out->site = m->site;
            out->is_write = m->is_write;
        }
    out->thread = ((const uint32_t *)RT_SEGMENTS)[epoch >> 8];
    return epoch != 0;
}

bool rt_access_unordered(uint64_t start, uint64_t end, rt_unordered *out)
{
    for (uint64_t at = start; at < end;) {
        uint64_t granule = at & ~(uint64_t)(GRANULE - 1);
        uint64_t to = granule + GRANULE < end ? granule + GRANULE : end;
        if (granule_unordered(granule, mask_of(at, to), out))
            return true;
        at = to;
    }
    return false;
}

void rt_race_forget(uint64_t start, uint64_t end)
{
    RT_ASSERT(start <= end);
    start &= ~(uint64_t)(GRANULE - 1);
    memset(epochs_at(start), 0, end - start);
    memset(sites_at(start), 0, end - start);
}

/* ---- entries ---- */

RT_HIDDEN void rt_slow_read(const void *p, uint64_t size, const wire_site *s);
RT_HIDDEN void rt_slow_read(const void *p, uint64_t size, const wire_site *s)
{
    if (rt_controlled)
        rt_access((uint64_t)p, size, false, rt_site_number((uint64_t)s));
}

RT_HIDDEN void rt_slow_write(const void *p, uint64_t size, const wire_site *s);
RT_HIDDEN void rt_slow_write(const void *p, uint64_t size, const wire_site *s)
{
    if (rt_controlled)
        rt_access((uint64_t)p, size, true, rt_site_number((uint64_t)s));
}

/* What the inlined checks do for single accesses. */
static void access_range(uint64_t p, uint64_t size, bool is_write, const wire_site *s)
{
    if (rt_on())
        rt_access_by_library(p, size, is_write, rt_site_number((uint64_t)s));
}

RT_EXPORT void __treadle_read_range(const void *p, uint64_t size, const wire_site *s)
{
    access_range((uint64_t)p, size, false, s);
}

RT_EXPORT void __treadle_write_range(const void *p, uint64_t size, const wire_site *s)
{
    access_range((uint64_t)p, size, true, s);
}

void rt_race_reset(void)
{
    RT_ASSERT(!rt->active);
    rt->n_races = 0;
    rt->n_large = 0;
    rt->has_lists = false;
    rt->free_slots = NULL;
    memset(rt->atomically, 0, sizeof rt->atomically);
}
