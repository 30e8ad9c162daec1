/* SPDX-License-Identifier: Apache-2.0 */
/* What is known behind each spot of the forest, from the leaves up. What is behind a spot that several ways lead to
 * is looked at once. */
#include "explore/product/product_int.h"

#include <stdlib.h>

#include "base/assert.h"

/* Of a spot: whether it is to be looked at again. */
enum stale { FRESH, STALE, UNDER_WAY };

enum {
    MAX_MUTEXES = 24 /* that are cuts */,
    SHAPE_END = 1,
    SHAPE_OVER,
    SHAPE_UNKNOWN,
    SHAPE_ROUND,
    SHAPE_CYCLE
};

void xpl_shapes_fini(xpl_shapes *s)
{
    xpl_u32_vec_fini(&s->slot_of);
    xpl_shape_vec_fini(&s->names);
    xpl_map_fini(&s->next_of);
    xpl_pending_vec_fini(&s->nexts);
    xpl_map_fini(&s->idle_of);
    xpl_map_fini(&s->may_idle);
    exp_ref_vec_fini(&s->conditions);
    xpl_u32_vec_fini(&s->matters);
    xpl_u32_vec_fini(&s->asks);
    xpl_u32_vec_fini(&s->cut_of);
    xpl_pending_vec_fini(&s->pending);
    xpl_shape_vec_fini(&s->shape);
    xpl_word_vec_fini(&s->fetched);
    xpl_u32_vec_fini(&s->live_first);
    xpl_u32_vec_fini(&s->live_end);
    xpl_u32_vec_fini(&s->live);
    xpl_word_vec_fini(&s->read);
    xpl_word_vec_fini(&s->now);
    xpl_word_vec_fini(&s->forced);
    xpl_word_vec_fini(&s->later);
    xpl_alikes_fini(&s->alikes);
    xpl_blocks_fini(&s->blocks);
    xpl_u32_vec_fini(&s->type_of);
    xpl_word_vec_fini(&s->ranks);
    exp_u32_vec_fini(&s->members);
    xpl_u32_vec_fini(&s->ix_of_node);
    xpl_u32_vec_fini(&s->ix_of_tree);
    xpl_u32_vec_fini(&s->is_stale);
    xpl_u32_vec_fini(&s->todo);
    xpl_u32_vec_fini(&s->order);
    xpl_u32_vec_fini(&s->closes);
}

/* ---- threads and what they wait to do ---- */

static uint32_t slot_named(xpl_shapes *s, td_id name)
{
    for (uint32_t i = 0; i < s->names.len; i++)
        if (td_id_equal(s->names.at[i], name))
            return i;
    xpl_shape_vec_push(&s->names, name);
    return (uint32_t)s->names.len - 1;
}

static void know_slots(xpl_shapes *s)
{
    for (size_t i = s->slot_of.len; i < s->f->trees.len; i++)
        xpl_u32_vec_push(&s->slot_of, slot_named(s, s->f->trees.at[i].name));
    s->n_slots = (uint32_t)s->names.len;
}

static bool waits_for_itself(const trc *t, uint32_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == thread && t->waits.at[i].kind != WIRE_NONE &&
            t->waits.at[i].other == thread)
            return true;
    return false;
}

static uint32_t spot_before(const xpl_node *n)
{
    return n->before == XPL_NONE ? XPL_START | n->tree : n->before;
}

/* The spot is to be looked at again, and all from which a thread can come there. */
static void mark(xpl_shapes *s, uint32_t spot)
{
    const xpl_forest *f = s->f;
    xpl_u32_vec_clear(&s->todo);
    xpl_u32_vec_push(&s->todo, spot);
    while (s->todo.len > 0) {
        spot = xpl_u32_vec_pop(&s->todo);
        bool is_start = (spot & XPL_START) != 0;
        bool jumps = !is_start && f->nodes.at[spot].jump != XPL_NONE;
        uint32_t *is_stale = &s->is_stale.at[xpl_spot_ix(s, spot)];
        if (!jumps && *is_stale)
            continue;
        if (!jumps)
            *is_stale = STALE;
        if (is_start) {
            uint32_t create = f->trees.at[spot & ~XPL_START].create;
            if (create != XPL_NONE)
                xpl_u32_vec_push(&s->todo, spot_before(&f->nodes.at[create]));
            continue;
        }
        xpl_u32_vec_push(&s->todo, spot_before(&f->nodes.at[spot]));
        for (uint32_t i = f->nodes.at[spot].met_by; i != XPL_NONE;
             i = f->nodes.at[i].met_before)
            xpl_u32_vec_push(&s->todo, i);
    }
}

/* So many operations that read memory end with the node. */
static bool is_round(const xpl_forest *f, uint32_t node, uint32_t n_ops)
{
    uint32_t i = xpl_round_last(f, node);
    for (; n_ops > 0 && i != XPL_NONE; n_ops--) {
        const xpl_node *n = &f->nodes.at[i];
        if (n->place == XPL_NONE || n->variable == XPL_NONE)
            return false;
        i = n_ops > 1 ? xpl_round_before(f, i) : i;
    }
    return n_ops == 0;
}

/* Other ways, with other reads, join the round at its end, or may join it at a header in it. */
static bool has_header(const xpl_forest *f, uint32_t node, uint32_t n_ops)
{
    for (uint32_t i = node; i != XPL_NONE; i = f->nodes.at[i].before) {
        if (i == node ? f->nodes.at[i].met_by != XPL_NONE : f->nodes.at[i].is_header)
            return true;
        n_ops -= f->nodes.at[i].is_choice;
        if (n_ops == 0)
            return false;
    }
    return false;
}

/* A thread was back where it was, after so many reads. */
static void know_round(xpl_shapes *s, uint32_t spot, uint32_t n_ops)
{
    size_t before = s->idle_of.len;
    if ((spot & XPL_START) || !is_round(s->f, spot, n_ops))
        return;
    s->is_joined_wrongly |= has_header(s->f, spot, n_ops);
    xpl_map_put(&s->idle_of, spot, n_ops);
    if (s->idle_of.len == before)
        return;
    const xpl_node *n = &s->f->nodes.at[xpl_round_last(s->f, spot)];
    xpl_map_set(&s->may_idle, n->before == XPL_NONE ? XPL_START | n->tree : n->before, 1);
    mark(s, spot);
}

/* What threads that have not ended would have done next. */
static void know_nexts(xpl_shapes *s, xpl_forest *f, const trc *t)
{
    for (size_t i = 0; i < t->nexts.len && t->done != WIRE_DONE_DEPTH; i++) {
        const trc_next *n = &t->nexts.at[i];
        uint32_t end = f->ends.at[n->thread];
        uint32_t spot = end == XPL_NONE ? XPL_START | f->tree_of.at[n->thread] : end;
        uint32_t next = (uint32_t)s->nexts.len;
        if (mdl_stands(n->kind) && n->size > 0) {
            know_round(s, spot, n->size);
            continue;
        }
        bool is_access = mdl_reads(n->kind) || mdl_writes(n->kind);
        uint64_t bytes = n->object << 8 | n->size;
        xpl_pending p = {.kind = n->kind,
                         .is_stuck = waits_for_itself(t, n->thread),
                         .object = xpl_has_object(n->kind)
                                       ? xpl_forest_object(f, n->object)
                                       : XPL_NONE,
                         .place = is_access ? xpl_map_get(&f->place_of, bytes) : XPL_NONE,
                         .other = n->other == UINT32_MAX
                                      ? XPL_NONE
                                      : s->slot_of.at[f->tree_of.at[n->other]],
                         .site = n->site};
        if (xpl_map_put(&s->next_of, spot, next) == next) {
            xpl_pending_vec_push(&s->nexts, p);
            mark(s, spot);
        }
    }
}

static xpl_pending pending_of(xpl_shapes *s, uint32_t spot, uint32_t first)
{
    const xpl_forest *f = s->f;
    xpl_pending p = {.object = XPL_NONE, .place = XPL_NONE, .other = XPL_NONE};
    bool is_node = !(spot & XPL_START);
    uint32_t next = xpl_map_get(&s->next_of, spot);
    if (first == XPL_NONE && next != XPL_NONE)
        p = s->nexts.at[next];
    if (first != XPL_NONE) {
        const xpl_node *n = &f->nodes.at[first];
        p.kind = mdl_asked_kind(n->kind);
        p.is_known = true;
        p.object = n->object;
        p.place = n->place;
        p.site = n->site;
        if (mdl_joins(n->kind))
            p.other = s->slot_of.at[n->other];
        p.is_changed = next != XPL_NONE && mdl_stands(s->nexts.at[next].kind);
    }
    p.has_failed =
        mdl_stands(p.kind) || (is_node && f->nodes.at[spot].is_fatal && !p.is_known);
    p.never = p.has_failed || mdl_exits(p.kind) ||
              (is_node && mdl_ends(f->nodes.at[spot].kind));
    return p;
}

/* ---- sets ---- */

static void add_all(uint64_t *to, const uint64_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] |= from[i];
}

/* Two sets: touched, and changed. */
static void add_thing(const xpl_shapes *s, uint64_t *to, uint8_t kind, uint32_t place,
                      uint32_t object)
{
    uint32_t thing =
        place != XPL_NONE ? xpl_thing_of_place(place) : xpl_thing_of_object(object);
    if (place == XPL_NONE && object == XPL_NONE)
        return;
    bool changes = mdl_effect_of(kind) == MDL_EFFECT_E ||
                   mdl_effect_of(mdl_asked_kind(kind)) == MDL_EFFECT_E;
    TD_ASSERT(thing < 64 * s->n_words);
    to[thing / 64] |= UINT64_C(1) << thing % 64;
    if (changes)
        to[s->n_words + thing / 64] |= UINT64_C(1) << thing % 64;
}

static void add_node(const xpl_shapes *s, uint64_t *to, const xpl_node *n)
{
    add_thing(s, to, n->kind, n->place, n->object);
    xpl_blocks_add_things(s, to, (uint32_t)(n - s->f->nodes.at), false);
    if (mdl_creates(n->kind))
        xpl_blocks_add_things(s, to, XPL_START | n->other, false);
}

static uint64_t *later_at(const xpl_shapes *s, uint32_t ix, uint32_t cut)
{
    return s->later.at + ((size_t)ix * s->n_cuts + cut) * 2 * s->n_words;
}

/* The cut that the node is; 0: none. */
static uint32_t cut_at(const xpl_shapes *s, const xpl_node *n)
{
    if (mdl_joins(n->kind))
        return xpl_cut_of_slot(s->slot_of.at[n->other]);
    return mdl_locks_mutex(n->kind) ? s->cut_of.at[n->object] : 0;
}

/* What the node and those behind it touch, for every cut. */
static void add_later(xpl_shapes *s, uint32_t ix, uint32_t node)
{
    const xpl_node *n = &s->f->nodes.at[node];
    uint32_t behind = xpl_spot_ix(s, node);
    uint32_t cut = cut_at(s, n), two = 2 * s->n_words;
    for (uint32_t k = 0; k < s->n_cuts; k++) {
        bool is_cut = k > 0 && k == cut;
        /* Who only tries finds out that the mutex is held. */
        if (!is_cut || !mdl_may_wait(n->kind))
            add_node(s, later_at(s, ix, k), n);
        if (is_cut)
            continue;
        add_all(later_at(s, ix, k), later_at(s, behind, k), two);
        if (mdl_creates(n->kind))
            add_all(later_at(s, ix, k), later_at(s, s->ix_of_tree.at[n->other], k), two);
    }
}

/* ---- one spot ---- */

/* What is known behind a spot from which the thread comes back there: no other spot is alike. */
static td_id shape_of_cycle(const xpl_shapes *s, uint32_t ix)
{
    uint64_t words[3] = {SHAPE_CYCLE, ix, s->n_takes};
    return td_id_hash(words, sizeof words);
}

static td_id shape_of_node(const xpl_shapes *s, uint32_t node)
{
    const xpl_node *n = &s->f->nodes.at[node];
    uint32_t ix = xpl_spot_ix(s, node);
    struct {
        td_id behind, created, blocks;
        uint64_t side;
        uint32_t kind, flags, site, place, object, other, question, variable, written,
            size;
    } words = {.behind = s->is_stale.at[ix] == UNDER_WAY ? shape_of_cycle(s, ix)
                                                         : s->shape.at[ix],
               .blocks = xpl_blocks_shape(s, node),
               .side = n->side,
               .kind = n->kind,
               .flags = (uint32_t)n->is_choice | (uint32_t)n->is_closed << 1 |
                        (uint32_t)n->is_last << 2 | (uint32_t)n->is_outcome << 3,
               .site = n->site,
               .place = n->place,
               .object = n->object,
               .other = mdl_joins(n->kind) ? s->slot_of.at[n->other] : XPL_NONE,
               .question = n->question,
               .variable = n->variable,
               .written = n->written.ix,
               .size = n->size};
    if (mdl_creates(n->kind))
        words.created = s->shape.at[s->ix_of_tree.at[n->other]];
    return td_id_hash(&words, sizeof words);
}

/* What nothing is known behind. */
static td_id shape_of_leaf(const xpl_pending *p, uint32_t spot)
{
    bool is_over = p->has_failed || mdl_exits(p->kind);
    uint32_t how = !p->never ? SHAPE_UNKNOWN : is_over ? SHAPE_OVER : SHAPE_END;
    uint32_t words[4] = {how, how == SHAPE_UNKNOWN ? spot : 0,
                         how == SHAPE_OVER ? p->site : 0,
                         how == SHAPE_OVER ? p->kind : 0};
    return td_id_hash(words, sizeof words);
}

/* A rank, and the variable that has it. */
static int by_rank(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static void mention(xpl_shapes *s, exp_ref e)
{
    const exp_dag *d = pth_dag(s->f->path);
    if (e.ix)
        exp_set_list(d, exp_inputs(d, e), &s->members);
}

static void mention_live(xpl_shapes *s, uint32_t ix, uint32_t but)
{
    for (uint32_t i = s->live_first.at[ix]; i < s->live_end.at[ix]; i++)
        if (s->live.at[i] != but)
            exp_u32_vec_push(&s->members, s->live.at[i]);
}

/* Whether a thread that waits in a loop would leave it now depends on what it read in the round. */
static void mention_round(xpl_shapes *s, uint32_t ix, uint32_t node)
{
    uint32_t n_ops = xpl_map_get(&s->idle_of, node);
    uint32_t i = xpl_round_last(s->f, node);
    uint64_t *read = s->read.at + (size_t)ix * s->n_words;
    for (uint32_t k = 0; n_ops != XPL_NONE && k < n_ops && i != XPL_NONE; k++) {
        const xpl_node *n = &s->f->nodes.at[i];
        uint32_t thing = xpl_thing_of_place(n->place);
        TD_ASSERT(n->place != XPL_NONE && n->variable != XPL_NONE);
        exp_u32_vec_push(&s->members, n->variable);
        read[thing / 64] |= UINT64_C(1) << thing % 64;
        i = xpl_round_before(s->f, i);
    }
}

/* Variables that something behind the spot mentions, and that were read before. */
static void find_live(xpl_shapes *s, uint32_t ix, uint32_t first, uint32_t spot)
{
    exp_u32_vec_clear(&s->members);
    if (!(spot & XPL_START))
        mention_round(s, ix, spot);
    for (uint32_t i = first; i != XPL_NONE; i = s->f->nodes.at[i].next) {
        const xpl_node *n = &s->f->nodes.at[i];
        size_t before = s->members.len;
        mention(s, s->conditions.at[i]);
        if (n->place == XPL_NONE || s->matters.at[n->place])
            mention(s, n->written);
        size_t kept = before;
        for (size_t k = before; k < s->members.len; k++)
            if (s->members.at[k] != n->variable)
                s->members.at[kept++] = s->members.at[k];
        s->members.len = kept;
        mention_live(s, xpl_spot_ix(s, i), n->variable);
        if (mdl_creates(n->kind))
            mention_live(s, s->ix_of_tree.at[n->other], XPL_NONE);
    }
    xpl_word_vec *ranks = &s->ranks;
    uint32_t slot = s->slot_of.at[xpl_spot_tree(s, spot)];
    xpl_word_vec_clear(ranks);
    for (size_t i = 0; i < s->members.len; i++) {
        xpl_word_vec_push(ranks, xpl_variable_rank(s, s->members.at[i], slot));
        xpl_word_vec_push(ranks, s->members.at[i]);
    }
    if (s->members.len > 1)
        qsort(ranks->at, s->members.len, 2 * sizeof ranks->at[0], by_rank);
    s->live_first.at[ix] = (uint32_t)s->live.len;
    for (size_t i = 1; i < ranks->len; i += 2)
        if (i == 1 || ranks->at[i] != ranks->at[i - 2])
            xpl_u32_vec_push(&s->live, (uint32_t)ranks->at[i]);
    s->live_end.at[ix] = (uint32_t)s->live.len;
}

/* A counter that threads only count up is no part of a state: what is written to a place counts only if something
 * that is read there is needed later. */
static bool reads_what_matters(xpl_shapes *s, const xpl_node *n, uint32_t behind)
{
    bool is_live = false;
    uint32_t *matters = &s->matters.at[n->place];
    for (uint32_t i = s->live_first.at[behind]; i < s->live_end.at[behind]; i++)
        is_live |= s->live.at[i] == n->variable;
    s->matters_more |= is_live && !*matters;
    *matters |= is_live;
    return *matters;
}

static void find_sets(xpl_shapes *s, uint32_t ix, uint32_t node)
{
    const xpl_node *n = &s->f->nodes.at[node];
    uint32_t w = s->n_words, behind = xpl_spot_ix(s, node);
    uint64_t *now = s->now.at + (size_t)ix * 2 * w;
    uint64_t *forced = s->forced.at + (size_t)ix * 2 * w;
    uint64_t *read = s->read.at + (size_t)ix * w;
    add_later(s, ix, node);
    add_node(s, now, n);
    add_all(now, s->forced.at + (size_t)behind * 2 * w, 2 * w);
    if (!n->is_choice && !mdl_ends(n->kind))
        add_all(forced, now, 2 * w);
    const uint64_t *later_read = s->read.at + (size_t)behind * w;
    bool fills =
        n->is_slot && n->variable == XPL_NONE; /* so what was there is not read */
    uint32_t filled = fills ? xpl_thing_of_place(n->place) : XPL_NONE;
    for (uint32_t i = 0; i < w; i++)
        read[i] |= later_read[i] & ~(filled / 64 == i ? UINT64_C(1) << filled % 64 : 0);
    if (n->variable != XPL_NONE && n->place != XPL_NONE &&
        reads_what_matters(s, n, behind))
        read[xpl_thing_of_place(n->place) / 64] |= UINT64_C(1)
                                                   << xpl_thing_of_place(n->place) % 64;
    if (mdl_creates(n->kind)) {
        add_all(read, s->read.at + (size_t)(s->ix_of_tree.at[n->other]) * w, w);
        s->fetched.at[ix] |= s->fetched.at[s->ix_of_tree.at[n->other]];
    }
    s->fetched.at[ix] |= s->fetched.at[behind];
    if (mdl_joins(n->kind) && n->variable != XPL_NONE)
        s->fetched.at[ix] |= UINT64_C(1) << s->slot_of.at[n->other];
}

static void clear(const xpl_shapes *s, uint32_t ix)
{
    size_t w = s->n_words;
    s->fetched.at[ix] = 0;
    memset(s->read.at + ix * w, 0, w * sizeof(uint64_t));
    memset(s->now.at + ix * 2 * w, 0, 2 * w * sizeof(uint64_t));
    memset(s->forced.at + ix * 2 * w, 0, 2 * w * sizeof(uint64_t));
    if (s->n_cuts > 0)
        memset(later_at(s, ix, 0), 0, 2 * w * s->n_cuts * sizeof(uint64_t));
}

/* What follows depends on a value that was read on some of the ways that meet here, not on all. */
static bool needs_one_way(const xpl_shapes *s, const xpl_node *n, uint32_t ix)
{
    for (uint32_t i = s->live_first.at[ix]; i < s->live_end.at[ix]; i++) {
        uint32_t v = s->live.at[i];
        if (xpl_reader_of(s, v) == s->slot_of.at[n->tree] &&
            s->f->reads.at[v] >= n->n_common)
            return true;
    }
    return false;
}

/* Everything but the shape. */
static void find_behind(xpl_shapes *s, uint32_t spot)
{
    uint32_t ix = xpl_spot_ix(s, spot);
    uint32_t first = xpl_first_behind(s->f, spot);
    xpl_pending p = pending_of(s, spot, first);
    s->pending.at[ix] = p;
    if (p.never)
        first = XPL_NONE;
    find_live(s, ix, first, spot);
    xpl_blocks_add_things(s, s->now.at + (size_t)ix * 2 * s->n_words, spot, true);
    for (uint32_t k = 0; k < s->n_cuts; k++)
        xpl_blocks_add_things(s, later_at(s, ix, k), spot, true);
    for (uint32_t i = first; i != XPL_NONE; i = s->f->nodes.at[i].next)
        find_sets(s, ix, i);
    if (first == XPL_NONE) {
        add_thing(s, s->now.at + (size_t)ix * 2 * s->n_words, p.kind, p.place, p.object);
        for (uint32_t k = 0; k < s->n_cuts && !p.never; k++)
            add_thing(s, later_at(s, ix, k), p.kind, p.place, p.object);
    }
}

static void find_shape(xpl_shapes *s, uint32_t spot)
{
    uint32_t ix = xpl_spot_ix(s, spot);
    const xpl_pending *p = &s->pending.at[ix];
    uint32_t first = p->never ? XPL_NONE : xpl_first_behind(s->f, spot);
    td_id shape = {0};
    if (first == XPL_NONE)
        shape = shape_of_leaf(p, spot);
    for (uint32_t i = first; i != XPL_NONE; i = s->f->nodes.at[i].next)
        shape = td_id_sum(shape, shape_of_node(s, i));
    uint32_t n_ops = xpl_map_get(&s->idle_of, spot);
    uint32_t round[2] = {SHAPE_ROUND, n_ops};
    if (n_ops != XPL_NONE)
        shape = td_id_sum(shape, td_id_hash(round, sizeof round));
    shape = td_id_sum(shape, xpl_blocks_shape(s, spot));
    s->shape.at[ix] = shape;
    xpl_alike_find(s, spot);
}

/* ---- all of them ---- */

/* A variable of what the last node decides or writes. */
static void look_at_input(xpl_shapes *s, pth_input in)
{
    bool is_tried = !in.is_read && in.bits <= XPL_MAX_BITS;
    s->n_inputs += !in.is_read && !is_tried;
    if (is_tried)
        s->asks.at[s->asks.len - 1] = 1;
}

static void find_conditions(xpl_shapes *s)
{
    pth *path = s->f->path;
    for (size_t i = s->conditions.len; i < s->f->nodes.len; i++) {
        const xpl_node *n = &s->f->nodes.at[i];
        exp_ref e = n->question == XPL_NONE ? EXP_NONE
                                            : pth_condition(path, n->question, n->side);
        exp_ref_vec_push(&s->conditions, e);
        xpl_u32_vec_push(&s->asks, 0);
        xpl_u32_vec_push(&s->closes, 0);
        exp_u32_vec_clear(&s->members);
        mention(s, e);
        mention(s, n->written);
        for (size_t k = 0; k < s->members.len; k++)
            look_at_input(s, pth_input_at(path, s->members.at[k]));
    }
}

/* True: cuts or things have other numbers now. */
static bool find_cuts(xpl_shapes *s)
{
    uint32_t next = 1 + s->n_slots, before = s->n_cuts;
    bool has_changed = false;
    for (uint32_t i = 0; i < s->f->objects.len; i++) {
        const xpl_object *o = &s->f->objects.at[i];
        bool is_mutex = false;
        for (size_t k = 0; k < o->nodes.len && !is_mutex; k++)
            is_mutex = mdl_locks_mutex(s->f->nodes.at[o->nodes.at[k]].kind);
        bool has_cut = is_mutex && next < 1 + s->n_slots + MAX_MUTEXES;
        if (s->cut_of.len == i)
            xpl_u32_vec_push(&s->cut_of, 0);
        has_changed |= s->cut_of.at[i] != (has_cut ? next : 0);
        s->cut_of.at[i] = has_cut ? next : 0;
        next += has_cut;
    }
    s->n_cuts = next;
    s->n_places = (uint32_t)s->f->places.len;
    s->n_objects = (uint32_t)s->f->objects.len;
    uint32_t most = s->n_places > s->n_objects ? s->n_places : s->n_objects;
    bool is_narrow = s->n_words == 0 || 2 * most > 64 * s->n_words;
    if (!is_narrow && !has_changed && next == before)
        return false;
    if (is_narrow)
        s->n_words = 3 * most / 64 + 1;
    TD_ASSERT(s->n_words > 0 && 2 * most <= 64 * s->n_words);
    return true;
}

static void widen(xpl_word_vec *v, size_t n)
{
    xpl_word_vec_reserve(v, n);
    v->len = n;
}

static void make_room(xpl_shapes *s)
{
    size_t n = s->is_stale.len, w = s->n_words;
    /* Nothing is ever found of a spot whose thread continues behind another node. */
    while (s->pending.len < n)
        xpl_pending_vec_push(&s->pending, (xpl_pending){0});
    xpl_shape_vec_reserve(&s->shape, n);
    xpl_u32_vec_reserve(&s->live_first, n);
    xpl_u32_vec_reserve(&s->live_end, n);
    s->shape.len = s->live_first.len = s->live_end.len = n;
    xpl_shape_vec_reserve(&s->alikes.shape, n);
    s->alikes.shape.len = n;
    widen(&s->alikes.marks, n * s->n_slots);
    widen(&s->alikes.names, n);
    widen(&s->alikes.joins, n);
    widen(&s->fetched, n);
    widen(&s->read, n * w);
    widen(&s->now, n * 2 * w);
    widen(&s->forced, n * 2 * w);
    widen(&s->later, n * 2 * w * s->n_cuts);
}

/* Numbers for new spots. */
static void number(xpl_shapes *s)
{
    while (s->ix_of_node.len < s->f->nodes.len) {
        xpl_u32_vec_push(&s->ix_of_node, (uint32_t)s->is_stale.len);
        xpl_u32_vec_push(&s->is_stale, 0);
    }
    while (s->ix_of_tree.len < s->f->trees.len) {
        xpl_u32_vec_push(&s->ix_of_tree, (uint32_t)s->is_stale.len);
        xpl_u32_vec_push(&s->is_stale, 0);
    }
}

/* A spot behind this one that is to be looked at first; XPL_NOWHERE. */
static uint32_t stale_behind(xpl_shapes *s, uint32_t spot)
{
    for (uint32_t i = xpl_first_behind(s->f, spot); i != XPL_NONE;
         i = s->f->nodes.at[i].next) {
        const xpl_node *n = &s->f->nodes.at[i];
        if (mdl_creates(n->kind) && s->is_stale.at[s->ix_of_tree.at[n->other]])
            return XPL_START | n->other;
        uint32_t stale = s->is_stale.at[xpl_spot_ix(s, i)];
        if (stale == STALE)
            return xpl_forest_landing(s->f, i);
        if (stale != UNDER_WAY)
            continue;
        s->has_cycle = true;
        s->n_closes += !s->closes.at[i];
        s->closes.at[i] = 1;
    }
    return XPL_NOWHERE;
}

/* How much is in the sets of a spot. */
static uint64_t size_of_sets(const xpl_shapes *s, uint32_t ix)
{
    size_t w = s->n_words, n_later = 2 * w * s->n_cuts;
    uint64_t n = s->live_end.at[ix] - s->live_first.at[ix];
    for (size_t i = 0; i < w; i++)
        n += (uint64_t)__builtin_popcountll(s->read.at[ix * w + i]);
    for (size_t i = 0; i < 2 * w; i++)
        n += (uint64_t)__builtin_popcountll(s->forced.at[ix * 2 * w + i]) +
             (uint64_t)__builtin_popcountll(s->now.at[ix * 2 * w + i]);
    for (size_t i = 0; i < n_later; i++)
        n += (uint64_t)__builtin_popcountll(s->later.at[ix * n_later + i]);
    return n + (uint64_t)__builtin_popcountll(s->fetched.at[ix]);
}

/* Sets only grow: around cycles they are found again until none does. */
static void find_around_cycles(xpl_shapes *s)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < s->order.len; i++) {
            uint32_t ix = xpl_spot_ix(s, s->order.at[i]);
            uint64_t before = size_of_sets(s, ix);
            find_behind(s, s->order.at[i]);
            grows |= size_of_sets(s, ix) != before;
        }
    }
}

/* From the leaves up; what is behind a spot from which the thread can come back there is not known then. */
static void find_all(xpl_shapes *s, uint32_t root)
{
    s->has_cycle = false;
    xpl_u32_vec_clear(&s->order);
    xpl_u32_vec_clear(&s->todo);
    xpl_u32_vec_push(&s->todo, root);
    while (s->todo.len > 0) {
        uint32_t spot = s->todo.at[s->todo.len - 1];
        uint32_t ix = xpl_spot_ix(s, spot);
        if (s->is_stale.at[ix] == STALE) {
            clear(s, ix);
            s->live_first.at[ix] = s->live_end.at[ix] = (uint32_t)s->live.len;
            s->is_stale.at[ix] = UNDER_WAY;
            xpl_alike_unknown(s, ix);
        }
        uint32_t first = stale_behind(s, spot);
        if (first != XPL_NOWHERE) {
            xpl_u32_vec_push(&s->todo, first);
            continue;
        }
        find_behind(s, spot);
        find_shape(s, spot);
        s->is_stale.at[ix] = FRESH;
        xpl_u32_vec_push(&s->order, spot);
        xpl_u32_vec_pop(&s->todo);
    }
    if (s->has_cycle)
        find_around_cycles(s);
    for (size_t i = 0; i < s->order.len; i++) {
        uint32_t spot = s->order.at[i];
        s->is_joined_wrongly |=
            !(spot & XPL_START) &&
            needs_one_way(s, &s->f->nodes.at[spot], xpl_spot_ix(s, spot));
    }
}

static void look_again(xpl_shapes *s, bool all)
{
    const xpl_forest *f = s->f;
    mark(s, XPL_START | 0);
    do {
        for (uint32_t i = (uint32_t)f->nodes.len; all && i-- > 0;)
            mark(s, i);
        for (uint32_t i = 0; all && i < f->trees.len; i++)
            mark(s, XPL_START | i);
        s->matters_more = false;
        find_all(s, XPL_START | 0);
        all = s->matters_more;
    } while (all);
}

/* What type of object the new nodes are done to. True: it is the first time that a thread asks for another's result. */
static bool look_at_added(xpl_shapes *s)
{
    bool had_fetched = s->alikes.fetches;
    while (s->type_of.len < s->f->objects.len)
        xpl_u32_vec_push(&s->type_of, XPL_NO_TYPE);
    for (size_t i = 0; i < s->f->added.len; i++) {
        const xpl_node *n = &s->f->nodes.at[s->f->added.at[i]];
        s->alikes.fetches |= mdl_joins(n->kind) && n->variable != XPL_NONE;
        if (n->object == XPL_NONE || mdl_resets(n->kind))
            continue;
        uint32_t *type = &s->type_of.at[n->object], now = mdl_type_of(n->kind);
        *type = *type == XPL_NO_TYPE || *type == now ? now : XPL_TYPES;
    }
    return s->alikes.fetches && !had_fetched;
}

void xpl_shapes_take(xpl_shapes *s, xpl_forest *f, const trc *t)
{
    s->f = f;
    s->n_takes++;
    size_t n_known = s->ix_of_tree.len;
    know_slots(s);
    if (s->n_slots > XPL_MAX_SLOTS)
        return; /* nobody looks any more */
    number(s);
    know_nexts(s, f, t);
    find_conditions(s);
    bool all = find_cuts(s);
    all |= look_at_added(s);
    if (all)
        xpl_u32_vec_clear(&s->live);
    make_room(s);
    while (s->matters.len < f->places.len)
        xpl_u32_vec_push(&s->matters, 0);
    for (size_t i = 0; i < f->added.len; i++) {
        uint32_t landing = xpl_forest_landing(f, f->added.at[i]);
        s->is_joined_wrongly |=
            landing != f->added.at[i] && xpl_map_get(&s->idle_of, landing) != XPL_NONE;
        mark(s, f->added.at[i]);
    }
    for (size_t i = n_known; i < f->trees.len; i++)
        mark(s,
             XPL_START | (uint32_t)i); /* a run that was cut shows nothing of a thread */
    look_again(s, all);
}

void xpl_shapes_renew(xpl_shapes *s)
{
    find_cuts(s);
    xpl_u32_vec_clear(&s->live);
    make_room(s);
    look_again(s, true);
}
