/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdlib.h>

/* Data races in the structure: plain accesses of two threads that a configuration lets happen
 * side by side, though no run had both.
 *
 * The footprint of a history is what its thread touches up to the next operation; there are
 * few different ones. A place is what all histories of a thread have in common that have the
 * same footprint and hold the same locks. A new history is compared with the histories of
 * places whose footprint clashes with its own and that hold no lock in common: it is a race
 * if both can stand where they are at the same time. Runs that have both find the race by
 * themselves; a pair of sites is handed out once. */

enum {
    MAX_COMPARED = 256
}; /* histories of one place that one new one is compared with */

typedef struct footprint {
    uint32_t first, n; /* in races.touches */
    td_id id;
} footprint;

typedef struct place {
    uint32_t thread, footprint;
    uint32_t held, n_held; /* objects, in races.objects, rising */
    unf_vec histories;
} place;

/* Two places, and whether their footprints clash. */
typedef struct seen_touch {
    uint32_t event;
    trc_touch touch;
} seen_touch;

TD_VEC(footprint, footprint_vec);
TD_VEC(place, place_vec);
TD_VEC(trc_touch, touch_vec);
TD_VEC(seen_touch, seen_vec);

struct unf_races {
    touch_vec touches;
    footprint_vec footprints;
    place_vec places;
    unf_vec objects;
    seen_vec seen;   /* touches of new histories of this run */
    td_id_set known; /* pairs of sites */
    unf_cfg *cfg, *run;
    bool run_painted;
    uint64_t n_skipped, n_truncated;
};

unf_races *unf_races_new(const unf *u)
{
    unf_races *r = td_alloc(sizeof *r);
    r->cfg = unf_cfg_new(u);
    r->run = unf_cfg_new(u);
    return r;
}

void unf_races_free(unf_races *r)
{
    for (size_t i = 0; i < r->places.len; i++)
        unf_vec_fini(&r->places.at[i].histories);
    touch_vec_fini(&r->touches);
    footprint_vec_fini(&r->footprints);
    place_vec_fini(&r->places);
    unf_vec_fini(&r->objects);
    seen_vec_fini(&r->seen);
    td_id_set_fini(&r->known);
    unf_cfg_free(r->cfg);
    unf_cfg_free(r->run);
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

/* Sites of a clash that is not known yet. */
static bool clash(const unf_races *r, uint32_t a, uint32_t b, uint32_t *site_a,
                  uint32_t *site_b)
{
    const footprint *f = &r->footprints.at[a], *g = &r->footprints.at[b];
    for (uint32_t i = f->first; i < f->first + f->n; i++)
        for (uint32_t k = g->first; k < g->first + g->n; k++) {
            const trc_touch *x = &r->touches.at[i], *y = &r->touches.at[k];
            bool overlap = x->start < y->end && y->start < x->end;
            if (!overlap || (x->how != 1 && y->how != 1) ||
                td_id_set_has(&r->known, pair_id(x->site, y->site)))
                continue;
            *site_a = x->site;
            *site_b = y->site;
            return true;
        }
    return false;
}

/* ---- footprints and places ---- */

/* The footprint of n touches in seen from first on. */
static uint32_t footprint_of(unf_races *r, size_t first, size_t n)
{
    td_id id = {0};
    for (size_t i = 0; i < n; i++) {
        const trc_touch *t = &r->seen.at[first + i].touch;
        uint64_t parts[5] = {t->start, t->end, t->site, t->how, id.lo};
        id = td_id_hash(parts, sizeof parts);
    }
    for (uint32_t i = 0; i < r->footprints.len; i++)
        if (td_id_equal(r->footprints.at[i].id, id))
            return i;
    footprint f = {(uint32_t)r->touches.len, (uint32_t)n, id};
    for (size_t i = 0; i < n; i++)
        touch_vec_push(&r->touches, r->seen.at[first + i].touch);
    footprint_vec_push(&r->footprints, f);
    return (uint32_t)r->footprints.len - 1;
}

static bool place_equal(const unf_races *r, const place *a, const place *b)
{
    return a->thread == b->thread && a->footprint == b->footprint &&
           a->n_held == b->n_held &&
           memcmp(r->objects.at + a->held, r->objects.at + b->held,
                  a->n_held * sizeof(uint32_t)) == 0;
}

static uint32_t place_of(unf *u, uint32_t history, uint32_t fp)
{
    unf_races *r = u->races;
    place p = {.thread = node_at(u, history)->thread,
               .footprint = fp,
               .held = (uint32_t)r->objects.len};
    p.n_held = unf_held_objects(u, history, &r->objects);
    for (uint32_t i = 0; i < r->places.len; i++)
        if (place_equal(r, &r->places.at[i], &p)) {
            r->objects.len = p.held;
            return i;
        }
    place_vec_push(&r->places, p);
    return (uint32_t)r->places.len - 1;
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

/* ---- comparing ---- */

static bool run_has(unf *u, uint32_t event)
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
    if ((h->flags | node_at(u, other)->flags) & NODE_LAST || !unf_cfg_free_at(cfg, other))
        return false;
    size_t len = unf_cfg_len(cfg);
    unf_cfg_add(cfg, other);
    bool stand = unf_cfg_depth(cfg, h->thread) == h->depth;
    unf_cfg_cut(cfg, len);
    return stand;
}

static void compare(unf *u, uint32_t history, const place *mine, const place *other)
{
    unf_races *r = u->races;
    uint32_t a = 0, b = 0;
    if (mine->thread == other->thread || share_a_lock(r, mine, other) ||
        !clash(r, mine->footprint, other->footprint, &a, &b))
        return;
    size_t n = other->histories.len, compared = 0;
    for (size_t i = n; i-- > 0 && compared < MAX_COMPARED;) {
        uint32_t candidate = other->histories.at[i];
        if (run_has(u, candidate))
            continue;
        compared++;
        if (!stand_together(u, history, candidate))
            continue;
        td_id_set_add(&r->known, pair_id(a, b));
        unf_suspect_add(u, (uint32_t[]){history, candidate}, 2);
        return;
    }
    if (n > MAX_COMPARED)
        r->n_skipped += n - MAX_COMPARED;
}

static void look(unf *u, uint32_t history, size_t first, size_t n)
{
    unf_races *r = u->races;
    uint32_t mine = place_of(u, history, footprint_of(r, first, n));
    unf_cfg_clear(r->cfg);
    unf_cfg_add(r->cfg, history);
    for (uint32_t i = 0; i < r->places.len; i++)
        compare(u, history, &r->places.at[mine], &r->places.at[i]);
    unf_vec_push(&r->places.at[mine].histories, history);
}

/* ---- a run ---- */

void unf_races_begin(unf *u)
{
    seen_vec_clear(&u->races->seen);
    u->races->run_painted = false;
}

void unf_races_touch(unf *u, uint32_t history, const trc_touch *t)
{
    if (t->how > 1)
        u->races->n_truncated++;
    else
        seen_vec_push(&u->races->seen, (seen_touch){history, *t});
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
    if (r->seen.len == 0)
        return;
    qsort(r->seen.at, r->seen.len, sizeof r->seen.at[0], compare_seen);
    for (size_t i = 0, n; i < r->seen.len; i += n) {
        for (n = 1;
             i + n < r->seen.len && r->seen.at[i + n].event == r->seen.at[i].event;)
            n++;
        look(u, r->seen.at[i].event, i, n);
    }
}

void unf_races_lost(const unf *u, unf_losses *out)
{
    out->uncompared = u->races->n_skipped;
    out->untold = u->races->n_truncated;
}
