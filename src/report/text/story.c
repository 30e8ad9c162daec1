/* SPDX-License-Identifier: Apache-2.0 */
/* The run as a list of acts, with what can be said of each without choosing. */
#include "report/text/report_int.h"

#include "base/assert.h"
#include "wire/layout.h"

#define WRITER_LOOK_BACK 10000u /* acts */

/* ---- kinds ---- */

bool rep_act_had_value(const rep_story *s, const rep_act *a)
{
    if (!plan_on_stack(a->object))
        return true;
    uint32_t i = (uint32_t)(a - s->acts.at);
    TD_ASSERT(i < s->acts.len);
    for (uint32_t n = 0; i-- > 0 && n < WRITER_LOOK_BACK; n++)
        if (s->acts.at[i].object == a->object && rep_act_writes(&s->acts.at[i]))
            return true;
    return false;
}

/* ---- locks ---- */

static rep_lock *lock_of(rep_lock_vec *locks, rep_map *by_object, uint64_t object)
{
    uint32_t i = rep_map_get(by_object, object);
    if (i == REP_NONE) {
        i = (uint32_t)locks->len;
        rep_map_put(by_object, object, i);
        rep_lock_vec_push(locks, (rep_lock){.object = object, .act = REP_NONE});
    }
    return &locks->at[i];
}

/* What an act does to the lock it is about. */
static void lock_step(rep_lock *lock, const rep_act *a, uint32_t act)
{
    if (mdl_locks_alone(a->kind)) {
        if (lock->depth++ == 0) {
            lock->owner = a->thread;
            lock->act = act;
        }
    } else if (mdl_unlocks_alone(a->kind) && lock->depth > 0) {
        lock->depth--;
    } else if (mdl_resets(a->kind)) {
        lock->depth = 0;
    }
}

/* The locks just before an act. */
static void locks_before(const rep_story *s, uint32_t before_act, rep_lock_vec *locks)
{
    TD_ASSERT(before_act <= s->acts.len);
    rep_map by_object = {0};
    for (uint32_t i = 0; i < before_act; i++) {
        const rep_act *a = &s->acts.at[i];
        if (a->kind != REP_WAITS && rep_act_on_object(a))
            lock_step(lock_of(locks, &by_object, a->object), a, i);
    }
    rep_map_fini(&by_object);
}

void rep_story_holds(const rep_story *s, uint32_t thread, uint32_t before_act,
                     rep_lock_vec *out)
{
    rep_lock_vec locks = {0};
    locks_before(s, before_act, &locks);
    for (size_t i = 0; i < locks.len; i++)
        if (locks.at[i].depth > 0 && locks.at[i].owner == thread)
            rep_lock_vec_push(out, locks.at[i]);
    rep_lock_vec_fini(&locks);
}

/* ---- acts ---- */

/* An access of a promoted site is shown as what it is, and a store of it does not know what
 * it writes. */
static rep_act act_of_op(const trc_op *op, uint32_t index)
{
    bool plain = trc_is_promoted(op), stores = mdl_writes(op->kind);
    /* An undone operation is shown like an executed one. */
    bool spins = mdl_spins(op->kind);
    return (rep_act){.kind = !plain   ? trc_turned(op)
                             : stores ? WIRE_NOTE_WRITE
                                      : WIRE_NOTE_READ,
                     .size = op->n_bytes,
                     .order = plain ? __ATOMIC_SEQ_CST : op->order,
                     .no_value = plain && stores,
                     .thread = op->thread,
                     .site = op->site,
                     .op = index,
                     .from = REP_NONE,
                     .missed = REP_NONE,
                     .other = REP_NONE,
                     .call = REP_NONE,
                     .path = REP_NONE,
                     .stack = op->stack,
                     .object = mdl_decides(op->kind) ? 0 : op->object, /* a node */
                     .value = op->value,
                     .old = spins ? op->value : op->old};
}

static rep_act act_of_access(const trc_access *x, uint32_t index)
{
    uint8_t plain = x->is_write ? WIRE_NOTE_WRITE : WIRE_NOTE_READ;
    return (rep_act){.kind = x->is_free ? REP_FREES : plain,
                     .size = x->size,
                     .order = __ATOMIC_SEQ_CST,
                     .thread = x->thread,
                     .site = x->site,
                     .op = x->before_op,
                     .when = x->before_op + index + 1,
                     .from = REP_NONE,
                     .missed = REP_NONE,
                     .other = REP_NONE,
                     .path = REP_NONE,
                     .stack = x->stack,
                     .object = x->object,
                     .value = x->value,
                     .old = x->old};
}

/* True if the access, a promoted one, is the operation before it. */
static bool is_same_access(const trc_access *x, const trc_op *op, uint32_t k)
{
    return trc_is_promoted(op) && x->before_op == k + 1 && x->thread == op->thread &&
           x->site == op->site && x->object == op->object;
}

/* Accesses and operations up to the failure, in order of time (A1). */
static void add_acts(rep_story *s)
{
    const trc *t = s->run;
    size_t next = 0;
    for (uint32_t k = 0; k <= s->n_ops; k++) {
        for (; next < t->accesses.len && t->accesses.at[next].before_op <= k; next++)
            if (t->accesses.at[next].thread < t->threads.len)
                rep_act_vec_push(&s->acts,
                                 act_of_access(&t->accesses.at[next], (uint32_t)next));
        bool is_recorded_later = k < s->n_ops && next < t->accesses.len &&
                                 is_same_access(&t->accesses.at[next], &t->ops.at[k], k);
        if (k == s->n_ops || t->ops.at[k].thread >= t->threads.len || is_recorded_later)
            continue;
        rep_act op = act_of_op(&t->ops.at[k], k);
        op.when = k + (uint32_t)next + 1;
        rep_act_vec_push(&s->acts, op);
    }
}

/* The call of an end is the one its thread began last. */
static uint32_t call_of_end(const rep_story *s, uint32_t act)
{
    const rep_act *end = &s->acts.at[act];
    for (uint32_t i = act; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (mdl_does(a->kind) == WIRE_DOES_ENTER && a->thread == end->thread &&
            a->object == end->object)
            return a->call;
    }
    return REP_NONE;
}

/* Finds the marks of the recorded history: its operations are numbered as they begin. */
static void find_calls(rep_story *s)
{
    TD_ASSERT(s->fail != NULL && s->f->finding->kind == DET_LINEAR);
    const det_finding *f = s->f->finding;
    uint64_t object = WIRE_OBJECT_HISTORY(s->fail->object);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->acts.len; i++) {
        rep_act *a = &s->acts.at[i];
        if (!rep_act_is_mark(a) || a->object != object)
            continue;
        if (mdl_does(a->kind) == WIRE_DOES_NO) /* it restarts */
            n = 0;
        else if (mdl_does(a->kind) == WIRE_DOES_LEAVE)
            a->call = call_of_end(s, i);
        else if (n++ >= f->n_earlier && n - f->n_earlier <= f->n_calls)
            a->call = n - f->n_earlier - 1;
    }
}

static void mark_set_up(rep_story *s)
{
    if (s->run->threads.len < 2)
        return;
    for (size_t i = 0; i < s->acts.len && !mdl_creates(s->acts.at[i].kind); i++)
        s->acts.at[i].set_up = true;
}

/* ---- memory ---- */

static rep_word *word_at(rep_story *s, uint64_t address)
{
    uint32_t i = rep_map_get(&s->words_by_address, address >> 3);
    if (i == REP_NONE) {
        rep_word fresh = {0};
        for (int b = 0; b < 8; b++)
            fresh.writer[b] = REP_NONE;
        i = (uint32_t)s->words.len;
        rep_map_put(&s->words_by_address, address >> 3, i);
        rep_word_vec_push(&s->words, fresh);
    }
    return &s->words.at[i];
}

void rep_story_touch(rep_story *s, const rep_act *a,
                     void (*f)(rep_word *w, uint8_t mask, void *ctx), void *ctx)
{
    uint64_t at = a->object;
    for (unsigned left = a->size; left > 0;) {
        unsigned offset = at & 7;
        unsigned n = 8 - offset < left ? 8 - offset : left;
        TD_ASSERT(n >= 1 && offset + n <= 8);
        f(word_at(s, at), (uint8_t)(((1u << n) - 1) << offset), ctx);
        at += n;
        left -= n;
    }
}

typedef struct visit {
    rep_act *act;
    uint32_t index;
} visit;

/* The newest act that wrote a byte of what is read. */
static void find_writer(rep_word *w, uint8_t mask, void *ctx)
{
    visit *v = ctx;
    for (int b = 0; b < 8; b++) {
        if ((mask >> b & 1) == 0 || w->writer[b] == REP_NONE)
            continue;
        TD_ASSERT(w->writer[b] < v->index); /* A2 */
        if (v->act->from == REP_NONE || w->writer[b] > v->act->from)
            v->act->from = w->writer[b];
    }
}

static void note_access(rep_word *w, uint8_t mask, void *ctx)
{
    const visit *v = ctx;
    bool writes = rep_act_writes(v->act);
    for (int b = 0; b < 8; b++) {
        if ((mask >> b & 1) == 0)
            continue;
        if ((w->touched >> b & 1) == 0)
            w->toucher[b] = v->act->thread;
        else if (w->toucher[b] != v->act->thread)
            w->many |= (uint8_t)(1u << b);
        if (writes)
            w->writer[b] = v->index;
    }
    w->touched |= mask;
    if (writes && !v->act->set_up)
        w->written |= mask;
}

/* With stores, an atomic access reads the store that the run names. */
static void follow_stores(rep_story *s)
{
    trc_stores stores = {0};
    trc_u32_vec acts = {0}; /* acts by operation */
    for (uint32_t i = 0; i < s->run->ops.len; i++)
        trc_u32_vec_push(&acts, REP_NONE);
    for (uint32_t i = 0; i < s->acts.len; i++)
        if (mdl_is_op(s->acts.at[i].kind) && s->acts.at[i].op < acts.len)
            acts.at[s->acts.at[i].op] = i;
    bool is = s->run->has_stores && trc_stores_of(s->run, &stores);
    for (uint32_t i = 0; is && i < acts.len; i++) {
        rep_act *a = acts.at[i] != REP_NONE ? &s->acts.at[acts.at[i]] : NULL;
        if (!a || stores.location.at[i] == UINT32_MAX || !rep_act_reads(a))
            continue;
        uint32_t from =
            stores.from.at[i] != UINT32_MAX ? acts.at[stores.from.at[i]] : REP_NONE;
        bool was_written = a->from != REP_NONE && mdl_is_op(s->acts.at[a->from].kind);
        if (from == a->from || !was_written)
            continue;
        /* The store executed last may precede the store that is read in modification order: then nothing is
         * missed. */
        uint32_t last = s->acts.at[a->from].op;
        bool is_later = stores.from.at[i] == UINT32_MAX ||
                        stores.rank.at[last] > stores.rank.at[stores.from.at[i]];
        a->missed = is_later ? a->from : REP_NONE;
        a->from = from;
    }
    trc_u32_vec_fini(&acts);
    trc_stores_fini(&stores);
}

static void follow_memory(rep_story *s)
{
    for (uint32_t i = 0; i < s->acts.len; i++) {
        visit v = {&s->acts.at[i], i};
        if (rep_act_reads(v.act))
            rep_story_touch(s, v.act, find_writer, &v);
        if (rep_act_reads(v.act) || rep_act_writes(v.act))
            rep_story_touch(s, v.act, note_access, &v);
    }
    if (s->run->has_stores)
        follow_stores(s);
}

/* ---- why threads stop ---- */

/* The run up to an operation, as the scheduler saw it. */
typedef struct clockwork {
    const rep_story *s;
    rep_lock_vec locks;
    rep_map by_object;
    trc_u32_vec next;  /* per thread: its next operation, REP_NONE */
    trc_u32_vec after; /* per operation: the next one of its thread */
    bool *ended;       /* per thread */
} clockwork;

static void clockwork_init(clockwork *c, const rep_story *s)
{
    const trc *t = s->run;
    *c = (clockwork){.s = s};
    c->ended = td_alloc(t->threads.len);
    for (size_t i = 0; i < t->threads.len; i++)
        trc_u32_vec_push(&c->next, REP_NONE);
    for (size_t i = 0; i < t->ops.len; i++)
        trc_u32_vec_push(&c->after, REP_NONE);
    for (uint32_t i = (uint32_t)t->ops.len; i-- > 0;) {
        uint32_t thread = t->ops.at[i].thread;
        c->after.at[i] = c->next.at[thread];
        c->next.at[thread] = i;
    }
}

static void clockwork_fini(clockwork *c)
{
    rep_lock_vec_fini(&c->locks);
    rep_map_fini(&c->by_object);
    trc_u32_vec_fini(&c->next);
    trc_u32_vec_fini(&c->after);
    td_free(c->ended);
}

static void clockwork_step(clockwork *c, uint32_t i)
{
    const trc_op *op = &c->s->run->ops.at[i];
    rep_act a = act_of_op(op, i);
    if (rep_act_on_object(&a))
        lock_step(lock_of(&c->locks, &c->by_object, a.object), &a, i);
    if (mdl_ends(op->kind) || mdl_exits(op->kind))
        c->ended[op->thread] = true;
    c->next.at[op->thread] = c->after.at[i];
}

/* Returns what blocks an operation; REP_GOES_ON if nothing does. */
static rep_stop obstacle(clockwork *c, uint32_t thread, uint8_t kind, uint64_t object,
                         uint64_t value)
{
    if (mdl_waits_for_mutex(kind)) {
        const rep_lock *lock = lock_of(&c->locks, &c->by_object, object);
        return lock->depth > 0 && lock->owner != thread ? REP_WAITS_LOCK : REP_GOES_ON;
    }
    if (mdl_joins(kind) && value < c->next.len && !c->ended[value])
        return REP_WAITS_JOIN;
    return REP_GOES_ON;
}

static const trc_wait *wait_of(const trc *t, uint32_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == thread && t->waits.at[i].kind != 0)
            return &t->waits.at[i];
    return NULL;
}

/* Returns whether a thread is enabled now, or what blocks it. REP_STOPPED: the run did not record it. */
static rep_stop state_of(clockwork *c, uint32_t thread)
{
    const trc *t = c->s->run;
    if (c->ended[thread])
        return REP_ENDED;
    if (c->next.at[thread] != REP_NONE) {
        const trc_op *op = &t->ops.at[c->next.at[thread]];
        return obstacle(c, thread, op->kind, op->object, op->value);
    }
    const trc_wait *w = wait_of(t, thread);
    if (w != NULL)
        return obstacle(c, thread, w->kind, w->object, w->other);
    return REP_STOPPED;
}

/* Why the thread of operation i does not do operation i + 1; called between the two. The
 * runtime marks preemptions; the other reasons follow from what the thread does next. */
static rep_stop why_stopped(clockwork *c, uint32_t i)
{
    const trc *t = c->s->run;
    uint32_t thread = t->ops.at[i].thread;
    TD_ASSERT(i + 1 < c->s->n_ops);
    const trc_op *next = &t->ops.at[i + 1];
    if (next->thread == thread)
        return REP_GOES_ON;
    if ((next->flags & WIRE_F_PREEMPTS) != 0)
        return REP_PREEMPTED;
    rep_stop state = state_of(c, thread);
    return state == REP_GOES_ON ? REP_STOPPED : state;
}

/* Fills stops, and marks the operations that a thread had to wait for. */
static void follow_threads(rep_story *s, bool *contended)
{
    clockwork c;
    clockwork_init(&c, s);
    for (uint32_t i = 0; i < s->n_ops; i++) {
        clockwork_step(&c, i);
        rep_stop stop = i + 1 < s->n_ops ? why_stopped(&c, i)
                                         : state_of(&c, s->run->ops.at[i].thread);
        uint32_t next = c.after.at[i];
        if (stop == REP_WAITS_LOCK && next != REP_NONE)
            contended[next] = true;
        s->preemptions += stop == REP_PREEMPTED;
        trc_u32_vec_push(&s->stops, stop);
    }
    clockwork_fini(&c);
    TD_ASSERT(s->stops.len == s->n_ops);
}

static void mark_contended(rep_story *s)
{
    bool *contended = td_alloc(s->run->ops.len + 1);
    follow_threads(s, contended);
    for (size_t i = 0; i < s->acts.len; i++) {
        rep_act *a = &s->acts.at[i];
        if (mdl_waits_for_mutex(a->kind))
            a->contended = contended[a->op];
    }
    td_free(contended);
}

/* ---- ends ---- */

static rep_act act_of_wait(const rep_story *s, const trc_wait *w)
{
    return (rep_act){.kind = REP_WAITS,
                     .wants = w->kind,
                     .thread = w->thread,
                     .site = w->site,
                     .op = s->n_ops,
                     .from = REP_NONE,
                     .missed = REP_NONE,
                     .other = w->other,
                     .path = REP_NONE,
                     .stack = w->stack,
                     .object = w->object};
}

/* True if the wait is of the finding's cause, or ends there: from one thread to the one it
 * waits for we come to the finding's. Other deadlocks of the run are other findings; but if
 * any thread might let the finding's thread continue, then that all others wait as well is part of it. */
static bool is_recorded(const rep_story *s, const trc_wait *w)
{
    const trc *t = s->run;
    uint32_t thread = s->f->finding->thread;
    const trc_wait *cause = wait_of(t, thread);
    if (!cause || (!mdl_joins(cause->kind) && cause->other == UINT32_MAX))
        return true;
    for (size_t i = 0; w != NULL && i <= t->threads.len; i++) {
        if (w->thread == thread)
            return true;
        w = wait_of(t, w->other);
    }
    return false;
}

/* The threads of a deadlock come to their waits at the end: first the one that ran last,
 * then the others by number. */
static void add_waits(rep_story *s)
{
    const trc *t = s->run;
    uint32_t last = t->ops.len > 0 ? t->ops.at[t->ops.len - 1].thread : 0;
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < t->waits.len; i++) {
            const trc_wait *w = &t->waits.at[i];
            if (w->kind != 0 && w->thread < t->threads.len &&
                (w->thread != last) == others && is_recorded(s, w))
                rep_act_vec_push(&s->acts, act_of_wait(s, w));
        }
}

static bool overlaps(const rep_act *a, const trc_fail *f)
{
    unsigned n = f->size > 0 ? f->size : 1;
    return a->object < f->object + n && f->object < a->object + a->size;
}

/* True if the act may be the free of the block. The act of a long block does not have its end. */
static bool may_free(const rep_act *a, const trc_fail *f)
{
    if (a->kind != REP_FREES)
        return false;
    if (f->kind == WIRE_FAIL_MEMORY && f->block != 0)
        return a->object == f->block;
    return overlaps(a, f) || (a->size == UINT8_MAX && a->object <= f->object);
}

/* The last access of a thread at a site to what the race is about; of frees the one whose block starts nearest
 * below it. */
static uint32_t find_access(const rep_story *s, uint32_t thread, uint32_t site)
{
    uint32_t found = REP_NONE;
    for (uint32_t i = (uint32_t)s->acts.len; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != thread || a->site != site)
            continue;
        if (a->kind != REP_FREES && overlaps(a, s->fail) &&
            (rep_act_reads(a) || rep_act_writes(a)))
            return i;
        if (may_free(a, s->fail) &&
            (found == REP_NONE || s->acts.at[found].object < a->object))
            found = i;
    }
    return found;
}

uint32_t rep_act_ops_done(const rep_act *a)
{
    return mdl_is_op(a->kind) ? a->op + 1 : a->op;
}

/* The later access of a race is checked before it is made: it may not be recorded, or a
 * write without its value. */
static void add_race(rep_story *s)
{
    TD_ASSERT(s->fail != NULL && s->race[0] == REP_NONE && s->race[1] == REP_NONE);
    const trc_fail *f = s->fail;
    s->race[0] = find_access(s, f->other_thread, f->other_site);
    s->race[1] = find_access(s, f->thread, f->site);
    bool stale = s->race[1] != REP_NONE &&
                 (s->race[0] == REP_NONE || s->race[1] < s->race[0] ||
                  rep_act_ops_done(&s->acts.at[s->race[1]]) < f->after_op);
    if (s->race[1] != REP_NONE && !stale) {
        rep_act *later = &s->acts.at[s->race[1]];
        s->acts.len = s->race[1] + 1;
        later->no_value = later->kind == WIRE_NOTE_WRITE && later->value == later->old;
        return;
    }
    s->race[1] = (uint32_t)s->acts.len;
    rep_act_vec_push(&s->acts,
                     (rep_act){.kind = f->value ? WIRE_NOTE_WRITE : WIRE_NOTE_READ,
                               .size = f->size,
                               .order = __ATOMIC_SEQ_CST,
                               .no_value = true,
                               .thread = f->thread,
                               .site = f->site,
                               .op = f->after_op,
                               .from = REP_NONE,
                               .missed = REP_NONE,
                               .other = REP_NONE,
                               .stack = f->stack,
                               .object = f->object});
}

bool rep_story_next(const rep_story *s, uint32_t thread, uint32_t op, rep_act *out)
{
    const trc *t = s->run;
    for (uint32_t i = op + 1; i < t->ops.len; i++) {
        if (t->ops.at[i].thread != thread)
            continue;
        *out = act_of_op(&t->ops.at[i], i);
        return true;
    }
    const trc_wait *w = wait_of(t, thread);
    if (w == NULL)
        return false;
    *out = act_of_wait(s, w);
    out->kind = w->kind;
    out->value = w->other;
    return true;
}

/* An access that crashed is noted before it is made: it has no value. */
static void mark_crash(rep_story *s)
{
    for (size_t i = s->acts.len; i-- > 0;) {
        rep_act *a = &s->acts.at[i];
        if (a->thread != s->fail->thread)
            continue;
        a->no_value = overlaps(a, s->fail) && !mdl_is_op(a->kind);
        return;
    }
}

static void add_memory(rep_story *s)
{
    const trc_fail *f = s->fail;
    const trc_party *freed = &f->parties[WIRE_BLOCK_FREED];
    if (freed->is_known)
        s->memory[0] = find_access(s, freed->thread, freed->site);
    if (f->memory == WIRE_MEMORY_FREE)
        return;
    s->memory[1] = find_access(s, f->thread, f->site);
    rep_act *a = s->memory[1] != REP_NONE ? &s->acts.at[s->memory[1]] : NULL;
    bool is_plain = a && (a->kind == WIRE_NOTE_READ || a->kind == WIRE_NOTE_WRITE);
    if (is_plain && f->memory != WIRE_MEMORY_ENDS && f->memory != WIRE_MEMORY_LEFT)
        a->no_value = true;
}

static const trc_fail *fail_of(const rep_finding *f)
{
    if (f->finding->fail >= f->run->fails.len)
        return NULL;
    const trc_fail *fail = &f->run->fails.at[f->finding->fail];
    return fail->thread < f->run->threads.len ? fail : NULL;
}

static void link_next(rep_story *s)
{
    trc_u32_vec newest = {0};
    for (size_t i = 0; i < s->run->threads.len; i++)
        trc_u32_vec_push(&newest, REP_NONE);
    for (uint32_t i = (uint32_t)s->acts.len; i-- > 0;) {
        rep_act *a = &s->acts.at[i];
        a->next = newest.at[a->thread];
        newest.at[a->thread] = i;
    }
    trc_u32_vec_fini(&newest);
}

void rep_story_init(rep_story *s, const rep_finding *f, const rep_names *names)
{
    *s = (rep_story){.f = f, .names = names, .run = f->run, .fail = fail_of(f)};
    TD_ASSERT(f->run->threads.len > 0);
    s->n_ops = (uint32_t)s->run->ops.len;
    if (s->fail != NULL && s->fail->after_op < s->n_ops)
        s->n_ops = s->fail->after_op;
    s->race[0] = s->race[1] = REP_NONE;
    s->memory[0] = s->memory[1] = REP_NONE;
    add_acts(s);
    if (f->finding->kind == DET_RACE && s->fail != NULL)
        add_race(s);
    if (f->finding->kind == DET_CRASH && s->fail != NULL)
        mark_crash(s);
    if (f->finding->kind == DET_LINEAR && s->fail != NULL)
        find_calls(s);
    if (f->finding->kind == DET_MEMORY && s->fail != NULL)
        add_memory(s);
    mark_set_up(s);
    follow_memory(s);
    mark_contended(s);
    locks_before(s, (uint32_t)s->acts.len, &s->locks);
    if (det_is_stuck(f->finding->kind))
        add_waits(s);
    link_next(s);
    rep_find_cause(s);
    rep_find_paths(s);
    TD_AUDIT(rep_story_valid(s, NULL, 0));
}

void rep_story_fini(rep_story *s)
{
    rep_act_vec_fini(&s->acts);
    trc_u32_vec_fini(&s->stops);
    rep_map_fini(&s->words_by_address);
    rep_word_vec_fini(&s->words);
    rep_lock_vec_fini(&s->locks);
    rep_place_vec_fini(&s->places);
    rep_path_vec_fini(&s->paths);
    for (size_t i = 0; i < s->kept.len; i++)
        td_free(s->kept.at[i]);
    rep_text_vec_fini(&s->kept);
    rep_map_fini(&s->path_by_stack);
    rep_map_fini(&s->call_by_address);
    rep_map_fini(&s->said_by_name);
}
