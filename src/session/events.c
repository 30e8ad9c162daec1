/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the events of a small session for drawing. Every run has the ids of its events, whatever the
 * search. */
#include "session/session_int.h"

#include <inttypes.h>

#include "base/assert.h"

static uint32_t event_of(const ses_events *e, td_id id)
{
    for (size_t i = 0; i < e->ids.len; i++)
        if (td_id_equal(e->ids.at[i], id))
            return (uint32_t)i;
    return DET_NO_EVENT;
}

/* Threads are numbered in the order in which the session meets them. */
static uint32_t thread_of(ses_events *e, td_id name)
{
    for (size_t i = 0; i < e->threads.len; i++)
        if (td_id_equal(e->threads.at[i], name))
            return (uint32_t)i;
    ses_id_vec_push(&e->threads, name);
    return (uint32_t)e->threads.len - 1;
}

static void put_text(ses *s, const trc_op *op, const trc_site *site, td_text *out)
{
    td_text_add(out, "%s", mdl_kind_text(op->kind));
    if (mdl_is_access(op->kind))
        td_text_add(out, " %s", site->name);
    else if (!mdl_decides(op->kind) && !mdl_creates(op->kind) && !mdl_joins(op->kind))
        td_text_add(out, " %s", trc_object_name(s->exec->sites(s->run), op->object));
    if (mdl_is_access(op->kind))
        td_text_add(out, " = %" PRId64, (int64_t)op->value);
    while (out->len > 0 && out->at[out->len - 1] == ' ')
        out->at[--out->len] = '\0';
}

/* Index of the event of an operation; an undone operation is not an event. */
static uint32_t event_at(const ses_events *e, const trc *t, uint32_t op)
{
    return op < t->ops.len ? event_of(e, t->ops.at[op].id) : DET_NO_EVENT;
}

static void add_event(ses *s, const trc *t, uint32_t i, uint32_t before)
{
    ses_events *e = &s->events;
    const trc_op *op = &t->ops.at[i];
    trc_site site = trc_site_at(s->exec->sites(s->run), op->site);
    td_text text = {0};
    put_text(s, op, &site, &text);
    TD_ASSERT(before == UINT32_MAX || before < i); /* predecessors come first */
    det_event_vec_push(&e->at,
                       (det_event){.thread = thread_of(e, t->threads.at[op->thread].name),
                                   .text = td_strdup(text.at),
                                   .file = td_strdup(site.line > 0 ? site.file : ""),
                                   .line = site.line,
                                   .before = event_at(e, t, before),
                                   .after = event_at(e, t, op->after)});
    ses_id_vec_push(&e->ids, op->id);
    TD_ASSERT(e->ids.len == e->at.len && e->at.len <= DET_MAX_EVENTS);
    td_text_fini(&text);
}

/* The operation of the same thread before this one, of the first one its create. */
static uint32_t own_before(const trc *t, uint32_t i)
{
    TD_ASSERT(i < t->ops.len && t->ops.at[i].thread < t->threads.len);
    for (uint32_t k = i; k > 0; k--)
        if (t->ops.at[k - 1].thread == t->ops.at[i].thread &&
            !mdl_spins(t->ops.at[k - 1].kind))
            return k - 1;
    return t->threads.at[t->ops.at[i].thread].create_op;
}

void ses_events_take(ses *s, const trc *t)
{
    ses_events *e = &s->events;
    for (uint32_t i = 0; !e->too_many && i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (mdl_spins(op->kind) || !td_id_set_add(&e->known, op->id))
            continue;
        e->too_many = e->at.len == DET_MAX_EVENTS;
        if (!e->too_many)
            add_event(s, t, i, own_before(t, i));
    }
    if (e->too_many && e->at.len > 0)
        ses_events_drop(s);
}

void ses_events_drop(ses *s)
{
    det_events_fini(&s->events.at);
    ses_id_vec_fini(&s->events.ids);
    ses_id_vec_fini(&s->events.threads);
    td_id_set_fini(&s->events.known);
}
