/* SPDX-License-Identifier: Apache-2.0 */
/* Answers a part from earlier queries. */
#include "solver/solver_int.h"

#include "base/assert.h"

enum {
    FEWEST_SLOTS = 256,   /* a power of two */
    MOST_KNOWN = 1 << 18, /* then the exact cache is emptied */
    MOST_PAIRS = 1 << 22,
    MOST_CORES = 1 << 16, /* then the cores are */
};

void slv_caches_init(slv_caches *c)
{
    slv_known_vec_push(&c->known, (slv_known){0});
    slv_core_vec_push(&c->cores, (slv_core){0});
    c->n_slots = FEWEST_SLOTS;
    c->slots = td_alloc(c->n_slots * sizeof *c->slots);
    c->buckets = td_alloc(SLV_BUCKETS * sizeof *c->buckets);
}

void slv_caches_fini(slv_caches *c)
{
    slv_known_vec_fini(&c->known);
    td_free(c->slots);
    slv_pair_vec_fini(&c->pairs);
    slv_core_vec_fini(&c->cores);
    exp_ref_vec_fini(&c->core_refs);
    exp_u32_vec_fini(&c->core_by_ref);
    for (size_t i = 0; i < SLV_RECENT; i++)
        slv_pair_vec_fini(&c->recent[i].pairs);
    for (size_t i = 0; i < SLV_BUCKETS; i++)
        for (size_t k = 0; k < SLV_BUCKET_MODELS; k++)
            slv_pair_vec_fini(&c->buckets[i].models[k].pairs);
    td_free(c->buckets);
}

/* --- Exact --- */

/* The slot of the key, or the free one where it belongs. */
static size_t slot_of(const slv_caches *c, td_id key)
{
    TD_ASSERT((c->n_slots & (c->n_slots - 1)) == 0 && c->known.len <= c->n_slots);
    size_t i = key.lo & (c->n_slots - 1);
    while (c->slots[i] && !td_id_equal(c->known.at[c->slots[i]].key, key))
        i = (i + 1) & (c->n_slots - 1);
    return i;
}

const slv_known *slv_caches_find(const slv_caches *c, td_id key)
{
    uint32_t ix = c->slots[slot_of(c, key)];
    return ix ? &c->known.at[ix] : NULL;
}

static void set_slots(slv_caches *c, size_t n_slots)
{
    td_free(c->slots);
    c->n_slots = n_slots;
    c->slots = td_alloc(n_slots * sizeof *c->slots);
    for (uint32_t i = 1; i < c->known.len; i++)
        c->slots[slot_of(c, c->known.at[i].key)] = i;
}

void slv_caches_put(slv_caches *c, slv_known known, const slv_pair_vec *pairs)
{
    TD_ASSERT(known.answer != SLV_UNKNOWN || known.limit_ms > 0);
    if (c->known.len > MOST_KNOWN || c->pairs.len > MOST_PAIRS) {
        c->known.len = 1;
        slv_pair_vec_clear(&c->pairs);
        set_slots(c, FEWEST_SLOTS);
    }
    if (2 * c->known.len > c->n_slots)
        set_slots(c, 2 * c->n_slots);
    known.first = (uint32_t)c->pairs.len;
    known.n = known.answer == SLV_SAT ? (uint32_t)pairs->len : 0;
    slv_pair_vec_append(&c->pairs, pairs->at, known.n);
    size_t slot = slot_of(c, known.key);
    if (c->slots[slot]) {
        c->known.at[c->slots[slot]] = known;
        return;
    }
    c->slots[slot] = (uint32_t)c->known.len;
    slv_known_vec_push(&c->known, known);
}

/* --- Cores --- */

/* True if the core is among refs; both grow. */
static bool is_subset(const slv_caches *c, const slv_core *core, const exp_ref *refs,
                      size_t n)
{
    TD_ASSERT(core->n > 0 && core->first + core->n <= c->core_refs.len);
    size_t at = 0;
    for (uint32_t i = 0; i < core->n; i++) {
        uint32_t want = c->core_refs.at[core->first + i].ix;
        while (at < n && refs[at].ix < want)
            at++;
        if (at == n || refs[at].ix != want)
            return false;
    }
    return true;
}

bool slv_caches_has_core(const slv_caches *c, const exp_ref *refs, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        if (refs[i].ix >= c->core_by_ref.len)
            continue;
        uint32_t ix = c->core_by_ref.at[refs[i].ix];
        for (; ix; ix = c->cores.at[ix].next)
            if (is_subset(c, &c->cores.at[ix], refs, i + 1))
                return true;
    }
    return false;
}

static void forget_cores(slv_caches *c)
{
    c->cores.len = 1;
    exp_ref_vec_clear(&c->core_refs);
    exp_u32_vec_clear(&c->core_by_ref);
}

void slv_caches_put_core(slv_caches *c, const exp_ref *refs, size_t n)
{
    TD_ASSERT(n > 0);
    TD_ASSERT(n == 1 || refs[n - 2].ix < refs[n - 1].ix); /* they grow */
    if (c->cores.len > MOST_CORES)
        forget_cores(c);
    uint32_t last = refs[n - 1].ix;
    while (c->core_by_ref.len <= last)
        exp_u32_vec_push(&c->core_by_ref, 0);
    slv_core core = {(uint32_t)c->core_refs.len, (uint32_t)n, c->core_by_ref.at[last]};
    exp_ref_vec_append(&c->core_refs, refs, n);
    c->core_by_ref.at[last] = (uint32_t)c->cores.len;
    slv_core_vec_push(&c->cores, core);
}

/* --- Models --- */

static void set_model(slv_model *m, exp_set inputs, const slv_pair_vec *pairs)
{
    m->inputs = inputs;
    slv_pair_vec_clear(&m->pairs);
    slv_pair_vec_append(&m->pairs, pairs->at, pairs->len);
}

void slv_caches_put_model(slv_caches *c, exp_set inputs, const slv_pair_vec *pairs)
{
    set_model(&c->recent[c->n_recent++ % SLV_RECENT], inputs, pairs);
    slv_bucket *b = &c->buckets[inputs.ix % SLV_BUCKETS];
    if (b->inputs.ix != inputs.ix) {
        b->inputs = inputs;
        b->n_put = 0;
    }
    set_model(&b->models[b->n_put++ % SLV_BUCKET_MODELS], inputs, pairs);
}

const slv_model *slv_caches_model(const slv_caches *c, exp_set inputs, size_t i)
{
    const slv_bucket *b = &c->buckets[inputs.ix % SLV_BUCKETS];
    size_t own = b->inputs.ix != inputs.ix      ? 0
                 : b->n_put < SLV_BUCKET_MODELS ? b->n_put
                                                : SLV_BUCKET_MODELS;
    if (i < own)
        return &b->models[(b->n_put - 1 - i) % SLV_BUCKET_MODELS];
    i -= own;
    if (i >= SLV_RECENT || i >= c->n_recent)
        return NULL;
    return &c->recent[(c->n_recent - 1 - i) % SLV_RECENT];
}
