/* SPDX-License-Identifier: Apache-2.0 */
/* A state of the product: steps of threads, there and back. */
#include "explore/product/product_int.h"

#include "base/assert.h"

void xpl_state_fini(xpl_state *s)
{
    xpl_u32_vec_fini(&s->at);
    xpl_u32_vec_fini(&s->number);
    exp_value_vec_fini(&s->env);
    xpl_word_vec_fini(&s->memory);
    xpl_word_vec_fini(&s->results);
    xpl_word_vec_fini(&s->objects);
    xpl_u32_vec_fini(&s->chosen);
    xpl_undo_vec_fini(&s->undo);
    xpl_word_vec_fini(&s->scratch);
    xpl_word_vec_fini(&s->sets);
}

void xpl_state_widen(xpl_product *x)
{
    xpl_state *s = &x->state;
    const xpl_forest *f = &x->forest;
    while (s->at.len < x->shapes.n_slots) {
        xpl_u32_vec_push(&s->at, XPL_NOWHERE);
        xpl_u32_vec_push(&s->number, 0);
        xpl_word_vec_push(&s->results, 0);
    }
    while (s->env.len < pth_n_inputs(f->path)) {
        size_t i = s->env.len;
        exp_value_vec_push(&s->env, i < x->values.len ? x->values.at[i] : 0);
        xpl_u32_vec_push(&s->chosen, 0);
    }
    while (s->memory.len < f->places.len)
        xpl_word_vec_push(&s->memory, f->places.at[s->memory.len].value);
    while (s->objects.len < f->objects.len * XPL_OBJECT_WORDS)
        xpl_word_vec_push(&s->objects, 0);
}

/* ---- changes ---- */

static void set_at(xpl_state *s, uint32_t slot, uint32_t spot)
{
    TD_ASSERT(slot < s->at.len);
    xpl_state_note(s, XPL_UNDO_AT, slot, s->at.at[slot]);
    s->at.at[slot] = spot;
}

static void set_variable(xpl_state *s, uint32_t variable, uint64_t value)
{
    TD_ASSERT(variable < s->env.len);
    xpl_state_note(s, XPL_UNDO_ENV, variable, (uint64_t)s->env.at[variable]);
    s->env.at[variable] = value;
}

static void set_memory(xpl_state *s, uint32_t place, uint64_t value)
{
    xpl_state_note(s, XPL_UNDO_MEMORY, place, s->memory.at[place]);
    s->memory.at[place] = value;
}

static void set_result(xpl_state *s, uint32_t slot, uint64_t value)
{
    xpl_state_note(s, XPL_UNDO_RESULT, slot, s->results.at[slot]);
    s->results.at[slot] = value;
}

void xpl_state_back(xpl_state *s, size_t n_undo)
{
    while (s->undo.len > n_undo) {
        xpl_undo u = s->undo.at[--s->undo.len];
        switch (u.what) {
        case XPL_UNDO_AT:
            s->at.at[u.ix] = (uint32_t)u.old;
            break;
        case XPL_UNDO_NUMBER:
            s->number.at[u.ix] = (uint32_t)u.old;
            break;
        case XPL_UNDO_CREATED:
            s->n_created = u.old;
            break;
        case XPL_UNDO_ENV:
            s->env.at[u.ix] = u.old;
            break;
        case XPL_UNDO_MEMORY:
            s->memory.at[u.ix] = u.old;
            break;
        case XPL_UNDO_RESULT:
            s->results.at[u.ix] = u.old;
            break;
        case XPL_UNDO_CHOSEN:
            s->chosen.at[u.ix] = (uint32_t)u.old;
            break;
        default:
            TD_ASSERT(u.what == XPL_UNDO_OBJECT);
            s->objects.at[u.ix] = u.old;
            break;
        }
    }
}

/* ---- steps ---- */

static uint64_t value_of(xpl_product *x, exp_ref e)
{
    return xpl_formula_value(&x->formulas, pth_dag(x->path), e, &x->state.env);
}

/* The node among these whose condition holds; XPL_NONE. */
static uint32_t decided(xpl_product *x, uint32_t first)
{
    uint32_t i = first;
    while (i != XPL_NONE) {
        exp_ref e = x->shapes.conditions.at[i];
        if (!e.ix || value_of(x, e))
            break;
        i = x->forest.nodes.at[i].next;
    }
    return i;
}

static void create(xpl_product *x, const xpl_node *n)
{
    xpl_state *s = &x->state;
    uint32_t slot = x->shapes.slot_of.at[n->other];
    TD_ASSERT(s->at.at[slot] == XPL_NOWHERE); /* one thread has a name */
    xpl_state_note(s, XPL_UNDO_CREATED, 0, s->n_created);
    s->n_created++;
    xpl_state_note(s, XPL_UNDO_NUMBER, slot, s->number.at[slot]);
    s->number.at[slot] = (uint32_t)s->n_created;
    set_at(s, slot, XPL_START | n->other);
    if (!x->is_trying)
        xpl_blocks_step(x, slot, XPL_START | n->other);
}

static void access_memory(xpl_product *x, const xpl_node *n)
{
    TD_ASSERT(n->place < x->state.memory.len);
    if (n->variable != XPL_NONE)
        set_variable(&x->state, n->variable, x->state.memory.at[n->place]);
    if (!n->written.ix)
        return;
    x->has_effect |= !x->is_trying && !n->is_slot;
    set_memory(&x->state, n->place, value_of(x, n->written));
}

/* Other than memory; a mutex that is taken and given back is as before. */
static bool changes_objects(const xpl_node *n)
{
    return n->place == XPL_NONE && mdl_effect_of(n->kind) == MDL_EFFECT_E &&
           !mdl_locks_mutex(n->kind) && !mdl_unlocks_mutex(n->kind);
}

/* What the node does; its thread is behind it then. */
static void do_node(xpl_product *x, uint32_t slot, uint32_t node)
{
    const xpl_node *n = &x->forest.nodes.at[node];
    TD_ASSERT(x->shapes.slot_of.at[n->tree] == slot);
    set_at(&x->state, slot, node);
    x->n_steps++;
    x->has_effect |= !x->is_trying && changes_objects(n);
    if (n->place != XPL_NONE)
        access_memory(x, n);
    else if (n->object != XPL_NONE)
        xpl_object_do(x, slot, n);
    else if (mdl_creates(n->kind))
        create(x, n);
    else if (mdl_joins(n->kind) && n->variable != XPL_NONE)
        set_variable(&x->state, n->variable,
                     x->state.results.at[x->shapes.slot_of.at[n->other]]);
    else if (mdl_ends(n->kind) && n->written.ix)
        set_result(&x->state, slot, value_of(x, n->written));
    if (!x->is_trying)
        xpl_blocks_step(x, slot, node);
}

/* An input without a value that the expression has in it; XPL_NONE. */
static uint32_t open_input(const xpl_product *x, exp_ref e)
{
    const exp_dag *d = pth_dag(x->path);
    uint32_t found = XPL_NONE;
    exp_u32_vec members = {0};
    if (e.ix)
        exp_set_list(d, exp_inputs(d, e), &members);
    for (size_t i = 0; i < members.len && found == XPL_NONE; i++) {
        pth_input in = pth_input_at(x->path, members.at[i]);
        if (!in.is_read && in.bits <= XPL_MAX_BITS && !x->state.chosen.at[members.at[i]])
            found = members.at[i];
    }
    exp_u32_vec_fini(&members);
    return found;
}

/* The same of what is decided or written by the nodes that may come next. */
static uint32_t open_behind(const xpl_product *x, uint32_t first)
{
    uint32_t found = XPL_NONE;
    for (uint32_t i = first; i != XPL_NONE && found == XPL_NONE;
         i = x->forest.nodes.at[i].next) {
        if (!x->shapes.asks.at[i])
            continue;
        found = open_input(x, x->shapes.conditions.at[i]);
        if (found == XPL_NONE)
            found = open_input(x, x->forest.nodes.at[i].written);
    }
    return found;
}

/* The thread decides, and does what is no choice of the scheduler. False: no run has shown it. */
static bool settle(xpl_product *x, uint32_t slot)
{
    for (size_t n_nodes = 0;;) {
        uint32_t spot = x->state.at.at[slot];
        uint32_t first = xpl_first_behind(&x->forest, spot);
        if (xpl_pending_at(&x->shapes, spot)->never)
            return true;
        if (x->is_trying && xpl_state_is_round(x, spot))
            return true;
        uint32_t landing = xpl_spot_landing(&x->forest, spot);
        if (landing != spot) {
            x->has_closed |= !x->is_trying && x->shapes.closes.at[spot];
            set_at(&x->state, slot, landing);
        }
        if (++n_nodes > x->forest.nodes.len) /* around a loop without a choice */
            return false;
        if (first == XPL_NONE)
            return xpl_pending_at(&x->shapes, spot)->kind != WIRE_NONE;
        const xpl_node *n = &x->forest.nodes.at[first];
        if (n->is_choice || open_behind(x, first) != XPL_NONE)
            return true;
        uint32_t node = n->question != XPL_NONE ? decided(x, first) : first;
        if (node != XPL_NONE && n->object != XPL_NONE)
            node = xpl_object_outcome(x, slot, first);
        if (node == XPL_NONE)
            return false;
        do_node(x, slot, node);
    }
}

/* The thread in the slot, and those it has created, come to where they wait. */
static xpl_stepped settle_all(xpl_product *x, uint32_t slot, size_t n_undo)
{
    bool known = settle(x, slot);
    for (uint32_t i = 0; known && i < x->state.at.len; i++)
        if (x->state.at.at[i] != XPL_NOWHERE && (x->state.at.at[i] & XPL_START))
            known = settle(x, i);
    if (known)
        return XPL_STEPPED;
    xpl_state_back(&x->state, n_undo);
    return XPL_UNSHOWN;
}

xpl_stepped xpl_state_start(xpl_product *x)
{
    size_t n_undo = x->state.undo.len;
    set_at(&x->state, 0, XPL_START | 0);
    return settle_all(x, 0, n_undo);
}

xpl_stepped xpl_state_step(xpl_product *x, uint32_t slot)
{
    size_t n_undo = x->state.undo.len;
    uint32_t first = xpl_first_behind(&x->forest, x->state.at.at[slot]);
    uint32_t node = first;
    if (first != XPL_NONE && x->forest.nodes.at[first].object != XPL_NONE)
        node = xpl_object_outcome(x, slot, first);
    if (node == XPL_NONE)
        return XPL_UNSHOWN;
    do_node(x, slot, node);
    return settle_all(x, slot, n_undo);
}

uint32_t xpl_state_chooser(const xpl_product *x, uint32_t *input)
{
    for (uint32_t i = 0; i < x->state.at.len; i++) {
        uint32_t spot = x->state.at.at[i];
        uint32_t first = XPL_NONE;
        if (spot != XPL_NOWHERE && !xpl_pending_at(&x->shapes, spot)->never)
            first = xpl_first_behind(&x->forest, spot);
        *input = first == XPL_NONE ? XPL_NONE : open_behind(x, first);
        if (*input != XPL_NONE)
            return i;
    }
    return XPL_NONE;
}

xpl_stepped xpl_state_choose(xpl_product *x, uint32_t slot, uint32_t input,
                             uint64_t value)
{
    size_t n_undo = x->state.undo.len;
    xpl_state_note(&x->state, XPL_UNDO_CHOSEN, input, 0);
    x->state.chosen.at[input] = 1;
    set_variable(&x->state, input, value);
    return settle_all(x, slot, n_undo);
}

/* Others let it. */
static bool is_let(const xpl_product *x, uint32_t slot)
{
    const xpl_state *s = &x->state;
    uint32_t spot = s->at.at[slot];
    if (spot == XPL_NOWHERE)
        return false;
    const xpl_pending *p = xpl_pending_at(&x->shapes, spot);
    if (p->never || p->kind == WIRE_NONE)
        return false;
    if (mdl_joins(p->kind)) {
        uint32_t other = p->other == XPL_NONE ? XPL_NOWHERE : s->at.at[p->other];
        return other != XPL_NOWHERE && !(other & XPL_START) &&
               mdl_ends(x->forest.nodes.at[other].kind);
    }
    return p->object == XPL_NONE || !xpl_object_waits(x, slot, p);
}

/* A step is tried: does it lead back to where the thread was? */
bool xpl_state_idles(xpl_product *x, uint32_t slot, bool *is_stale)
{
    uint32_t spot = x->state.at.at[slot];
    *is_stale = false;
    if (x->shapes.may_idle.len == 0 || spot == XPL_NOWHERE ||
        xpl_map_get(&x->shapes.may_idle, spot) == XPL_NONE)
        return false;
    size_t n_undo = x->state.undo.len;
    uint64_t n_steps = x->n_steps;
    TD_ASSERT(!x->is_trying);
    x->is_trying = true;
    bool idles = xpl_state_step(x, slot) == XPL_STEPPED &&
                 xpl_state_is_round(x, x->state.at.at[slot]);
    if (idles)
        *is_stale = xpl_state_is_stale(x, x->state.at.at[slot]);
    x->is_trying = false;
    x->n_steps = n_steps;
    xpl_state_back(&x->state, n_undo);
    return idles;
}

bool xpl_state_can(xpl_product *x, uint32_t slot)
{
    bool is_stale = false;
    return is_let(x, slot) && !xpl_state_idles(x, slot, &is_stale);
}

/* ---- keys ---- */

static void put(xpl_word_vec *v, uint64_t word)
{
    xpl_word_vec_push(v, word);
}

/* What threads read and touch later; which results are asked for. */
static uint64_t gather(const xpl_product *x, uint64_t *read, uint64_t *things)
{
    const xpl_shapes *h = &x->shapes;
    uint64_t fetched = 0;
    for (uint32_t t = 0; t < x->state.at.len; t++) {
        uint32_t spot = x->state.at.at[t];
        if (spot == XPL_NOWHERE)
            continue;
        uint32_t ix = xpl_spot_ix(h, spot);
        fetched |= h->fetched.at[ix];
        for (uint32_t i = 0; i < h->n_words; i++) {
            read[i] |= h->read.at[(size_t)ix * h->n_words + i];
            things[i] |= xpl_later(h, spot, 0)[i];
        }
    }
    return fetched;
}

/* Shapes of threads, and values that they still need. */
static void put_threads(const xpl_product *x, xpl_word_vec *v)
{
    const xpl_shapes *h = &x->shapes;
    const xpl_state *s = &x->state;
    for (uint32_t t = 0; t < s->at.len; t++) {
        uint32_t spot = s->at.at[t];
        if (spot == XPL_NOWHERE)
            continue;
        uint32_t ix = xpl_spot_ix(h, spot);
        put(v, h->shape.at[ix].lo);
        put(v, h->shape.at[ix].hi ^ t);
        for (uint32_t i = h->live_first.at[ix]; i < h->live_end.at[ix]; i++)
            put(v, (uint64_t)s->env.at[h->live.at[i]] ^
                       (uint64_t)s->chosen.at[h->live.at[i]] << 63);
    }
}

/* Where ways of threads come back, states that are followed by exchanged ones could wait for each other: no
 * threads are exchanged. */
td_id xpl_state_key(xpl_product *x)
{
    const xpl_shapes *h = &x->shapes;
    xpl_state *s = &x->state;
    xpl_word_vec *v = &s->scratch;
    xpl_word_vec_clear(v);
    xpl_word_vec_clear(&s->sets);
    for (uint32_t i = 0; i < 2 * h->n_words; i++)
        put(&s->sets, 0);
    const uint64_t *read = s->sets.at, *things = s->sets.at + h->n_words;
    uint64_t fetched = gather(x, s->sets.at, s->sets.at + h->n_words);
    bool exchanges = h->n_closes == 0;
    if (exchanges)
        xpl_alike_put_threads(x, things, v);
    else
        put_threads(x, v);
    for (uint32_t i = 0; i < h->n_places; i++)
        if (read[xpl_thing_of_place(i) / 64] >> xpl_thing_of_place(i) % 64 & 1)
            put(v, s->memory.at[i]);
    for (uint32_t i = 0; i < h->n_objects; i++) {
        uint32_t thing = xpl_thing_of_object(i);
        if (!(things[thing / 64] >> thing % 64 & 1))
            continue;
        if (exchanges) {
            xpl_object_put_rest(x, i, v);
            continue;
        }
        put(v, xpl_object_word(s, i, 0));
        put(v, xpl_object_word(s, i, 1));
    }
    for (uint32_t i = 0; i < s->results.len; i++)
        if (fetched >> i & 1)
            put(v, s->results.at[i]);
    return td_id_hash(v->at, v->len * sizeof v->at[0]);
}
