/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the atomic operations and fences that runs executed, by place, kind and memory order. Weaker
 * memory is explored only if some are weaker than seq_cst (weaker_memory.c). */
#include "session/session_int.h"

#include "base/assert.h"

static bool is_same(const ses_ordered *a, const ses_ordered *b)
{
    return a->line == b->line && a->column == b->column && a->kind == b->kind &&
           a->order == b->order && strcmp(a->file, b->file) == 0;
}

static void add(ses_ordered_vec *all, const trc_site *at, uint8_t kind, uint8_t order)
{
    ses_ordered x = {.file = (char *)at->file,
                     .line = at->line,
                     .column = at->column,
                     .kind = kind,
                     .order = order};
    for (size_t i = 0; i < all->len; i++)
        if (is_same(&all->at[i], &x))
            return;
    x.file = td_strdup(at->file);
    x.function = td_strdup(at->function);
    x.name = td_strdup(at->name);
    ses_ordered_vec_push(all, x);
}

/* A bit for each kind and order of a site. */
static uint64_t bit_of(uint8_t kind, uint8_t order)
{
    static const uint8_t width = 6; /* orders */
    uint32_t nth = (uint32_t)trc_ordered_index(kind) * width + order;
    TD_ASSERT(order < width && nth < 64);
    return UINT64_C(1) << nth;
}

/* True if the options allow a search under weaker memory afterwards; otherwise nothing is collected. */
static bool is_asked(const ses *s)
{
    const ses_opts *o = s->opts;
    bool is_plain = !o->only_sc && !o->model && !o->search && !o->fake_search &&
                    !o->bounded && !o->iterate && !o->keep_runs;
    return is_plain && !o->farm && !o->join && (s->goal->bit & (XPL_STATES | XPL_TRACES));
}

/* True for volatile accesses and assembly, whose order the machine decides. */
static bool is_of_machine(const trc_site *site)
{
    return (site->kind == WIRE_SITE_ATOMIC &&
            strcmp(site->callee, WIRE_SITE_VOLATILE) == 0) ||
           strcmp(site->callee, WIRE_SITE_ASM) == 0;
}

static bool has_machine_sites(const trc_sites *sites)
{
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        trc_site site = trc_site_at(sites, i);
        if (is_of_machine(&site))
            return true;
    }
    return false;
}

static void take_op(ses *s, const trc_op *op)
{
    if (mdl_type_of(op->kind) != WIRE_TYPE_MEMORY || trc_is_promoted(op) ||
        op->order == __ATOMIC_SEQ_CST)
        return;
    const trc_sites *sites = s->exec->sites(s->run);
    trc_site site = trc_site_at(sites, op->site);
    if (!s->has_weaker)
        s->may_be_for_x86 = has_machine_sites(sites);
    s->has_weaker = true;
    s->is_for_x86 |= is_of_machine(&site);
}

/* Repeats until nothing new is found. */
static void take_weaker(ses *s, const trc *t)
{
    bool is_known = s->has_weaker && (s->is_for_x86 || !s->may_be_for_x86);
    bool looks = !is_known && is_asked(s);
    for (size_t i = 0; looks && i < t->ops.len; i++)
        take_op(s, &t->ops.at[i]);
}

void ses_orders_take(ses *s, const trc *t)
{
    const trc_sites *sites = s->exec->sites(s->run);
    uint8_t kind;
    take_weaker(s, t);
    for (size_t i = 0; s->opts->orders && i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (!trc_has_order(op, &kind) || op->site >= trc_sites_end(sites))
            continue;
        while (s->orders_seen.len <= op->site)
            trc_u64_vec_push(&s->orders_seen, 0);
        uint64_t *seen = &s->orders_seen.at[op->site], bit = bit_of(kind, op->order);
        trc_site at = *seen & bit ? (trc_site){0} : trc_site_at(sites, op->site);
        if (!(*seen & bit))
            add(s->opts->orders, &at, kind, op->order);
        *seen |= bit;
    }
}

void ses_ordered_free(ses_ordered_vec *all)
{
    for (size_t i = 0; i < all->len; i++) {
        td_free(all->at[i].file);
        td_free(all->at[i].function);
        td_free(all->at[i].name);
    }
    ses_ordered_vec_fini(all);
}
