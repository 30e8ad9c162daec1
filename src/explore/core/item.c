/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/item.h"

#include "base/assert.h"
#include "base/vec.h"

/* The bytes of an item: a version; the number of literals; of each, whether it has its event, the
 * event's id, the number of steps and each as thread and count, the number of inputs and each as
 * key and value. Numbers are written 7 bits a byte, the lowest first, in as few bytes as they need;
 * ids and keys as they are, the lowest byte first. So an item has one way to be written. */

enum {
    VERSION = 1,
    MAX_STEPS = 1 << 24,
    MAX_INPUTS = 1 << 20,
    LEAST_LITERAL = 19, /* bytes of one without steps and inputs */
    LEAST_STEP = 2,
    LEAST_INPUT = 9,
};

void xpl_item_fini(xpl_item *i)
{
    for (size_t k = 0; k < i->literals.len; k++)
        xpl_literal_fini(&i->literals.at[k]);
    xpl_literal_vec_fini(&i->literals);
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
}

/* ---- out ---- */

static void put_number(xpl_byte_vec *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        xpl_byte_vec_push(out, (uint8_t)(0x80 | (number & 0x7f)));
    xpl_byte_vec_push(out, (uint8_t)number);
}

static void put_word(xpl_byte_vec *out, uint64_t word)
{
    for (uint32_t shift = 0; shift < 64; shift += 8)
        xpl_byte_vec_push(out, (uint8_t)(word >> shift));
}

static void put_literal(xpl_byte_vec *out, const xpl_literal *l)
{
    TD_ASSERT(l->steps.len <= MAX_STEPS &&
              l->inputs.len <= MAX_INPUTS); /* else it cannot be read */
    xpl_byte_vec_push(out, l->has);
    put_word(out, l->event.lo);
    put_word(out, l->event.hi);
    put_number(out, l->steps.len);
    for (size_t i = 0; i < l->steps.len; i++) {
        put_number(out, l->steps.at[i].thread);
        put_number(out, l->steps.at[i].count);
    }
    put_number(out, l->inputs.len);
    for (size_t i = 0; i < l->inputs.len; i++) {
        put_word(out, l->inputs.at[i].key);
        put_number(out, l->inputs.at[i].value);
    }
}

void xpl_item_write(const xpl_item *i, xpl_byte_vec *out)
{
    xpl_byte_vec_push(out, VERSION);
    put_number(out, i->literals.len);
    for (size_t k = 0; k < i->literals.len; k++)
        put_literal(out, &i->literals.at[k]);
}

/* ---- in ---- */

typedef struct reader {
    const uint8_t *at, *end;
    td_diag *diag;
} reader;

static size_t n_left(const reader *r)
{
    TD_ASSERT(r->at <= r->end);
    return (size_t)(r->end - r->at);
}

static TD_MUST_USE td_status bad(const reader *r, const char *what)
{
    return td_diag_set(r->diag, TD_E_FORMAT, "a part of a search cannot be read: %s",
                       what);
}

static TD_MUST_USE td_status get_byte(reader *r, uint8_t *out)
{
    if (r->at == r->end)
        return bad(r, "it ends too early");
    *out = *r->at++;
    return TD_OK;
}

static TD_MUST_USE td_status get_number(reader *r, uint64_t *out)
{
    uint8_t byte = 0;
    *out = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        TD_TRY(get_byte(r, &byte));
        if (shift == 63 && byte > 1)
            return bad(r, "a number is too large");
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        return byte == 0 && shift > 0 ? bad(r, "a number has more bytes than it needs")
                                      : TD_OK;
    }
    return bad(r, "a number is too large");
}

static TD_MUST_USE td_status get_u32(reader *r, uint32_t *out)
{
    uint64_t number = 0;
    TD_TRY(get_number(r, &number));
    if (number > UINT32_MAX)
        return bad(r, "a number is too large");
    *out = (uint32_t)number;
    return TD_OK;
}

static TD_MUST_USE td_status get_word(reader *r, uint64_t *out)
{
    *out = 0;
    if (n_left(r) < 8)
        return bad(r, "it ends too early");
    for (uint32_t shift = 0; shift < 64; shift += 8)
        *out |= (uint64_t)*r->at++ << shift;
    return TD_OK;
}

/* How many follow, each of at least so many bytes. */
static TD_MUST_USE td_status get_count(reader *r, size_t max, size_t least, size_t *out)
{
    TD_ASSERT(least > 0);
    uint64_t number = 0;
    *out = 0;
    TD_TRY(get_number(r, &number));
    if (number > max)
        return bad(r, "it has too many literals, steps or inputs");
    if (number > n_left(r) / least)
        return bad(r, "it ends too early");
    *out = (size_t)number;
    return TD_OK;
}

static TD_MUST_USE td_status get_steps(reader *r, trc_step_vec *out)
{
    size_t n;
    TD_TRY(get_count(r, MAX_STEPS, LEAST_STEP, &n));
    trc_step_vec_reserve(out, n);
    for (size_t i = 0; i < n; i++) {
        wire_step s = {0};
        TD_TRY(get_u32(r, &s.thread));
        TD_TRY(get_u32(r, &s.count));
        if (s.count == 0)
            return bad(r, "a step of no operation");
        trc_step_vec_push(out, s);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_inputs(reader *r, trc_chosen_vec *out)
{
    size_t n;
    TD_TRY(get_count(r, MAX_INPUTS, LEAST_INPUT, &n));
    trc_chosen_vec_reserve(out, n);
    for (size_t i = 0; i < n; i++) {
        wire_input input = {0};
        TD_TRY(get_word(r, &input.key));
        TD_TRY(get_number(r, &input.value));
        trc_chosen_vec_push(out, input);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_literal(reader *r, xpl_literal *out)
{
    uint8_t has = 0;
    TD_TRY(get_byte(r, &has));
    if (has > 1)
        return bad(r, "a literal that neither has nor lacks its event");
    out->has = has == 1;
    TD_TRY(get_word(r, &out->event.lo));
    TD_TRY(get_word(r, &out->event.hi));
    if (td_id_zero(out->event))
        return bad(r, "a literal without an event");
    TD_TRY(get_steps(r, &out->steps));
    return get_inputs(r, &out->inputs);
}

static TD_MUST_USE td_status get_item(reader *r, xpl_item *out)
{
    uint8_t version = 0;
    size_t n;
    TD_TRY(get_byte(r, &version));
    if (version != VERSION)
        return bad(r, "it is of another version");
    TD_TRY(get_count(r, XPL_MAX_LITERALS, LEAST_LITERAL, &n));
    for (size_t i = 0; i < n; i++) {
        xpl_literal_vec_push(&out->literals, (xpl_literal){0});
        TD_TRY(get_literal(r, &out->literals.at[i]));
    }
    return r->at == r->end ? TD_OK : bad(r, "something follows it");
}

td_status xpl_item_read(const uint8_t *at, size_t len, xpl_item *out, td_diag *diag)
{
    reader r = {at, at + len, diag};
    *out = (xpl_item){0};
    td_status status = get_item(&r, out);
    if (status != TD_OK)
        xpl_item_fini(out);
    return status;
}
