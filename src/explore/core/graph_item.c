/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that are still to be run, as bytes: their number; of each the keys, the steps, the inputs, the
 * reader and 1 (0: none), the stuck events.
 *
 * Graphs of one search are alike at their beginning. So of each of the three lists there is how many
 * entries are those of the graph before, as many as can be, then the number of the others and these:
 * a key as flags, thread, operation and, where it reads from another, the number of that; of a decision the
 * side. At the end sides that were taken, and two numbers that are written as the reader is. */
#include "explore/core/item.h"

#include "base/assert.h"
#include "wire/hooks.h"

enum {
    KEY_WRITE = 1,
    KEY_STUCK = 2,
    KEY_FROM_INIT = 4,
    KEY_FROM = 8,  /* neither: it reads nothing */
    KEY_SIDE = 16, /* not 0 */
    MAX_TAKEN = 1 << 10,
    MAX_THREAD = 1 << 24,
    MAX_OP = 1 << 30,
    N_FLAGS = 6,
    LEAST_GRAPH = 11,
    LEAST_KEY = 3,
    LEAST_STEP = 2,
    LEAST_INPUT = 9,
    LEAST_STUCK = 41,
    MAX_STUCK = 1 << 10,
};

void xpl_graph_fini(xpl_graph *g)
{
    xpl_key_vec_fini(&g->keys);
    trc_step_vec_fini(&g->steps);
    trc_chosen_vec_fini(&g->inputs);
    grf_event_vec_fini(&g->stuck);
    grf_u64_vec_fini(&g->taken);
}

void xpl_graph_copy(xpl_graph *out, const xpl_graph *from)
{
    *out = (xpl_graph){.reader = from->reader,
                       .is_given = from->is_given,
                       .due = from->due,
                       .fresh = from->fresh};
    grf_u64_vec_append(&out->taken, from->taken.at, from->taken.len);
    xpl_key_vec_append(&out->keys, from->keys.at, from->keys.len);
    trc_step_vec_append(&out->steps, from->steps.at, from->steps.len);
    trc_chosen_vec_append(&out->inputs, from->inputs.at, from->inputs.len);
    grf_event_vec_append(&out->stuck, from->stuck.at, from->stuck.len);
}

void xpl_graphs_fini(xpl_graph_vec *graphs)
{
    for (size_t i = 0; i < graphs->len; i++)
        xpl_graph_fini(&graphs->at[i]);
    xpl_graph_vec_fini(graphs);
}

bool xpl_item_is_large(const xpl_item *i)
{
    size_t n = 0;
    for (size_t k = 0; k < i->graphs.len; k++) {
        const xpl_graph *g = &i->graphs.at[k];
        n += g->keys.len + g->steps.len + g->inputs.len;
    }
    return n > XPL_MAX_GRAPH_ENTRIES || i->graphs.len > XPL_MAX_GRAPHS;
}

/* The order stays in both. The older ones, from which most follows, are shared out evenly. */
bool xpl_item_halve(xpl_item *i, xpl_item *other)
{
    size_t n = i->graphs.len;
    *other = (xpl_item){0};
    if (n < 2)
        return false;
    i->graphs.len = 0;
    for (size_t k = 0; k < n; k++)
        xpl_graph_vec_push(k % 2 ? &i->graphs : &other->graphs, i->graphs.at[k]);
    return true;
}

/* ---- entries that are those of the graph before ---- */

static bool same_key(const xpl_key *a, const xpl_key *b)
{
    return a->thread == b->thread && a->op == b->op && a->is_write == b->is_write &&
           a->is_stuck == b->is_stuck && a->from == b->from && a->side == b->side;
}

static bool same_step(const wire_step *a, const wire_step *b)
{
    return a->thread == b->thread && a->count == b->count;
}

static bool same_input(const wire_input *a, const wire_input *b)
{
    return a->key == b->key && a->value == b->value;
}

/* Returns the length of the common prefix. */
#define N_SAME(a, b, same) n_same_##same(a, b)
#define DEFINE_SAME(vec, same)                                                           \
    static size_t n_same_##same(const vec *a, const vec *b)                              \
    {                                                                                    \
        size_t n = 0;                                                                    \
        while (n < a->len && n < b->len && same(&a->at[n], &b->at[n]))                   \
            n++;                                                                         \
        return n;                                                                        \
    }
DEFINE_SAME(xpl_key_vec, same_key)
DEFINE_SAME(trc_step_vec, same_step)
DEFINE_SAME(trc_chosen_vec, same_input)

/* ---- out ---- */

static void put_key(xpl_byte_vec *out, const xpl_key *k)
{
    bool is_number = k->from != GRF_NONE && k->from != GRF_INIT;
    TD_ASSERT(k->thread < MAX_THREAD && k->op < MAX_OP);
    xpl_byte_vec_push(
        out, (uint8_t)((k->is_write ? KEY_WRITE : 0) | (k->is_stuck ? KEY_STUCK : 0) |
                       (k->from == GRF_INIT ? KEY_FROM_INIT : 0) |
                       (is_number ? KEY_FROM : 0) | (k->side ? KEY_SIDE : 0)));
    xpl_put_number(out, k->thread);
    xpl_put_number(out, k->op);
    if (is_number)
        xpl_put_number(out, k->from);
    if (k->side)
        xpl_put_number(out, k->side);
}

static void put_optional(xpl_byte_vec *out, uint32_t number)
{
    xpl_put_number(out, number == GRF_NONE ? 0 : (uint64_t)number + 1);
}

/* The flags of an event, in the order of its bytes. */
static void flags_of(grf_event *e, bool *out[N_FLAGS])
{
    bool *all[N_FLAGS] = {&e->is_update, &e->is_sync,   &e->drains,
                          &e->is_stuck,  &e->is_choice, NULL};
    memcpy(out, all, sizeof all);
}

/* The position in its graph is not written: its run determines it. */
static void put_stuck(xpl_byte_vec *out, grf_event e)
{
    bool *flags[N_FLAGS];
    uint8_t bits = 0;
    TD_ASSERT(e.kind == GRF_READ);
    flags_of(&e, flags);
    for (uint32_t i = 0; flags[i]; i++)
        bits |= (uint8_t)(*flags[i] << i);
    const uint8_t small[] = {bits,       e.order,    e.otherwise, e.updates,
                             e.leaves,   e.size,     e.rmw,       e.waits_if,
                             e.fails_if, e.acquires, e.releases};
    xpl_byte_vec_append(out, small, sizeof small);
    xpl_put_number(out, e.thread);
    xpl_put_number(out, e.op);
    xpl_put_word(out, e.object);
    xpl_put_word(out, e.value);
    xpl_put_word(out, e.operand);
    xpl_put_word(out, e.desired);
}

static void put_graph(xpl_byte_vec *out, const xpl_graph *before, const xpl_graph *g)
{
    size_t i = N_SAME(&before->keys, &g->keys, same_key);
    xpl_put_number(out, i);
    xpl_put_number(out, g->keys.len - i);
    for (; i < g->keys.len; i++)
        put_key(out, &g->keys.at[i]);
    i = N_SAME(&before->steps, &g->steps, same_step);
    xpl_put_number(out, i);
    xpl_put_number(out, g->steps.len - i);
    for (; i < g->steps.len; i++) {
        xpl_put_number(out, g->steps.at[i].thread);
        xpl_put_number(out, g->steps.at[i].count);
    }
    i = N_SAME(&before->inputs, &g->inputs, same_input);
    xpl_put_number(out, i);
    xpl_put_number(out, g->inputs.len - i);
    for (; i < g->inputs.len; i++) {
        xpl_put_word(out, g->inputs.at[i].key);
        xpl_put_number(out, g->inputs.at[i].value);
    }
    put_optional(out, g->reader);
    xpl_put_number(out, g->stuck.len);
    for (size_t k = 0; k < g->stuck.len; k++)
        put_stuck(out, g->stuck.at[k]);
    xpl_put_number(out, g->taken.len);
    for (size_t k = 0; k < g->taken.len; k++)
        xpl_put_number(out, g->taken.at[k]);
    put_optional(out, g->due);
    put_optional(out, g->fresh);
}

void xpl_graphs_write(const xpl_graph_vec *graphs, xpl_byte_vec *out)
{
    const xpl_graph none = XPL_EMPTY_GRAPH;
    xpl_put_number(out, graphs->len);
    for (size_t i = 0; i < graphs->len; i++)
        put_graph(out, i > 0 ? &graphs->at[i - 1] : &none, &graphs->at[i]);
}

/* ---- in ---- */

/* Graphs before it, and what may still come. */
typedef struct graph_reader {
    xpl_reader *r;
    const xpl_graph *before;
    size_t left; /* entries */
} graph_reader;

/* Reads how many entries are shared with the previous graph, and how many follow. */
static TD_MUST_USE td_status get_counts(graph_reader *g, size_t before, size_t least,
                                        size_t *same, size_t *more)
{
    uint64_t n = 0;
    TD_TRY(xpl_get_number(g->r, &n));
    if (n > before)
        return xpl_reader_bad(
            g->r, "a graph shares more events with the previous one than that has");
    *same = (size_t)n;
    TD_TRY(xpl_get_count(g->r, g->left, least, more));
    if (*same + *more > g->left)
        return xpl_reader_bad(g->r, "its graphs are too large");
    g->left -= *same + *more;
    return TD_OK;
}

static TD_MUST_USE td_status twice(const graph_reader *g)
{
    return xpl_reader_bad(g->r, "a graph repeats an event of the previous one");
}

static TD_MUST_USE td_status get_key(graph_reader *g, xpl_key *out)
{
    uint8_t flags = 0;
    TD_TRY(xpl_get_byte(g->r, &flags));
    if (flags >= 2 * KEY_SIDE || ((flags & KEY_FROM) && (flags & KEY_FROM_INIT)))
        return xpl_reader_bad(g->r, "invalid event in a graph");
    *out = (xpl_key){.is_write = flags & KEY_WRITE,
                     .is_stuck = flags & KEY_STUCK,
                     .from = flags & KEY_FROM_INIT ? GRF_INIT : GRF_NONE};
    TD_TRY(xpl_get_u32(g->r, &out->thread));
    TD_TRY(xpl_get_u32(g->r, &out->op));
    if (flags & KEY_FROM)
        TD_TRY(xpl_get_u32(g->r, &out->from));
    if (flags & KEY_SIDE)
        TD_TRY(xpl_get_number(g->r, &out->side));
    if (((flags & KEY_SIDE) && out->side == 0) || out->thread >= MAX_THREAD ||
        out->op >= MAX_OP || ((flags & KEY_FROM) && out->from >= XPL_MAX_GRAPH_ENTRIES) ||
        (out->is_stuck && (out->is_write || out->from == GRF_NONE)))
        return xpl_reader_bad(g->r, "invalid event in a graph");
    return TD_OK;
}

static TD_MUST_USE td_status get_keys(graph_reader *g, xpl_key_vec *out)
{
    size_t same = 0, more = 0;
    const xpl_key_vec *before = &g->before->keys;
    TD_TRY(get_counts(g, before->len, LEAST_KEY, &same, &more));
    xpl_key_vec_append(out, before->at, same);
    for (size_t i = 0; i < more; i++) {
        xpl_key k;
        TD_TRY(get_key(g, &k));
        xpl_key_vec_push(out, k);
    }
    if (N_SAME(before, out, same_key) != same)
        return twice(g);
    for (size_t i = 0; i < out->len; i++) {
        uint32_t from = out->at[i].from;
        if (from != GRF_NONE && from != GRF_INIT && (from >= out->len || from == i))
            return xpl_reader_bad(g->r, "a read of a graph has no such store");
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_steps(graph_reader *g, trc_step_vec *out)
{
    size_t same = 0, more = 0;
    const trc_step_vec *before = &g->before->steps;
    TD_TRY(get_counts(g, before->len, LEAST_STEP, &same, &more));
    trc_step_vec_append(out, before->at, same);
    for (size_t i = 0; i < more; i++) {
        wire_step s = {0};
        TD_TRY(xpl_get_u32(g->r, &s.thread));
        TD_TRY(xpl_get_u32(g->r, &s.count));
        trc_step_vec_push(out, s);
    }
    return N_SAME(before, out, same_step) == same ? TD_OK : twice(g);
}

static TD_MUST_USE td_status get_inputs(graph_reader *g, trc_chosen_vec *out)
{
    size_t same = 0, more = 0;
    const trc_chosen_vec *before = &g->before->inputs;
    TD_TRY(get_counts(g, before->len, LEAST_INPUT, &same, &more));
    trc_chosen_vec_append(out, before->at, same);
    for (size_t i = 0; i < more; i++) {
        wire_input input = {0};
        TD_TRY(xpl_get_word(g->r, &input.key));
        TD_TRY(xpl_get_number(g->r, &input.value));
        trc_chosen_vec_push(out, input);
    }
    return N_SAME(before, out, same_input) == same ? TD_OK : twice(g);
}

static bool is_size(uint8_t size, bool is_sync)
{
    return is_sync ? size == 0 : size == 1 || size == 2 || size == 4 || size == 8;
}

static TD_MUST_USE td_status get_stuck(graph_reader *g, grf_event *out)
{
    bool *flags[N_FLAGS];
    uint8_t bits = 0;
    *out = (grf_event){.kind = GRF_READ, .from = GRF_INIT, .before = GRF_NONE};
    uint8_t *small[] = {&bits,          &out->order,    &out->otherwise, &out->updates,
                        &out->leaves,   &out->size,     &out->rmw,       &out->waits_if,
                        &out->fails_if, &out->acquires, &out->releases};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        TD_TRY(xpl_get_byte(g->r, small[i]));
    flags_of(out, flags);
    for (uint32_t i = 0; flags[i]; i++)
        *flags[i] = bits >> i & 1;
    TD_TRY(xpl_get_u32(g->r, &out->thread));
    TD_TRY(xpl_get_u32(g->r, &out->op));
    TD_TRY(xpl_get_word(g->r, &out->object));
    TD_TRY(xpl_get_word(g->r, &out->value));
    TD_TRY(xpl_get_word(g->r, &out->operand));
    TD_TRY(xpl_get_word(g->r, &out->desired));
    if (bits >> (N_FLAGS - 1) || out->order > __ATOMIC_SEQ_CST ||
        out->otherwise > __ATOMIC_SEQ_CST || out->updates > GRF_IF_OPEN ||
        out->leaves > GRF_UNKNOWN || !is_size(out->size, out->is_sync) ||
        out->rmw > WIRE_RMW_OTHER || (out->waits_if | out->fails_if) >> GRF_UNKNOWN ||
        (out->acquires | out->releases) > (GRF_ALL | GRF_APART | GRF_ROUND))
        return xpl_reader_bad(g->r, "invalid waiting event");
    return TD_OK;
}

static bool is_of_key(const grf_event *e, const xpl_key *k)
{
    return e->thread == k->thread && e->op == k->op && !k->is_write;
}

/* The i-th event that waits is that of a stuck key, and the only one of its thread. */
static bool is_stuck(const xpl_graph *g, const grf_u32_vec *keys, size_t i)
{
    const grf_event *e = &g->stuck.at[i];
    bool is = false;
    for (size_t k = 0; k < keys->len && !is; k++)
        is = is_of_key(e, &g->keys.at[keys->at[k]]);
    for (size_t k = 0; k < i && is; k++)
        is = g->stuck.at[k].thread != e->thread;
    return is && e->is_stuck;
}

/* Each stuck key has its event, in any order; that of the reader is behind them. */
static bool has_stuck(const xpl_graph *g)
{
    grf_u32_vec keys = {0};
    bool has_reader = g->reader != GRF_NONE;
    for (uint32_t i = 0; i < g->keys.len; i++)
        if (g->keys.at[i].is_stuck)
            grf_u32_vec_push(&keys, i);
    bool is = g->stuck.len == keys.len + has_reader;
    for (size_t i = 0; i < keys.len && is; i++)
        is = is_stuck(g, &keys, i);
    if (is && has_reader)
        is = is_of_key(&g->stuck.at[keys.len], &g->keys.at[g->reader]);
    grf_u32_vec_fini(&keys);
    return is;
}

/* The number of a key, or none. */
static TD_MUST_USE td_status get_optional(graph_reader *g, size_t n_keys, uint32_t *out)
{
    uint64_t number = 0;
    TD_TRY(xpl_get_number(g->r, &number));
    if (number > n_keys)
        return xpl_reader_bad(g->r, "a graph has no such event");
    *out = number > 0 ? (uint32_t)number - 1 : GRF_NONE;
    return TD_OK;
}

static TD_MUST_USE td_status get_taken(graph_reader *g, xpl_graph *out)
{
    size_t n = 0;
    TD_TRY(xpl_get_count(g->r, MAX_TAKEN, 1, &n));
    if (n > 0 && out->keys.len == 0)
        return xpl_reader_bad(g->r, "a graph has no decision");
    for (size_t i = 0; i < n; i++) {
        uint64_t side = 0;
        TD_TRY(xpl_get_number(g->r, &side));
        grf_u64_vec_push(&out->taken, side);
    }
    TD_TRY(get_optional(g, out->keys.len, &out->due));
    return get_optional(g, out->keys.len, &out->fresh);
}

static TD_MUST_USE td_status get_graph(graph_reader *g, xpl_graph *out)
{
    size_t n = 0;
    TD_TRY(get_keys(g, &out->keys));
    TD_TRY(get_steps(g, &out->steps));
    TD_TRY(get_inputs(g, &out->inputs));
    TD_TRY(get_optional(g, out->keys.len, &out->reader));
    TD_TRY(xpl_get_count(g->r, MAX_STUCK, LEAST_STUCK, &n));
    for (size_t i = 0; i < n; i++) {
        grf_event e;
        TD_TRY(get_stuck(g, &e));
        grf_event_vec_push(&out->stuck, e);
    }
    if (!has_stuck(out))
        return xpl_reader_bad(g->r, "the waiting events do not match the graph");
    out->is_given = true;
    return get_taken(g, out);
}

td_status xpl_graphs_read(xpl_reader *r, xpl_graph_vec *out)
{
    const xpl_graph none = XPL_EMPTY_GRAPH;
    graph_reader g = {r, &none, XPL_MAX_GRAPH_ENTRIES};
    size_t n = 0;
    TD_TRY(xpl_get_count(r, XPL_MAX_GRAPHS, LEAST_GRAPH, &n));
    if (n == 0)
        return xpl_reader_bad(r, "it has no graph");
    xpl_graph_vec_reserve(out, n); /* they stay where they are: each has the one before */
    for (size_t i = 0; i < n; i++) {
        xpl_graph_vec_push(out, XPL_EMPTY_GRAPH);
        TD_TRY(get_graph(&g, &out->at[i]));
        g.before = &out->at[i];
    }
    return TD_OK;
}
