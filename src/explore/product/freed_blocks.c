/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that one thread frees and another uses, where more than creates and joins orders the two.
 *
 * Such a block is a part of the state: freed or not. A node frees or uses it if its thread does so after that operation and
 * before its next one; operations on memory or objects in the block use it as well. Who uses it may still be at it until
 * the next operation. So the bytes are used or freed at the wrong time if and only if, in some order of the nodes, one that uses
 * or frees the block comes after one that frees it, or one frees it while another thread is still behind a node that
 * uses it. For persistent sets a block is a thing: what frees it changes it, what uses it touches it, and so does the step that
 * leaves a node which does.
 *
 * Blocks are looked for when a search is over otherwise, as most programs need none. A run shows what was found; if it does
 * not, nothing is claimed. */
#include "explore/product/product_int.h"

#include <assert.h>

#include "base/assert.h"

enum {
    MOST_BLOCKS = 64, /* that are followed */
    MOST_FREES =
        4096 /* of memory that others use, that are compared; more leave the question open */
};

#define TAG                                                                              \
    (UINT64_C(1) << 63) /* the object of a block has no address that another one has */

void xpl_blocks_fini(xpl_blocks *b)
{
    xpl_block_vec_fini(&b->all);
    xpl_block_touch_vec_fini(&b->touches);
    xpl_map_fini(&b->touches_of);
    td_id_set_fini(&b->known);
}

/* ---- what nodes do to blocks ---- */

static uint32_t first_touch(const xpl_blocks *b, uint32_t spot)
{
    return b->touches_of.len > 0 ? xpl_map_get(&b->touches_of, spot) : XPL_NONE;
}

/* The spot before in the same step: what a thread decides is no step of its own. XPL_NONE: the step began here. */
static uint32_t before_in_step(const xpl_forest *f, uint32_t spot)
{
    const xpl_node *n = spot & XPL_START ? NULL : &f->nodes.at[spot];
    if (!n || n->is_choice)
        return XPL_NONE;
    return n->before == XPL_NONE ? XPL_START | n->tree : n->before;
}

static void add_things_at(const xpl_shapes *s, uint64_t *to, uint32_t spot, bool leaves)
{
    const xpl_blocks *b = &s->blocks;
    for (uint32_t i = first_touch(b, spot); i != XPL_NONE; i = b->touches.at[i].next) {
        const xpl_block_touch *t = &b->touches.at[i];
        uint32_t thing = xpl_thing_of_object(t->object);
        uint64_t bit = UINT64_C(1) << thing % 64;
        if (leaves && t->is_operation)
            continue;
        to[thing / 64] |= bit;
        to[s->n_words + thing / 64] |= t->frees ? bit : 0;
    }
}

void xpl_blocks_add_things(const xpl_shapes *s, uint64_t *to, uint32_t spot, bool leaves)
{
    if (s->blocks.all.len == 0)
        return;
    add_things_at(s, to, spot, leaves);
    while (leaves && (spot = before_in_step(s->f, spot)) != XPL_NONE)
        add_things_at(s, to, spot, true);
}

static td_id shape_at(const xpl_blocks *b, uint32_t spot)
{
    td_id shape = {0};
    for (uint32_t i = first_touch(b, spot); i != XPL_NONE; i = b->touches.at[i].next) {
        const xpl_block_touch *t = &b->touches.at[i];
        uint32_t words[3] = {t->object, t->frees, t->is_operation};
        shape = td_id_sum(shape, td_id_hash(words, sizeof words));
    }
    return shape;
}

td_id xpl_blocks_shape(const xpl_shapes *s, uint32_t spot)
{
    td_id shape = {0};
    for (; s->blocks.all.len > 0 && spot != XPL_NONE; spot = before_in_step(s->f, spot))
        shape = td_id_sum(shape, shape_at(&s->blocks, spot));
    return shape;
}

/* ---- steps ---- */

static bool touches(const xpl_blocks *b, uint32_t spot, uint32_t object)
{
    uint32_t i = first_touch(b, spot);
    while (i != XPL_NONE &&
           (b->touches.at[i].object != object || b->touches.at[i].is_operation))
        i = b->touches.at[i].next;
    return i != XPL_NONE;
}

/* The thread has used or freed the block since its last operation. */
static bool is_at(const xpl_product *x, uint32_t slot, uint32_t object)
{
    static_assert(XPL_NOWHERE == XPL_NONE, "a thread that does not exist has no spot");
    uint32_t spot = x->state.at.at[slot];
    while (spot != XPL_NONE && !touches(&x->shapes.blocks, spot, object))
        spot = before_in_step(&x->forest, spot);
    return spot != XPL_NONE;
}

static void note_misuse(xpl_product *x, uint32_t object, uint32_t spot, uint32_t other)
{
    uint32_t words[3] = {object, spot, other};
    x->claims.misuse = td_id_sum(x->claims.misuse, td_id_hash(words, sizeof words));
}

static void free_block(xpl_product *x, uint32_t slot, uint32_t object, uint32_t spot)
{
    for (uint32_t i = 0; i < x->state.at.len; i++)
        if (i != slot && is_at(x, i, object))
            note_misuse(x, object, spot, x->state.at.at[i]);
    uint32_t ix = object * XPL_OBJECT_WORDS;
    xpl_state_note(&x->state, XPL_UNDO_OBJECT, ix, x->state.objects.at[ix]);
    x->state.objects.at[ix] = 1;
}

void xpl_blocks_step(xpl_product *x, uint32_t slot, uint32_t spot)
{
    const xpl_blocks *b = &x->shapes.blocks;
    for (uint32_t i = first_touch(b, spot); i != XPL_NONE; i = b->touches.at[i].next) {
        const xpl_block_touch *t = &b->touches.at[i];
        if (xpl_object_word(&x->state, t->object, 0))
            note_misuse(x, t->object, spot, XPL_NONE);
        else if (t->frees)
            free_block(x, slot, t->object, spot);
    }
}

/* ---- frees that creates and joins do not order ---- */

static bool overlap(const xpl_reach *a, uint64_t start, uint64_t end)
{
    return a->start < end && start < a->end;
}

/* A thread that does not free the block uses it, at whatever time. */
static bool is_used_by_others(const xpl_product *x, const xpl_reach *a)
{
    const xpl_reach_vec *all[] = {&x->claims.uses, &x->claims.frees, &x->claims.spans};
    uint32_t slot = x->shapes.slot_of.at[a->tree];
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (size_t i = 0; i < all[k]->len; i++) {
            const xpl_reach *b = &all[k]->at[i];
            if (overlap(a, b->start, b->end) && x->shapes.slot_of.at[b->tree] != slot)
                return true;
        }
    for (uint32_t i = 0; i < x->forest.nodes.len; i++) {
        xpl_reach b = xpl_reach_of(x, i);
        if (overlap(a, b.start, b.end) && x->shapes.slot_of.at[b.tree] != slot)
            return true;
    }
    return false;
}

/* A use by the thread of the span may be at any of its nodes: only its creation or its join order the two. */
static bool is_in_span_beside(const xpl_product *x, const xpl_reach *a,
                              const xpl_reach *span)
{
    bool is_own = x->shapes.slot_of.at[a->tree] == x->shapes.slot_of.at[span->tree];
    return overlap(a, span->start, span->end) && !is_own &&
           !xpl_is_joined_before(x, span->tree, a->node) &&
           !xpl_is_before_create(x, a, span);
}

/* The block is freed beside a thread that uses it, or frees it too. */
static bool is_freed_beside(const xpl_product *x, const xpl_reach *a)
{
    const xpl_claims *c = &x->claims;
    for (size_t i = 0; i < c->uses.len; i++)
        if (overlap(a, c->uses.at[i].start, c->uses.at[i].end) &&
            !xpl_is_apart(x, a, &c->uses.at[i]))
            return true;
    for (size_t i = 0; i < c->frees.len; i++)
        if (overlap(a, c->frees.at[i].start, c->frees.at[i].end) &&
            !xpl_is_apart(x, a, &c->frees.at[i]))
            return true;
    for (size_t i = 0; i < c->spans.len; i++)
        if (is_in_span_beside(x, a, &c->spans.at[i]))
            return true;
    for (uint32_t i = 0; i < x->forest.nodes.len; i++) {
        xpl_reach b = xpl_reach_of(x, i);
        if (overlap(a, b.start, b.end) && !xpl_is_apart(x, a, &b))
            return true;
    }
    return false;
}

static bool is_open_free(const xpl_product *x, const xpl_reach *freed)
{
    return is_used_by_others(x, freed) && is_freed_beside(x, freed);
}

/* ---- finding them ---- */

static const xpl_block *block_of(const xpl_blocks *b, const xpl_reach *freed)
{
    for (size_t i = 0; i < b->all.len; i++)
        if (b->all.at[i].start == freed->start && b->all.at[i].end == freed->end)
            return &b->all.at[i];
    return NULL;
}

static bool is_followed(const xpl_shapes *s, const xpl_reach *freed)
{
    const xpl_block *block = block_of(&s->blocks, freed);
    return block && !block->is_lost;
}

static void add_block(xpl_product *x, const xpl_reach *freed)
{
    xpl_shapes *s = &x->shapes;
    uint32_t object =
        xpl_forest_object(&x->forest, freed->start ^ freed->end << 20 ^ TAG);
    while (s->type_of.len < x->forest.objects.len)
        xpl_u32_vec_push(&s->type_of, XPL_NO_TYPE);
    bool is_other = s->type_of.at[object] != XPL_NO_TYPE;
    s->type_of.at[object] = is_other ? XPL_TYPES : XPL_TYPE_BLOCK;
    xpl_block_vec_push(&s->blocks.all, (xpl_block){.start = freed->start,
                                                   .end = freed->end,
                                                   .object = object,
                                                   .is_lost = is_other});
}

/* True: it was not known. */
static bool add_touch(xpl_shapes *s, xpl_block *block, uint32_t spot, bool frees,
                      bool is_operation)
{
    uint32_t words[4] = {block->object, spot, frees, is_operation};
    if (!td_id_set_add(&s->blocks.known, td_id_hash(words, sizeof words)))
        return false;
    uint32_t next = first_touch(&s->blocks, spot);
    xpl_map_set(&s->blocks.touches_of, spot, (uint32_t)s->blocks.touches.len);
    xpl_block_touch_vec_push(&s->blocks.touches,
                             (xpl_block_touch){.object = block->object,
                                               .next = next,
                                               .frees = frees,
                                               .is_operation = is_operation});
    return true;
}

static bool add_reaches(xpl_product *x, xpl_block *block, const xpl_reach_vec *all,
                        bool frees)
{
    bool is_new = false;
    for (size_t i = 0; i < all->len; i++) {
        const xpl_reach *r = &all->at[i];
        uint32_t spot = r->node == XPL_NONE ? XPL_START | r->tree : r->node;
        is_new |= overlap(r, block->start, block->end) &&
                  add_touch(&x->shapes, block, spot, frees, false);
    }
    return is_new;
}

static bool add_touches(xpl_product *x, xpl_block *block)
{
    const xpl_claims *c = &x->claims;
    bool is_new = add_reaches(x, block, &c->uses, false);
    is_new |= add_reaches(x, block, &c->frees, true);
    for (size_t i = 0; i < c->spans.len; i++)
        block->is_lost |= overlap(&c->spans.at[i], block->start, block->end);
    for (uint32_t i = 0; i < x->forest.nodes.len; i++) {
        xpl_reach r = xpl_reach_of(x, i);
        is_new |= overlap(&r, block->start, block->end) &&
                  add_touch(&x->shapes, block, i, false, true);
    }
    return is_new;
}

/* Ways that meet at a header have different steps before it: which one a thread has made is not known there. */
static void find_lost(xpl_shapes *s)
{
    const xpl_forest *f = s->f;
    xpl_blocks *b = &s->blocks;
    for (uint32_t node = 0; node < f->nodes.len; node++) {
        bool meets =
            f->nodes.at[node].jump != XPL_NONE || f->nodes.at[node].met_by != XPL_NONE;
        for (uint32_t spot = meets ? node : XPL_NONE; spot != XPL_NONE;
             spot = before_in_step(f, spot))
            for (size_t k = 0; k < b->all.len; k++)
                b->all.at[k].is_lost |= touches(b, spot, b->all.at[k].object);
    }
}

bool xpl_blocks_find(xpl_product *x)
{
    xpl_blocks *b = &x->shapes.blocks;
    bool is_new = false;
    for (size_t i = 0; i < x->claims.frees.len && b->all.len < MOST_BLOCKS; i++) {
        const xpl_reach *freed = &x->claims.frees.at[i];
        if (!block_of(b, freed) && is_open_free(x, freed))
            add_block(x, freed);
    }
    for (size_t i = 0; i < b->all.len; i++)
        is_new |= add_touches(x, &b->all.at[i]);
    find_lost(&x->shapes);
    return is_new;
}

/* Some block is freed beside a thread that uses it, and was no part of the search. A thread frees its own stack
 * at the end of each of its paths, so most blocks have many frees and no other user. */
bool xpl_has_open_free(const xpl_product *x)
{
    const xpl_claims *c = &x->claims;
    td_id_set own = {0};
    uint32_t n_compared = 0;
    bool has = false;
    for (size_t i = 0; i < c->frees.len && !has; i++) {
        const xpl_reach *a = &c->frees.at[i];
        uint64_t words[3] = {x->shapes.slot_of.at[a->tree], a->start, a->end};
        td_id block = td_id_hash(words, sizeof words);
        if (td_id_set_has(&own, block) || is_followed(&x->shapes, a))
            continue;
        if (is_used_by_others(x, a))
            has = ++n_compared > MOST_FREES || is_freed_beside(x, a);
        else
            td_id_set_add(&own, block);
    }
    td_id_set_fini(&own);
    return has;
}

/* ---- runs that show a misuse ---- */

bool xpl_misuse_is_new(xpl_product *x)
{
    xpl_claims *c = &x->claims;
    td_id misuse = c->misuse;
    c->misuse = (td_id){0};
    return (misuse.lo | misuse.hi) != 0 && td_id_set_add(&c->tried, misuse);
}

void xpl_misuse_was_run(xpl_product *x, const trc *t)
{
    bool is_shown = false;
    for (size_t i = 0; i < t->fails.len; i++)
        is_shown |= t->fails.at[i].kind == WIRE_FAIL_RACE ||
                    t->fails.at[i].kind == WIRE_FAIL_MEMORY;
    x->claims.n_unfreed += !is_shown;
}
