/* SPDX-License-Identifier: Apache-2.0 */
/* A history that no order explains: its operations as people write them, and what the one that
 * cannot be explained would do in orders that explain the others. */
#include "detect/detect_int.h"

#include <inttypes.h>

#include "base/assert.h"

#define SMALL INT64_C(0x80000000)
#define BEFORE 6u /* operations of an order that are named before the failing one ... */
#define AFTER 3u  /* ... and behind it */

/* A number, or a pointer to a global object by its name. */
static void put_value(td_text *out, uint64_t value, trc_sites *sites)
{
    int64_t number = (int64_t)value;
    if (number > -SMALL && number < 2 * SMALL) {
        td_text_add(out, "%" PRId64, number);
        return;
    }
    const char *global = trc_object_name(sites, value);
    if (global[0] != '\0')
        td_text_add(out, "&%s", global);
    else
        td_text_add(out, "0x%" PRIx64, value);
}

/* "put(1, 2)". */
static void put_call(td_text *out, const trc *t, const trc_call *c, trc_sites *sites)
{
    td_text_add(out, "%s(", t->texts.at + c->text);
    for (uint8_t i = 0; i < c->n_args; i++) {
        td_text_add(out, "%s", i > 0 ? ", " : "");
        put_value(out, c->args[i], sites);
    }
    td_text_add(out, ")");
}

/* "get(1) = 2". */
static void put_done(td_text *out, const trc *t, const trc_call *c, trc_sites *sites)
{
    put_call(out, t, c, sites);
    if (!c->has_result || c->end == 0)
        return;
    td_text_add(out, " = ");
    put_value(out, c->result, sites);
}

/* Returns the operation that ended last, which no order explains. NULL: it was not recorded. */
static const trc_call *failing_call(const trc *t)
{
    const trc_call *last = NULL;
    for (size_t i = 0; i < t->calls.len; i++)
        if (t->calls.at[i].end != 0 && (!last || t->calls.at[i].end > last->end))
            last = &t->calls.at[i];
    return last;
}

/* The name of the structure rather than that of its first member. */
static const char *name_of(uint64_t object, trc_site site, trc_sites *sites)
{
    const char *global = trc_object_name(sites, object);
    size_t n = strlen(site.name);
    bool contains = strncmp(global, site.name, n) == 0 && strchr(".[+", global[n]);
    return global[0] == '\0' || (n > 0 && contains) ? site.name : global;
}

void det_history_message(const trc *t, const trc_fail *f, trc_site site, trc_sites *sites,
                         td_text *out)
{
    const trc_call *c = failing_call(t);
    const char *name = name_of(f->object, site, sites);
    td_text_add(out, "no order of the operations");
    if (name[0])
        td_text_add(out, " on '%s'", name);
    td_text_add(out, " explains ");
    if (!c) {
        td_text_add(out, "the last one");
        return;
    }
    put_done(out, t, c, sites);
    td_text_add(out, " of ");
    det_thread_put(out, c->thread);
}

/* ---- why ---- */

/* "T1 push(1), T2 pop() = 1" for operations [from, to) of an order. */
static void put_order(td_text *out, const trc *t, const uint32_t *from,
                      const uint32_t *to, trc_sites *sites)
{
    TD_ASSERT(from <= to);
    for (const uint32_t *at = from; at < to; at++) {
        const trc_call *c = &t->calls.at[*at];
        td_text_add(out, "%s", at > from ? ", " : "");
        det_thread_put(out, c->thread);
        td_text_add(out, " ");
        put_done(out, t, c, sites);
    }
}

/* "0 after T1 push(1), T1 pop() = 1". */
static void put_saying(td_text *out, const trc *t, const trc_saying *s,
                       const trc_call *failing, trc_sites *sites)
{
    TD_ASSERT(s->first + s->n <= t->order.len);
    const uint32_t *order = t->order.at + s->first;
    uint32_t at = 0;
    while (at < s->n && &t->calls.at[order[at]] != failing)
        at++;
    uint32_t from = at > BEFORE ? at - BEFORE : 0;
    uint32_t behind = s->n > at ? s->n - at - 1 : 0;
    uint32_t shown = behind < AFTER ? behind : AFTER;
    td_text_add(out, "\n  ");
    if (!s->possible)
        td_text_add(out, "not at all");
    else if (failing->has_result)
        put_value(out, s->result, sites);
    else
        td_text_add(out, "something else");
    if (at == 0)
        td_text_add(out, " as the first");
    else
        td_text_add(out, " after %s", from > 0 ? "..., " : "");
    put_order(out, t, order + from, order + at, sites);
    if (shown == 0)
        return;
    td_text_add(out, "%s", at == 0 ? ", before " : " and before ");
    put_order(out, t, order + at + 1, order + at + 1 + shown, sites);
    td_text_add(out, "%s", behind > shown ? ", ..." : "");
}

static char *why_of(const trc *t, trc_sites *sites)
{
    const trc_call *c = failing_call(t);
    td_text out = {0};
    if (!c || t->sayings.len == 0)
        return td_strdup("");
    det_thread_put(&out, c->thread);
    td_text_add(&out, "'s ");
    put_call(&out, t, c, sites);
    if (c->has_result) {
        td_text_add(&out, " returned ");
        put_value(&out, c->result, sites);
    } else {
        td_text_add(&out, " has ended");
    }
    td_text_add(&out, ". In orders that explain the other operations, it returns");
    for (size_t i = 0; i < t->sayings.len; i++)
        put_saying(&out, t, &t->sayings.at[i], c, sites);
    return out.at;
}

void det_history(const trc *t, const trc_fail *f, trc_sites *sites, det_finding *out)
{
    const trc_call *failing = failing_call(t);
    size_t n = t->calls.len;
    TD_ASSERT(n < UINT32_MAX);
    out->n_calls = (uint32_t)n;
    out->n_earlier = f->value > n && f->value < UINT32_MAX ? (uint32_t)(f->value - n) : 0;
    out->calls = td_alloc((n + 1) * sizeof *out->calls);
    for (size_t i = 0; i < n; i++) {
        const trc_call *c = &t->calls.at[i];
        td_text text = {0};
        put_done(&text, t, c, sites);
        out->calls[i] = (det_call){.text = text.at,
                                   .thread = c->thread,
                                   .begin = c->begin,
                                   .end = c->end,
                                   .fails = c == failing};
    }
    out->why = why_of(t, sites);
}
