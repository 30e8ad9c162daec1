/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of the search interfere that wait to be checked: by degree, those for sides that were
 * not taken yet first. A candidate is kept as words, and known again when it comes up twice. */
#include "explore/interfere/interfere_int.h"

#include "base/assert.h"

/* Words of a candidate: target, degree, number of ends, ends, edges up to the next one. */
static uint32_t keep(interfere *x, const xpl_scenario *s)
{
    TD_ASSERT(s->target < x->targets.len && s->degree <= s->edges.len);
    uint32_t number = (uint32_t)x->scenarios.len;
    offset_vec_push(&x->scenarios, x->words.len);
    xpl_u32_vec_push(&x->words, s->target);
    xpl_u32_vec_push(&x->words, s->degree);
    xpl_u32_vec_push(&x->words, (uint32_t)s->ends.len);
    xpl_u32_vec_append(&x->words, s->ends.at, s->ends.len);
    for (size_t i = 0; i < s->edges.len; i++) {
        xpl_u32_vec_push(&x->words, s->edges.at[i].read);
        xpl_u32_vec_push(&x->words, s->edges.at[i].write);
    }
    return number;
}

void xpl_ifr_load(const interfere *x, uint32_t number, xpl_scenario *out)
{
    TD_ASSERT(number < x->scenarios.len);
    bool is_last = number + 1 == x->scenarios.len;
    uint64_t at = x->scenarios.at[number];
    uint64_t end = is_last ? x->words.len : x->scenarios.at[number + 1];
    const uint32_t *w = x->words.at;
    out->target = w[at];
    out->degree = w[at + 1];
    uint32_t n = w[at + 2];
    TD_ASSERT(at + 3 + n <= end && (end - at - 3 - n) % 2 == 0);
    xpl_u32_vec_clear(&out->ends);
    xpl_edge_vec_clear(&out->edges);
    xpl_u32_vec_append(&out->ends, w + at + 3, n);
    for (uint64_t i = at + 3 + n; i < end; i += 2)
        xpl_edge_vec_push(&out->edges, (xpl_edge){w[i], w[i + 1]});
}

bool xpl_ifr_is_new(interfere *x, const xpl_scenario *s)
{
    size_t before = x->words.len;
    xpl_u32_vec *w = &x->words; /* scratch at its end */
    xpl_u32_vec_push(w, s->target);
    xpl_u32_vec_push(w, (uint32_t)s->ends.len);
    xpl_u32_vec_append(w, s->ends.at, s->ends.len);
    xpl_u32_vec_append(w, (const uint32_t *)s->edges.at, 2 * s->edges.len);
    td_id id = td_id_hash(w->at + before, (w->len - before) * sizeof w->at[0]);
    w->len = before;
    return td_id_set_add(&x->known_scenarios, id) ||
           xpl_ifr_is_off(x, XPL_OFF_DUPLICATES);
}

static bool is_urgent(const interfere *x, const xpl_target *t)
{
    TD_ASSERT(t->cover == XPL_NONE || t->cover < x->sides.len);
    return !xpl_ifr_is_off(x, XPL_OFF_PRIORITIES) && t->cover != XPL_NONE &&
           x->sides.at[t->cover].k == XPL_NONE;
}

void xpl_ifr_enqueue(interfere *x, const xpl_scenario *s)
{
    if (s->degree > XPL_MAX_DEGREE || s->degree > x->opts.interferences) {
        x->n_high++;
        return;
    }
    queue *q = &x->queues[s->degree];
    uint32_t number = keep(x, s);
    xpl_u32_vec_push(is_urgent(x, &x->targets.at[s->target]) ? &q->urgent : &q->others,
                     number);
}

static uint32_t pop(xpl_u32_vec *v, size_t *at)
{
    TD_ASSERT(*at < v->len);
    uint32_t number = v->at[(*at)++];
    if (*at == v->len) {
        xpl_u32_vec_clear(v);
        *at = 0;
    }
    return number;
}

uint32_t xpl_ifr_dequeue(interfere *x)
{
    for (uint32_t k = 0; k <= XPL_MAX_DEGREE; k++) {
        queue *q = &x->queues[k];
        if (q->urgent.len == 0 && q->others.len == 0)
            continue;
        x->degree = k;
        return q->urgent.len > 0 ? pop(&q->urgent, &q->urgent_at)
                                 : pop(&q->others, &q->others_at);
    }
    return XPL_NONE;
}
