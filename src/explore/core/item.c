/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/item.h"

#include "base/assert.h"
#include "base/vec.h"

/* The bytes of an item: a version; the number of literals; of each, whether it has its event, the
 * event's id, the number of steps and each as thread and count, the number of inputs and each as
 * key and value. An item of graphs has a version of its own (graph_item.c). */

enum {
    MAX_STEPS = 1 << 24,
    MAX_INPUTS = 1 << 20,
    VERSION = 1,
    VERSION_GRAPHS = 2,
    LEAST_LITERAL = 19, /* bytes of one without steps and inputs */
    LEAST_STEP = 2,
    LEAST_INPUT = 9,
};

void xpl_item_fini(xpl_item *i)
{
    for (size_t k = 0; k < i->literals.len; k++)
        xpl_literal_fini(&i->literals.at[k]);
    xpl_literal_vec_fini(&i->literals);
    xpl_graphs_fini(&i->graphs);
}

void xpl_literal_fini(xpl_literal *l)
{
    trc_step_vec_fini(&l->steps);
    trc_chosen_vec_fini(&l->inputs);
}

void xpl_item_add(xpl_item *i, const xpl_literal *l, bool has)
{
    TD_ASSERT(i->literals.len < XPL_MAX_LITERALS && !td_id_zero(l->event));
    xpl_literal copy = {.has = has, .event = l->event};
    trc_step_vec_append(&copy.steps, l->steps.at, l->steps.len);
    trc_chosen_vec_append(&copy.inputs, l->inputs.at, l->inputs.len);
    xpl_literal_vec_push(&i->literals, copy);
}

void xpl_item_copy(xpl_item *out, const xpl_item *from)
{
    *out = (xpl_item){0};
    for (size_t k = 0; k < from->literals.len; k++)
        xpl_item_add(out, &from->literals.at[k], from->literals.at[k].has);
    for (size_t k = 0; k < from->graphs.len; k++) {
        xpl_graph_vec_push(&out->graphs, (xpl_graph){0});
        xpl_graph_copy(&out->graphs.at[k], &from->graphs.at[k]);
    }
}

/* ---- out ---- */

static void put_literal(xpl_byte_vec *out, const xpl_literal *l)
{
    TD_ASSERT(l->steps.len <= MAX_STEPS &&
              l->inputs.len <= MAX_INPUTS); /* otherwise it could not be read back */
    xpl_byte_vec_push(out, l->has);
    xpl_put_word(out, l->event.lo);
    xpl_put_word(out, l->event.hi);
    xpl_put_number(out, l->steps.len);
    for (size_t i = 0; i < l->steps.len; i++) {
        xpl_put_number(out, l->steps.at[i].thread);
        xpl_put_number(out, l->steps.at[i].count);
    }
    xpl_put_number(out, l->inputs.len);
    for (size_t i = 0; i < l->inputs.len; i++) {
        xpl_put_word(out, l->inputs.at[i].key);
        xpl_put_number(out, l->inputs.at[i].value);
    }
}

void xpl_item_write(const xpl_item *i, xpl_byte_vec *out)
{
    TD_ASSERT(i->literals.len == 0 || i->graphs.len == 0); /* (T3) */
    if (i->graphs.len > 0) {
        xpl_byte_vec_push(out, VERSION_GRAPHS);
        xpl_graphs_write(&i->graphs, out);
        return;
    }
    xpl_byte_vec_push(out, VERSION);
    xpl_put_number(out, i->literals.len);
    for (size_t k = 0; k < i->literals.len; k++)
        put_literal(out, &i->literals.at[k]);
}

/* ---- in ---- */

static TD_MUST_USE td_status get_steps(xpl_reader *r, trc_step_vec *out)
{
    size_t n;
    TD_TRY(xpl_get_count(r, MAX_STEPS, LEAST_STEP, &n));
    trc_step_vec_reserve(out, n);
    for (size_t i = 0; i < n; i++) {
        wire_step s = {0};
        TD_TRY(xpl_get_u32(r, &s.thread));
        TD_TRY(xpl_get_u32(r, &s.count));
        if (s.count == 0)
            return xpl_reader_bad(r, "a step without operations");
        trc_step_vec_push(out, s);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_inputs(xpl_reader *r, trc_chosen_vec *out)
{
    size_t n;
    TD_TRY(xpl_get_count(r, MAX_INPUTS, LEAST_INPUT, &n));
    trc_chosen_vec_reserve(out, n);
    for (size_t i = 0; i < n; i++) {
        wire_input input = {0};
        TD_TRY(xpl_get_word(r, &input.key));
        TD_TRY(xpl_get_number(r, &input.value));
        trc_chosen_vec_push(out, input);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_literal(xpl_reader *r, xpl_literal *out)
{
    uint8_t has = 0;
    TD_TRY(xpl_get_byte(r, &has));
    if (has > 1)
        return xpl_reader_bad(r, "a literal that neither has nor lacks its event");
    out->has = has == 1;
    TD_TRY(xpl_get_word(r, &out->event.lo));
    TD_TRY(xpl_get_word(r, &out->event.hi));
    if (td_id_zero(out->event))
        return xpl_reader_bad(r, "a literal without an event");
    TD_TRY(get_steps(r, &out->steps));
    return get_inputs(r, &out->inputs);
}

static TD_MUST_USE td_status get_literals(xpl_reader *r, xpl_item *out)
{
    size_t n;
    TD_TRY(xpl_get_count(r, XPL_MAX_LITERALS, LEAST_LITERAL, &n));
    for (size_t i = 0; i < n; i++) {
        xpl_literal_vec_push(&out->literals, (xpl_literal){0});
        TD_TRY(get_literal(r, &out->literals.at[i]));
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_item(xpl_reader *r, xpl_item *out)
{
    uint8_t version = 0;
    TD_TRY(xpl_get_byte(r, &version));
    if (version != VERSION && version != VERSION_GRAPHS)
        return xpl_reader_bad(r, "it is of another version");
    if (version == VERSION_GRAPHS)
        TD_TRY(xpl_graphs_read(r, &out->graphs));
    else
        TD_TRY(get_literals(r, out));
    return r->at == r->end ? TD_OK : xpl_reader_bad(r, "something follows it");
}

td_status xpl_item_read(const uint8_t *at, size_t len, xpl_item *out, td_diag *diag)
{
    xpl_reader r = {at, at + len, "a part of a search", diag};
    *out = (xpl_item){0};
    td_status status = get_item(&r, out);
    if (status != TD_OK)
        xpl_item_fini(out);
    return status;
}

td_status xpl_literal_read(const uint8_t *at, size_t len, xpl_literal *out, td_diag *diag)
{
    xpl_reader r = {at, at + len, "a literal", diag};
    *out = (xpl_literal){0};
    TD_TRY(get_literal(&r, out));
    return r.at == r.end ? TD_OK : xpl_reader_bad(&r, "something follows it");
}
