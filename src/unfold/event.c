/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Storage: nodes, the table of ids, groups of children and of blocked histories, names of threads and
 * objects. Knows no configuration and no search. */

enum { FIRST_BITS = 10 };

static uint32_t *slots_new(uint32_t bits)
{
    uint32_t *slots = td_alloc(sizeof(uint32_t) << bits);
    memset(slots, 0xff, sizeof(uint32_t) << bits);
    return slots;
}

void unf_store_init(unf *u)
{
    TD_ASSERT(u->nodes.len == 0 && !u->slots && !u->object_slots);
    u->bits = u->object_bits = FIRST_BITS;
    u->slots = slots_new(u->bits);
    u->object_slots = slots_new(u->object_bits);
    unf_group_vec_push(&u->groups, (unf_group){0});
    unf_link_vec_push(&u->links, (unf_link){0});
    unf_vec_push(&u->reads, 0);
    unf_spot_vec_push(&u->spots, (unf_spot){0, UNF_NONE, 0});
}

void unf_store_fini(unf *u)
{
    for (size_t i = 0; i < u->nodes.n_chunks; i++)
        td_free(u->nodes.chunks[i]);
    td_free(u->nodes.chunks);
    unf_kin_vec_fini(&u->kin);
    td_free(u->slots);
    td_free(u->object_slots);
    unf_group_vec_fini(&u->groups);
    unf_link_vec_fini(&u->links);
    unf_vec_fini(&u->reads);
    unf_thread_vec_fini(&u->threads);
    unf_object_vec_fini(&u->objects);
    unf_spot_vec_fini(&u->spots);
}

/* ---- ids ----
 *
 * The bits of a slot that numbers of nodes do not need hold bits of the id, so that nodes
 * with other ids, which lie anywhere in memory, are hardly ever looked at. */

/* All numbers of nodes are smaller. */
static uint32_t slot_limit(const unf *u)
{
    return u->bits < 32 ? (UINT32_C(1) << u->bits) - 1 : UINT32_MAX;
}

static uint32_t slot_mark(const unf *u, td_id id)
{
    return (uint32_t)id.hi & ~slot_limit(u);
}

static bool slot_has(const unf *u, uint32_t slot, td_id id)
{
    uint32_t limit = slot_limit(u);
    return (slot & ~limit) == slot_mark(u, id) &&
           td_id_equal(node_at(u, slot & limit)->id, id);
}

static size_t slot_of(const unf *u, td_id id)
{
    size_t mask = ((size_t)1 << u->bits) - 1;
    size_t i = id.lo & mask;
    while (u->slots[i] != UNF_NONE && !slot_has(u, u->slots[i], id))
        i = (i + 1) & mask;
    return i;
}

static void slots_put(unf *u, uint32_t event)
{
    TD_DASSERT(event < slot_limit(u) && node_at(u, event)->kind < UNF_START);
    td_id id = node_at(u, event)->id;
    size_t i = slot_of(u, id);
    if (u->slots[i] == UNF_NONE) {
        u->slots[i] = event | slot_mark(u, id);
        u->n_slots++;
    }
}

static void slots_grow(unf *u)
{
    TD_ASSERT(u->bits < 32);
    td_free(u->slots);
    u->slots = slots_new(++u->bits);
    u->n_slots = 0;
    for (uint32_t i = 0; i < u->nodes.len; i++)
        if (node_at(u, i)->kind < UNF_START)
            slots_put(u, i);
}

uint32_t unf_find(const unf *u, td_id id)
{
    uint32_t slot = u->slots[slot_of(u, id)];
    return slot == UNF_NONE ? UNF_NONE : slot & slot_limit(u);
}

static void slots_add(unf *u, uint32_t event)
{
    if (u->n_slots >= (UINT64_C(3) << u->bits) / 4 || event >= slot_limit(u))
        slots_grow(u);
    else
        slots_put(u, event);
}

td_id unf_id_of(const unf *u, const unf_node *node, const uint32_t *reads, uint32_t n)
{
    TD_DASSERT(node->kind < UNF_START && node->thread < u->threads.len);
    TD_DASSERT(n == 0 || node_is_state(node));
    const unf_object *o = node->object == UNF_NONE ? NULL : &u->objects.at[node->object];
    trc_event e = {.thread = u->threads.at[node->thread].name,
                   .before = node_at(u, node->before)->id,
                   .kind = node->kind};
    if (node->after != UNF_NONE && !mdl_ends(node->kind))
        e.after = node_at(u, node->after)->id;
    for (uint32_t i = 0; i < n; i++)
        e.reads = td_id_sum(e.reads, node_at(u, reads[i])->id);
    if (o && mdl_effect_of(node->kind) != MDL_EFFECT_N)
        trc_event_object(u->namer, o->address, &e);
    if (mdl_decides(node->kind)) {
        trc_event_object(u->namer, decision_of(u, node)->side, &e);
        if (node->flags & NODE_PROBE)
            e.kind = UNF_OTHER;
    }
    return trc_event_id(&e);
}

/* ---- nodes ---- */

uint32_t unf_chain(unf *u, uint32_t event, uint32_t next)
{
    TD_DASSERT(event < u->nodes.len && next < u->links.len);
    unf_link_vec_push(&u->links, (unf_link){event, next});
    return (uint32_t)u->links.len - 1;
}

unf_group *unf_group_of(unf *u, unf_state state, uint32_t thread)
{
    unf_node *s = node_at(u, state.ix);
    TD_DASSERT(node_is_state(s) && thread < u->threads.len);
    for (uint32_t g = s->groups; g; g = u->groups.at[g].beyond)
        if (u->groups.at[g].thread == thread)
            return &u->groups.at[g];
    unf_group_vec_push(&u->groups, (unf_group){.thread = thread,
                                               .cause = UNF_NONE,
                                               .exclusive = UNF_NONE,
                                               .shared = UNF_NONE,
                                               .next = s->groups,
                                               .beyond = s->groups});
    s->groups = (uint32_t)u->groups.len - 1;
    return &u->groups.at[s->groups];
}

static void put_in_group(unf *u, uint32_t event)
{
    unf_node *n = node_at(u, event);
    if (n->after == UNF_NONE)
        return;
    TD_DASSERT(node_is_state(n) != node_is_read(n));
    unf_group *g = unf_group_of(u, (unf_state){n->after}, n->thread);
    uint32_t *first = node_is_state(n) ? &g->exclusive : &g->shared;
    n->sibling = *first;
    *first = event;
}

static void kin_add(unf *u, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    TD_DASSERT(u->kin.len == event);
    unf_kin kin = {UNF_NONE, UNF_NONE};
    if (n->before != UNF_NONE && n->kind != UNF_START) {
        kin.brother = u->kin.at[n->before].child;
        u->kin.at[n->before].child = event;
    }
    unf_kin_vec_push(&u->kin, kin);
}

uint32_t unf_first_child(unf *u, uint32_t event)
{
    if (u->kin.len == 0)
        for (uint32_t i = 0; i < u->nodes.len; i++)
            kin_add(u, i);
    TD_DASSERT(u->kin.len == u->nodes.len);
    return u->kin.at[event].child;
}

static unf_node *node_new(unf *u)
{
    unf_nodes *n = &u->nodes;
    if (n->len == n->n_chunks << UNF_CHUNK_BITS) {
        if (n->n_chunks == n->cap)
            n->chunks = td_grow(n->chunks, &n->cap, n->cap + 1, sizeof n->chunks[0]);
        n->chunks[n->n_chunks++] = td_alloc_aligned(sizeof(unf_node) << UNF_CHUNK_BITS);
    }
    n->len++;
    return node_at(u, (uint32_t)n->len - 1);
}

uint32_t unf_add(unf *u, const unf_node *node, const uint32_t *reads, uint32_t n)
{
    uint32_t event = (uint32_t)u->nodes.len;
    TD_ASSERT(event < UNF_NONE - 1);
    TD_ASSERT(node->before == UNF_NONE || node->before < event); /* U1 */
    TD_ASSERT(node->after == UNF_NONE || node->after < event);
    TD_ASSERT(n == 0 || (reads[n - 1] < event && node->after != UNF_NONE));
    *node_new(u) = *node;
    unf_node *added = node_at(u, event);
    if (!mdl_decides(node->kind))
        added->sibling = UNF_NONE;
    if (u->kin.len > 0)
        kin_add(u, event);
    if (n > 0) {
        added->reads = (uint32_t)u->reads.len;
        unf_vec_push(&u->reads, n);
        unf_vec_append(&u->reads, reads, n);
    }
    put_in_group(u, event);
    if (node->kind < UNF_START)
        slots_add(u, event);
    return event;
}

/* ---- names ---- */

static uint32_t object_new(unf *u, uint64_t address, bool is_memory)
{
    uint32_t object = (uint32_t)u->objects.len;
    unf_node root = {.before = UNF_NONE,
                     .after = UNF_NONE,
                     .thread = UNF_NONE,
                     .object = object,
                     .next_object = UNF_NONE,
                     .kind = UNF_ROOT,
                     .status = UNF_EXECUTED};
    unf_object_vec_push(&u->objects, (unf_object){.address = address,
                                                  .is_memory = is_memory,
                                                  .root = unf_add(u, &root, NULL, 0)});
    return object;
}

uint32_t unf_thread_of(unf *u, td_id name)
{
    for (uint32_t i = 0; i < u->threads.len; i++)
        if (td_id_equal(u->threads.at[i].name, name))
            return i;
    uint32_t life = object_new(u, 0, false);
    unf_thread_vec_push(&u->threads, (unf_thread){.name = name,
                                                  .object = life,
                                                  .is_watched = u->watches_all});
    u->objects.at[life].thread = (uint32_t)u->threads.len - 1;
    return (uint32_t)u->threads.len - 1;
}

static size_t object_slot(const unf *u, uint64_t address, bool is_memory)
{
    size_t mask = ((size_t)1 << u->object_bits) - 1;
    uint64_t key = address * 2 + is_memory;
    size_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - u->object_bits);
    for (; u->object_slots[i] != UNF_NONE; i = (i + 1) & mask) {
        const unf_object *o = &u->objects.at[u->object_slots[i]];
        if (o->address == address && o->is_memory == is_memory)
            break;
    }
    return i;
}

static void object_slots_grow(unf *u)
{
    uint32_t *old = u->object_slots;
    size_t n = (size_t)1 << u->object_bits;
    u->object_slots = slots_new(++u->object_bits);
    for (size_t i = 0; i < n; i++)
        if (old[i] != UNF_NONE) {
            const unf_object *o = &u->objects.at[old[i]];
            u->object_slots[object_slot(u, o->address, o->is_memory)] = old[i];
        }
    td_free(old);
}

uint32_t unf_object_of(unf *u, uint64_t address, bool is_memory)
{
    size_t i = object_slot(u, address, is_memory);
    if (u->object_slots[i] != UNF_NONE)
        return u->object_slots[i];
    if (2 * u->objects.len >= (size_t)1 << u->object_bits) {
        object_slots_grow(u);
        i = object_slot(u, address, is_memory);
    }
    TD_DASSERT(u->object_slots[i] == UNF_NONE);
    u->object_slots[i] = object_new(u, address, is_memory);
    return u->object_slots[i];
}

/* ---- blocked histories ---- */

static bool is_blocked(const unf *u, uint32_t history, unf_state state)
{
    for (uint32_t g = node_at(u, state.ix)->groups; g; g = u->groups.at[g].next)
        for (uint32_t l = u->groups.at[g].blocked; l; l = u->links.at[l].next)
            if (u->links.at[l].event == history)
                return true;
    return false;
}

void unf_block(unf *u, uint32_t history, unf_state state)
{
    if (u->again && is_blocked(u, history, state))
        return;
    TD_DASSERT(node_at(u, history)->next_object == node_at(u, state.ix)->object);
    TD_DASSERT(node_at(u, history)->status == UNF_EXECUTED);
    unf_group *g = unf_group_of(u, state, node_at(u, history)->thread);
    g->blocked = unf_chain(u, history, g->blocked);
}

/* ---- histories and their locks ---- */

uint32_t unf_start_of(const unf *u, uint32_t history)
{
    while (node_at(u, history)->kind != UNF_START)
        history = node_at(u, history)->before;
    return history;
}

uint32_t unf_base_of(const unf *u, uint32_t event)
{
    while (mdl_decides(node_at(u, event)->kind))
        event = node_at(u, event)->before;
    return event;
}

bool unf_holds(const unf *u, uint32_t held, uint32_t object)
{
    for (; held; held = u->links.at[held].next)
        if (node_at(u, u->links.at[held].event)->object == object)
            return true;
    return false;
}

uint32_t unf_held_objects(const unf *u, uint32_t history, unf_vec *out)
{
    size_t first = out->len;
    for (uint32_t l = node_at(u, history)->held; l; l = u->links.at[l].next)
        if (!mdl_takes_to_read(node_at(u, u->links.at[l].event)->kind))
            unf_put_rising(out, first, node_at(u, u->links.at[l].event)->object);
    return (uint32_t)(out->len - first);
}

/* ---- spots ---- */

void unf_spot_set(unf *u, uint32_t history, unf_spot spot)
{
    TD_DASSERT(node_at(u, history)->status == UNF_EXECUTED);
    /* Few in number; the newest are the likeliest. */
    for (size_t i = u->spots.len; i-- > 0;)
        if (u->spots.at[i].site == spot.site && u->spots.at[i].place == spot.place &&
            u->spots.at[i].patience == spot.patience) {
            node_at(u, history)->spot = (uint32_t)i;
            return;
        }
    node_at(u, history)->spot = (uint32_t)u->spots.len;
    unf_spot_vec_push(&u->spots, spot);
}
