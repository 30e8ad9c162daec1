/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which store each atomic access reads, in runs with WIRE_JOB_STORES. */
#include "trace/trace.h"

#include "base/assert.h"
#include "base/map.h"

#define NONE UINT32_MAX

TD_MAP(uint64_t, uint32_t, location_map, td_hash_number, td_same_number);

/* Stores of a location in modification order, as a list of operations. */
typedef struct list {
    uint32_t first, last; /* NONE: only the initial value */
} list;
TD_VEC(list, list_vec);

typedef struct resolver {
    const trc *t;
    trc_stores *out;
    location_map locations; /* by address; number + 1 */
    list_vec lists;
    trc_u32_vec next;   /* by operation that writes: the next store of its location */
    trc_u32_vec counts; /* stores of each thread so far */
    trc_u32_vec nth; /* by operation that writes: its number among its thread's stores */
    size_t choice, seed;
} resolver;

bool trc_keeps_stores(const trc_op *op)
{
    return mdl_type_of(op->kind) == WIRE_TYPE_MEMORY && op->size <= 8 &&
           !trc_is_promoted(op);
}

static const trc_choice *choice_of(resolver *r, uint32_t op)
{
    const trc_choice_vec *v = &r->t->choices;
    while (r->choice < v->len && v->at[r->choice].op < op)
        r->choice++;
    return r->choice < v->len && v->at[r->choice].op == op ? &v->at[r->choice] : NULL;
}

static uint32_t new_location(resolver *r, uint64_t value)
{
    list_vec_push(&r->lists, (list){NONE, NONE});
    trc_u64_vec_push(&r->out->firsts, value);
    return (uint32_t)r->lists.len - 1;
}

/* Returns the location of an operation, or NONE. A seed starts a new location at its address. */
static uint32_t location_of(resolver *r, uint32_t i)
{
    TD_ASSERT(i < r->t->ops.len);
    const trc_seed_vec *v = &r->t->seeds;
    uint32_t *found = location_map_at(&r->locations, r->t->ops.at[i].object);
    while (r->seed < v->len && v->at[r->seed].op < i)
        r->seed++;
    if (r->seed < v->len && v->at[r->seed].op == i)
        *found = new_location(r, v->at[r->seed].value) + 1;
    return *found - 1;
}

/* Finds the store of the location that a choice names; false if it does not exist. */
static bool store_of(const resolver *r, uint32_t location, const trc_choice *c,
                     uint32_t *out)
{
    TD_ASSERT(location < r->lists.len);
    *out = NONE;
    if (c->nth == 0)
        return true;
    for (uint32_t s = r->lists.at[location].first; s != NONE; s = r->next.at[s])
        if (r->t->ops.at[s].thread == c->thread && r->nth.at[s] == c->nth) {
            *out = s;
            return true;
        }
    return false;
}

static void put_behind(resolver *r, uint32_t location, uint32_t behind, uint32_t op)
{
    TD_ASSERT(location < r->lists.len && op < r->next.len);
    list *l = &r->lists.at[location];
    uint32_t *link = behind == NONE ? &l->first : &r->next.at[behind];
    r->next.at[op] = *link;
    *link = op;
    if (r->next.at[op] == NONE)
        l->last = op;
}

static bool take(resolver *r, uint32_t i)
{
    TD_ASSERT(i < r->t->ops.len);
    const trc_op *op = &r->t->ops.at[i];
    const trc_choice *c = choice_of(r, i);
    uint32_t location = location_of(r, i);
    if (location == NONE)
        return false;
    uint32_t named = r->lists.at[location].last;
    if (c && !store_of(r, location, c, &named))
        return false;
    r->out->location.at[i] = location;
    if (mdl_reads(op->kind))
        r->out->from.at[i] = named;
    if (!mdl_writes(op->kind))
        return true;
    r->nth.at[i] = ++r->counts.at[op->thread];
    put_behind(r, location, named, i);
    return true;
}

static void fill(trc_u32_vec *v, size_t n, uint32_t value)
{
    TD_ASSERT(n < UINT32_MAX);
    trc_u32_vec_clear(v);
    trc_u32_vec_reserve(v, n + 1);
    v->len = n;
    for (size_t i = 0; i < n; i++)
        v->at[i] = value;
}

bool trc_stores_of(const trc *t, trc_stores *out)
{
    resolver r = {.t = t, .out = out};
    size_t n = t->ops.len;
    fill(&out->location, n, NONE);
    fill(&out->from, n, NONE);
    fill(&out->rank, n, 0);
    trc_u64_vec_clear(&out->firsts);
    fill(&r.next, n, NONE);
    fill(&r.nth, n, 0);
    fill(&r.counts, t->threads.len, 0);
    bool is = true;
    for (uint32_t i = 0; i < n && is; i++)
        if (trc_keeps_stores(&t->ops.at[i]))
            is = take(&r, i);
        else if (mdl_spins(t->ops.at[i].kind))
            out->location.at[i] = location_of(&r, i); /* perhaps the first one there */
    for (size_t k = 0; k < r.lists.len; k++) {
        uint32_t rank = 0;
        for (uint32_t s = r.lists.at[k].first; s != NONE; s = r.next.at[s])
            out->rank.at[s] = ++rank;
    }
    location_map_fini(&r.locations);
    list_vec_fini(&r.lists);
    trc_u32_vec_fini(&r.next);
    trc_u32_vec_fini(&r.nth);
    trc_u32_vec_fini(&r.counts);
    return is;
}

void trc_stores_fini(trc_stores *s)
{
    trc_u32_vec_fini(&s->location);
    trc_u32_vec_fini(&s->from);
    trc_u32_vec_fini(&s->rank);
    trc_u64_vec_fini(&s->firsts);
}
