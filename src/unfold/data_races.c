/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/spans.h"

/* Data races in the structure: accesses of two threads, at least one of them plain, that are
 * concurrent in some configuration, though no run executed both.
 *
 * The footprint of a history is the memory that its thread touches up to the next operation, and in
 * that operation if it is an atomic access; there are few different ones. A place is the class of all
 * histories of a thread that have the same footprint and hold the same locks. Places are rivals if
 * their footprints clash and they hold no lock in common. A race is a new history and one of a rival
 * place that are compatible. If a place has few histories each one is tested.
 * Otherwise: the histories of another thread that are compatible with the new one form a connected subtree
 * of its tree, below the last one among the new one's causes, so a walk from there finds them.
 * A place whose histories all come after the end of a thread, for example after main joined it, is
 * not searched for histories of that thread: the walk would visit everything that main does before.
 * Runs that have both find the race by themselves; a pair of sites is handed out once. */

enum {
    FEW = 32,             /* histories of a place that are tested one by one */
    MAX_VISITS = 1 << 16, /* events that a walk over one thread visits */
    MANY =
        64, /* touches; of two footprints with more than MANY * MANY pairs one has more */
};

typedef struct footprint {
    uint32_t first, n; /* in races.touches, rising by start */
    td_spans spans;    /* the same, if there are many, by their number in touches */
} footprint;

/* Another place, and the clashes with it as pairs of sites that were not known at first. */
typedef struct rival {
    uint32_t place;
    uint32_t first, n; /* in races.pairs */
} rival;
TD_VEC(rival, rival_vec);

typedef struct place {
    uint32_t thread, footprint;
    uint32_t held, n_held; /* objects, in races.objects, rising */
    rival_vec rivals;
    unf_vec histories; /* the first ones, up to FEW + 1 */
    /* Threads that each history comes after the end of, as far as is known. */
    unf_vec ended;
} place;

typedef struct seen_touch {
    uint32_t event;
    trc_touch touch;
} seen_touch;

static inline uint64_t id_number(td_id id)
{
    return id.lo;
}

TD_VEC(footprint, footprint_vec);
TD_VEC(place, place_vec);
TD_MAP(td_id, uint32_t, number_of, id_number, td_id_equal);
TD_VEC(td_id, pair_vec);
TD_VEC(trc_touch, touch_vec);
TD_VEC(seen_touch, seen_vec);

struct unf_races {
    touch_vec touches;
    footprint_vec footprints;
    place_vec places;
    number_of footprint_numbers, place_numbers; /* by their ids; their indices */
    pair_vec pairs;
    td_id_set noted; /* pairs of the rivals that are being compared */
    unf_vec objects;
    seen_vec seen;   /* touches of new histories of this run */
    td_id_set known; /* pairs of sites */
    unf_cfg *cfg, *run;
    bool run_painted;
    bool is_other_run; /* what is compared is not of the run being inserted */
    uint32_t cone;     /* history whose cone cfg is, UNF_NONE */
    td_id_set asked;   /* START and history: known whether ... */
    td_id_set ordered; /* ... the thread has left the history when the other starts */
    unf_walk walk;
    unf_vec rivals; /* histories that it found */
    uint64_t n_skipped;
};

unf_races *unf_races_new(unf *u)
{
    unf_races *r = td_alloc(sizeof *r);
    r->cfg = unf_cfg_new(u);
    r->run = unf_cfg_new(u);
    return r;
}

void unf_races_free(unf_races *r)
{
    for (size_t i = 0; i < r->places.len; i++) {
        rival_vec_fini(&r->places.at[i].rivals);
        unf_vec_fini(&r->places.at[i].histories);
        unf_vec_fini(&r->places.at[i].ended);
    }
    for (size_t i = 0; i < r->footprints.len; i++)
        td_spans_fini(&r->footprints.at[i].spans);
    touch_vec_fini(&r->touches);
    footprint_vec_fini(&r->footprints);
    place_vec_fini(&r->places);
    number_of_fini(&r->footprint_numbers);
    number_of_fini(&r->place_numbers);
    pair_vec_fini(&r->pairs);
    td_id_set_fini(&r->noted);
    unf_vec_fini(&r->objects);
    seen_vec_fini(&r->seen);
    td_id_set_fini(&r->known);
    td_id_set_fini(&r->asked);
    td_id_set_fini(&r->ordered);
    unf_cfg_free(r->cfg);
    unf_cfg_free(r->run);
    unf_vec_fini(&r->walk.stack);
    unf_vec_fini(&r->rivals);
    td_free(r);
}

/* ---- what is known ---- */

static td_id pair_id(uint32_t a, uint32_t b)
{
    uint32_t pair[2] = {a < b ? a : b, a < b ? b : a};
    return td_id_hash(pair, sizeof pair);
}

static void learn_found(unf_races *r, const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_RACE)
            td_id_set_add(&r->known,
                          pair_id(t->fails.at[i].site, t->fails.at[i].other_site));
}

/* The thread's next operation is an atomic access or a join; added to the kinds that runs record. */
enum { TOUCH_LOADS = WIRE_N_TOUCHES, TOUCH_STORES, TOUCH_JOINS };
/* The object that joins touch, by the number of the thread; not an address of a program. */
#define JOINED (UINT64_C(1) << 63)

/* What is freed clashes with all that is done there; operations by themselves with nothing else,
 * unless they are atomic accesses: those clash with plain ones. A thread is joined once. */
static bool is_clash(uint8_t a, uint8_t b)
{
    if (a == TOUCH_JOINS || b == TOUCH_JOINS)
        return a == b;
    if (a == WIRE_TOUCH_FREES || b == WIRE_TOUCH_FREES)
        return true;
    if (a == WIRE_TOUCH_OPERATES || b == WIRE_TOUCH_OPERATES ||
        (a >= TOUCH_LOADS && b >= TOUCH_LOADS))
        return false;
    return a == WIRE_TOUCH_WRITE || b == WIRE_TOUCH_WRITE || a == TOUCH_STORES ||
           b == TOUCH_STORES;
}

/* Notes the pair of sites if these two clash and that is not known yet. */
static void note_clash(unf_races *r, const trc_touch *x, const trc_touch *y)
{
    bool overlap = x->start < y->end && y->start < x->end;
    if (!overlap || !is_clash(x->how, y->how))
        return;
    td_id pair = pair_id(x->site, y->site);
    if (!td_id_set_has(&r->known, pair) && td_id_set_add(&r->noted, pair))
        pair_vec_push(&r->pairs, pair);
}

/* The same for all touches of a, of which there are fewer, and those of b. */
static void note_many(unf_races *r, const footprint *a, const footprint *b)
{
    for (uint32_t i = a->first; i < a->first + a->n; i++) {
        const trc_touch *x = &r->touches.at[i];
        td_spans_find find = {.start = x->start, .end = x->end};
        for (const td_span *s; (s = td_spans_next(&b->spans, &find)) != NULL;)
            note_clash(r, x, &r->touches.at[s->number]);
    }
}

/* The clashes of two places that are not known yet, in rival.first and n. */
static rival compare_places(unf_races *r, const place *a, const place *b)
{
    const footprint *f = &r->footprints.at[a->footprint];
    const footprint *g = &r->footprints.at[b->footprint];
    rival out = {.first = (uint32_t)r->pairs.len};
    td_id_set_clear(&r->noted);
    if ((uint64_t)f->n * g->n > MANY * MANY)
        note_many(r, f->n < g->n ? f : g, f->n < g->n ? g : f);
    else
        for (uint32_t i = f->first; i < f->first + f->n; i++)
            for (uint32_t k = g->first; k < g->first + g->n; k++)
                note_clash(r, &r->touches.at[i], &r->touches.at[k]);
    out.n = (uint32_t)r->pairs.len - out.first;
    return out;
}

/* A clash that is not known yet, as a pair of sites. */
static bool clash(const unf_races *r, const rival *with, td_id *pair)
{
    TD_ASSERT((size_t)with->first + with->n <= r->pairs.len);
    for (uint32_t i = with->first; i < with->first + with->n; i++)
        if (!td_id_set_has(&r->known, r->pairs.at[i])) {
            *pair = r->pairs.at[i];
            return true;
        }
    return false;
}

/* ---- footprints and places ---- */

/* The footprint of n touches in seen from first on. */
static uint32_t footprint_of(unf_races *r, size_t first, size_t n)
{
    TD_ASSERT(n > 0 && first + n <= r->seen.len);
    td_id id = {0};
    for (size_t i = 0; i < n; i++) {
        const trc_touch *t = &r->seen.at[first + i].touch;
        uint64_t parts[5] = {t->start, t->end, t->site, t->how, id.lo};
        id = td_id_hash(parts, sizeof parts);
    }
    const uint32_t *known = number_of_find(&r->footprint_numbers, id);
    if (known)
        return *known;
    *number_of_at(&r->footprint_numbers, id) = (uint32_t)r->footprints.len;
    footprint f = {.first = (uint32_t)r->touches.len, .n = (uint32_t)n};
    for (size_t i = 0; i < n; i++) {
        const trc_touch *t = &r->seen.at[first + i].touch;
        if (n > MANY)
            td_spans_put(&f.spans, t->start, t->end, (uint32_t)r->touches.len);
        touch_vec_push(&r->touches, *t);
    }
    td_spans_sort(&f.spans);
    footprint_vec_push(&r->footprints, f);
    return (uint32_t)r->footprints.len - 1;
}

static td_id place_id(const unf_races *r, const place *p)
{
    uint32_t where[2] = {p->thread, p->footprint};
    td_id id = td_id_hash(where, sizeof where);
    if (p->n_held == 0)
        return id;
    td_id held = td_id_hash(&r->objects.at[p->held], p->n_held * sizeof r->objects.at[0]);
    uint64_t both[4] = {id.lo, id.hi, held.lo, held.hi};
    return td_id_hash(both, sizeof both);
}

static bool share_a_lock(const unf_races *r, const place *a, const place *b)
{
    for (uint32_t i = 0, k = 0; i < a->n_held && k < b->n_held;) {
        uint32_t x = r->objects.at[a->held + i], y = r->objects.at[b->held + k];
        if (x == y)
            return true;
        i += x < y;
        k += y < x;
    }
    return false;
}

static void find_rivals(unf_races *r, uint32_t ix)
{
    TD_ASSERT(ix + 1 == r->places.len && r->places.at[ix].rivals.len == 0);
    for (uint32_t i = 0; i < ix; i++) {
        place *mine = &r->places.at[ix], *other = &r->places.at[i];
        if (mine->thread == other->thread || share_a_lock(r, mine, other))
            continue;
        rival x = compare_places(r, mine, other);
        if (x.n == 0)
            continue;
        rival_vec_push(&mine->rivals, (rival){i, x.first, x.n});
        rival_vec_push(&other->rivals, (rival){ix, x.first, x.n});
    }
}

static uint32_t place_of(unf *u, uint32_t history, uint32_t fp)
{
    unf_races *r = u->races;
    place p = {.thread = node_at(u, history)->thread,
               .footprint = fp,
               .held = (uint32_t)r->objects.len};
    p.n_held = unf_held_objects(u, history, &r->objects);
    td_id id = place_id(r, &p);
    const uint32_t *known = number_of_find(&r->place_numbers, id);
    if (known) {
        r->objects.len = p.held;
        return *known;
    }
    *number_of_at(&r->place_numbers, id) = (uint32_t)r->places.len;
    place_vec_push(&r->places, p);
    find_rivals(r, (uint32_t)r->places.len - 1);
    return (uint32_t)r->places.len - 1;
}

/* ---- comparing ---- */

bool unf_races_run_has(unf *u, uint32_t event)
{
    unf_races *r = u->races;
    if (!r->run_painted) {
        unf_cfg_clear(r->run);
        for (size_t i = 0; i < u->run_at.len; i++)
            unf_cfg_add(r->run, u->run_at.at[i]);
        r->run_painted = true;
    }
    return unf_cfg_has(r->run, event);
}

/* cfg is the cone of history. */
static bool stand_together(unf *u, uint32_t history, uint32_t other)
{
    unf_cfg *cfg = u->races->cfg;
    const unf_node *h = node_at(u, history);
    if ((h->flags & node_at(u, other)->flags & NODE_LAST) || !unf_cfg_free_at(cfg, other))
        return false;
    size_t len = unf_cfg_len(cfg);
    unf_cfg_add(cfg, other);
    bool stand = unf_cfg_depth(cfg, h->thread) == h->depth;
    TD_DASSERT(unf_cfg_depth(cfg, h->thread) >= h->depth);
    unf_cfg_cut(cfg, len);
    return stand;
}

/* The rival of a that is b, or NULL. */
static const rival *rival_of(const unf_races *r, uint32_t a, uint32_t b)
{
    const rival_vec *rivals = &r->places.at[a].rivals;
    for (size_t i = 0; i < rivals->len; i++)
        if (rivals->at[i].place == b)
            return &rivals->at[i];
    return NULL;
}

/* cfg is the cone of history; other is a history at the rival place. */
static void compare(unf *u, uint32_t history, uint32_t other, const rival *theirs)
{
    unf_races *r = u->races;
    td_id pair;
    TD_DASSERT(r->cone == history);
    if (!clash(r, theirs, &pair) || (!r->is_other_run && unf_races_run_has(u, other)) ||
        !stand_together(u, history, other))
        return;
    size_t len = unf_cfg_len(r->cfg);
    unf_cfg_add(r->cfg, other);
    bool feasible = unf_feasible(u, r->cfg);
    unf_cfg_cut(r->cfg, len);
    if (!feasible)
        return;
    td_id_set_add(&r->known, pair);
    unf_suspect_add(u, (uint32_t[]){history, other}, 2, UNF_RACING);
}

/* True if other's thread has continued from there before history's thread is created, as main
 * has from what it initialises. */
static bool is_before_start(unf *u, uint32_t history, uint32_t other)
{
    unf_races *r = u->races;
    uint32_t start = unf_start_of(u, history);
    td_id key = pair_id(start, other);
    if (td_id_set_add(&r->asked, key)) {
        const unf_node *o = node_at(u, other);
        unf_cfg_clear(r->cfg);
        unf_cfg_add(r->cfg, start);
        if (unf_cfg_has(r->cfg, other) && unf_cfg_depth(r->cfg, o->thread) > o->depth)
            td_id_set_add(&r->ordered, key);
        r->cone = UNF_NONE;
    }
    return td_id_set_has(&r->ordered, key);
}

static void paint(unf *u, uint32_t history)
{
    unf_races *r = u->races;
    if (r->cone == history)
        return;
    unf_cfg_clear(r->cfg);
    unf_cfg_add(r->cfg, history);
    r->cone = history;
}

static void search_place(unf *u, uint32_t history, const rival *theirs)
{
    const unf_vec *histories = &u->races->places.at[theirs->place].histories;
    for (size_t i = 0; i < histories->len && !td_stops(u->stop); i++) {
        if (is_before_start(u, history, histories->at[i]))
            continue;
        paint(u, history);
        compare(u, history, histories->at[i], theirs);
    }
}

/* Histories that come after more than history are of no use: its thread is held there. */
static void search_thread(unf *u, uint32_t history, uint32_t mine, uint32_t thread)
{
    unf_races *r = u->races;
    uint32_t other = UNF_NONE, own = node_at(u, history)->thread;
    TD_ASSERT(r->cone == history && own != thread);
    uint32_t depth = unf_cfg_hold(r->cfg, own);
    unf_vec_clear(&r->rivals);
    unf_walk_start(u, &r->walk, r->cfg, thread, MAX_VISITS);
    while ((other = unf_walk_next(u, &r->walk)) != UNF_NONE) {
        uint32_t theirs = unf_spot_of(u, other).place;
        if (theirs != UNF_NONE && rival_of(r, mine, theirs))
            unf_vec_push(&r->rivals, other);
    }
    unf_cfg_release(r->cfg, own, depth);
    for (size_t i = 0; i < r->rivals.len; i++)
        compare(u, history, r->rivals.at[i],
                rival_of(r, mine, unf_spot_of(u, r->rivals.at[i]).place));
    r->n_skipped += unf_walk_failed(&r->walk);
}

static bool has_many(const unf_races *r, uint32_t ix)
{
    return r->places.at[ix].histories.len > FEW;
}

/* False if no history of the rival place is compatible with this one. A history after which the thread has
 * ended may be: what comes after the end has not passed it. */
static bool may_stand_together(const unf *u, uint32_t history, const rival *theirs)
{
    const unf_vec *ended = &u->races->places.at[theirs->place].ended;
    const unf_node *h = node_at(u, history);
    return mdl_ends(h->kind) || !unf_is_among(ended->at, ended->len, h->thread);
}

/* False if there is nothing to be found at the rival. */
static bool is_of_interest(const unf *u, uint32_t history, const rival *theirs)
{
    td_id pair;
    return clash(u->races, theirs, &pair) && may_stand_together(u, history, theirs);
}

/* A rival before the n-th with many histories is of the same thread, which was searched for it. */
static bool searched_before(const unf *u, uint32_t history, uint32_t mine, size_t n)
{
    const unf_races *r = u->races;
    const rival_vec *rivals = &r->places.at[mine].rivals;
    uint32_t thread = r->places.at[rivals->at[n].place].thread;
    for (size_t i = 0; i < n; i++)
        if (has_many(r, rivals->at[i].place) &&
            r->places.at[rivals->at[i].place].thread == thread &&
            is_of_interest(u, history, &rivals->at[i]))
            return true;
    return false;
}

static void search_rivals(unf *u, uint32_t history, uint32_t mine)
{
    unf_races *r = u->races;
    r->cone = UNF_NONE;
    for (size_t i = 0; i < r->places.at[mine].rivals.len; i++) {
        const rival *theirs = &r->places.at[mine].rivals.at[i];
        if (!is_of_interest(u, history, theirs))
            continue;
        if (!has_many(r, theirs->place)) {
            search_place(u, history, theirs);
        } else if (!searched_before(u, history, mine, i)) {
            paint(u, history);
            search_thread(u, history, mine, r->places.at[theirs->place].thread);
        }
    }
}

static bool has_ended(const unf *u, uint32_t thread)
{
    uint32_t top = unf_cfg_top(u->races->cfg, thread);
    return top != UNF_NONE && mdl_ends(node_at(u, top)->kind);
}

static bool may_clash(const unf_races *r, const place *p)
{
    td_id pair;
    for (size_t i = 0; i < p->rivals.len; i++)
        if (clash(r, &p->rivals.at[i], &pair))
            return true;
    return false;
}

/* The place has a new history. Where nothing is compared its cone is not worth a look. */
static void learn_ended(unf *u, uint32_t history, place *p)
{
    unf_races *r = u->races;
    unf_vec *ended = &p->ended;
    bool is_first = p->histories.len == 0;
    size_t n = 0;
    if (!is_first && ended->len == 0)
        return;
    if (!may_clash(r, p)) {
        unf_vec_clear(ended);
        return;
    }
    paint(u, history);
    for (uint32_t i = 0; is_first && i < u->threads.len; i++)
        if (has_ended(u, i))
            unf_vec_push(ended, i);
    for (size_t i = 0; i < ended->len; i++)
        if (has_ended(u, ended->at[i]))
            ended->at[n++] = ended->at[i];
    ended->len = n;
}

/* Adds the history to its place. */
static void stand(unf *u, uint32_t history, uint32_t mine)
{
    unf_races *r = u->races;
    search_rivals(u, history, mine);
    learn_ended(u, history, &r->places.at[mine]);
    TD_DASSERT(r->places.at[mine].histories.len <= FEW + 1);
    if (!has_many(r, mine))
        unf_vec_push(&r->places.at[mine].histories, history);
}

static void look(unf *u, uint32_t history, size_t first, size_t n)
{
    uint32_t mine = place_of(u, history, footprint_of(u->races, first, n));
    unf_spot spot = unf_spot_of(u, history);
    TD_DASSERT(spot.place == UNF_NONE); /* a history is new once */
    spot.place = mine;
    unf_spot_set(u, history, spot);
    stand(u, history, mine);
}

void unf_races_stand(unf *u, uint32_t history, bool is_of_run)
{
    uint32_t mine = unf_spot_of(u, history).place;
    if (mine == UNF_NONE || u->no_races)
        return;
    u->races->is_other_run = !is_of_run;
    stand(u, history, mine);
    u->races->is_other_run = false;
}

/* ---- a run ---- */

void unf_races_begin(unf *u)
{
    seen_vec_clear(&u->races->seen);
    u->races->run_painted = false;
}

void unf_no_races(unf *u)
{
    u->no_races = true;
}

void unf_races_touch(unf *u, uint32_t history, const trc_touch *t)
{
    seen_vec_push(&u->races->seen, (seen_touch){history, *t});
}

void unf_races_next(unf *u, uint32_t history, uint8_t kind, const trc_touch *t)
{
    TD_ASSERT(mdl_is_access(kind) || mdl_touches_object(kind, t->start));
    trc_touch atomic = *t;
    atomic.how = mdl_effect_of(kind) == MDL_EFFECT_E ? TOUCH_STORES : TOUCH_LOADS;
    unf_races_touch(u, history, &atomic);
}

void unf_races_join(unf *u, uint32_t history, uint32_t thread, uint32_t site)
{
    TD_ASSERT(thread < u->threads.len);
    trc_touch joins = {.site = site,
                       .how = TOUCH_JOINS,
                       .start = JOINED + thread,
                       .end = JOINED + thread + 1};
    unf_races_touch(u, history, &joins);
}

static int compare_seen(const void *a, const void *b)
{
    const seen_touch *x = a, *y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    if (x->touch.start != y->touch.start)
        return x->touch.start < y->touch.start ? -1 : 1;
    return (int)x->touch.how - (int)y->touch.how;
}

void unf_races_end(unf *u, const trc *t)
{
    unf_races *r = u->races;
    learn_found(r, t);
    if (r->seen.len == 0 || u->no_races)
        return;
    qsort(r->seen.at, r->seen.len, sizeof r->seen.at[0], compare_seen);
    for (size_t i = 0, n; i < r->seen.len; i += n) {
        for (n = 1;
             i + n < r->seen.len && r->seen.at[i + n].event == r->seen.at[i].event;)
            n++;
        if (td_stops(u->stop))
            r->n_skipped++;
        else
            look(u, r->seen.at[i].event, i, n);
    }
}

const unf_vec *unf_races_ended(const unf *u, uint32_t history)
{
    uint32_t ix = unf_spot_of(u, history).place;
    return ix == UNF_NONE ? NULL : &u->races->places.at[ix].ended;
}

void unf_races_lost(const unf *u, unf_losses *out)
{
    bool alone = u->threads.len == 1;
    out->uncompared = alone ? 0 : u->races->n_skipped;
}
