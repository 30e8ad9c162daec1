/* SPDX-License-Identifier: Apache-2.0 */
/* What an act did, in a few words. */
#include "report/text/report_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define LOOK_BACK 300u /* shown acts */

static const char *order_text(uint8_t order)
{
    switch (order) {
    case __ATOMIC_RELAXED:
        return " (rlx)";
    case __ATOMIC_CONSUME:
        return " (con)";
    case __ATOMIC_ACQUIRE:
        return " (acq)";
    case __ATOMIC_RELEASE:
        return " (rel)";
    case __ATOMIC_ACQ_REL:
        return " (acq_rel)";
    default:
        return "";
    }
}

static bool is_plain(const rep_act *a)
{
    return a->kind == WIRE_NOTE_READ || a->kind == WIRE_NOTE_WRITE;
}

/* What the thread saw in the object the last time it looked, if it did not write it since:
 * a shown read, or NULL. i is an index in slice.shown. */
static const rep_act *seen_before(const rep_table *t, uint32_t i)
{
    TD_ASSERT(i < t->slice->shown.len);
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    for (uint32_t k = i, n = 0; k-- > 0 && n < LOOK_BACK; n++) {
        const rep_act *b = &t->story->acts.at[t->slice->shown.at[k]];
        if (b->thread != a->thread || b->object != a->object || b->size != a->size)
            continue;
        if (rep_act_writes(b))
            return NULL;
        if (rep_act_reads(b))
            return b;
    }
    return NULL;
}

static void print_write(rep_table *t, uint32_t i, const rep_act *a, const trc_site *site,
                        td_text *out)
{
    td_text_add(out, " = ");
    rep_print_act_value(t->labels, site, a, a->value, out);
    if (a->size == 0 || a->size > 8 || !rep_act_had_value(t->story, a))
        return;
    td_text_add(out, " (was ");
    rep_print_act_value(t->labels, site, a, a->old, out);
    const rep_act *seen = seen_before(t, i);
    if (seen != NULL && seen->value != a->old && seen->step != a->step &&
        seen->step != 0) {
        td_text_add(out, ", not ");
        rep_print_act_value(t->labels, site, a, seen->value, out);
        td_text_add(out, " as read at #%u", seen->step);
    }
    td_text_add(out, ")");
}

static void print_memory(rep_table *t, uint32_t i, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(t->story, a);
    if (mdl_is_exchange(a->kind))
        td_text_add(out, "cas ");
    rep_print_act_object(t->labels, a, out);
    td_text_add(out, "%s", is_plain(a) ? "" : order_text(a->order));
    if (a->no_value) {
        td_text_add(out, a->kind == WIRE_NOTE_WRITE ? " is written" : " is read");
    } else if (mdl_has_failed(a->kind)) {
        td_text_add(out, " failed, saw ");
        rep_print_act_value(t->labels, &site, a, a->value, out);
    } else if (mdl_updates(a->kind)) {
        td_text_add(out, " ");
        rep_print_act_value(t->labels, &site, a, a->old, out);
        td_text_add(out, " -> ");
        rep_print_act_value(t->labels, &site, a, a->value, out);
        td_text_add(out, "%s", mdl_exchanges(a->kind) ? " ok" : "");
    } else if (rep_act_writes(a)) {
        print_write(t, i, a, &site, out);
    } else {
        td_text_add(out, " -> ");
        rep_print_act_value(t->labels, &site, a, a->value, out);
    }
}

static void print_wait(rep_table *t, const rep_act *a, td_text *out)
{
    if (mdl_joins(a->wants)) {
        td_text_add(out, "join  WAITS");
    } else if (mdl_spins(a->wants)) {
        td_text_add(out, "spins on ");
        rep_print_object(t->labels, a->object, out);
        td_text_add(out, "  WAITS");
    } else {
        bool wakes = det_wait_text(a->wants)[0] != '\0';
        td_text_add(out, "%s ", wakes ? "waits on" : mdl_kind_text(a->wants));
        rep_print_object(t->labels, a->object, out);
        td_text_add(out, wakes ? "  FOREVER" : "  WAITS");
    }
    if (a->other == a->thread) {
        td_text_add(out, " for itself");
    } else if (a->other != REP_NONE) {
        td_text_add(out, " for ");
        rep_print_thread(a->other, out);
    }
}

static void print_mutex(rep_table *t, const rep_act *a, td_text *out)
{
    bool is_busy = mdl_has_failed(a->kind) && mdl_type_of(a->kind) == WIRE_TYPE_MUTEX;
    td_text_add(out, "%s ", mdl_kind_text(is_busy ? mdl_asked_kind(a->kind) : a->kind));
    rep_print_object(t->labels, a->object, out);
    if (mdl_locks(a->kind))
        td_text_add(out, "  got it");
    if (mdl_type_of(a->kind) == WIRE_TYPE_SEM)
        td_text_add(out, " -> %" PRIu64, a->value);
    if (is_busy) {
        td_text_add(out, "  busy: held by ");
        rep_print_thread((uint32_t)a->value, out);
    }
}

/* The result of a call, as its manual page calls it. */
static void print_result(int32_t result, td_text *out)
{
    bool is_error = result < 0 && result != WIRE_FD_WAITS;
    const char *name = is_error ? strerrorname_np(-result) : NULL;
    if (result == WIRE_FD_WAITS)
        td_text_add(out, "  blocks");
    else if (name != NULL)
        td_text_add(out, " -> %s", name);
    else
        td_text_add(out, " -> %d", result);
}

static void print_descriptor(const rep_act *a, td_text *out)
{
    static const char *const calls[WIRE_N_FD_CALLS] = {
#define X(name, text) [WIRE_FD_CALL_##name] = text,
        WIRE_FD_CALLS(X)
#undef X
    };
    int32_t fd = (int32_t)(uint32_t)a->value;
    td_text_add(out, "%s", a->size < WIRE_N_FD_CALLS ? calls[a->size] : "call");
    if (fd >= 0)
        td_text_add(out, a->size == WIRE_FD_CALL_OPEN ? " -> %d" : " %d", fd);
    int32_t result = (int32_t)(uint32_t)(a->value >> 32);
    if (result != WIRE_FD_OUTSIDE && (fd < 0 || a->size != WIRE_FD_CALL_OPEN))
        print_result(result, out);
}

static void print_futex(rep_table *t, const rep_act *a, td_text *out)
{
    td_text_add(out, "%s ", mdl_kind_text(a->kind));
    rep_print_object(t->labels, a->object, out);
    if (mdl_does(a->kind) == WIRE_DOES_WAKE)
        td_text_add(out, "  wakes %" PRIu64, a->value);
    else if (mdl_does(a->kind) != WIRE_DOES_WOKEN)
        td_text_add(out, " is %" PRId32, (int32_t)(uint32_t)a->value);
}

static void print_decision(rep_table *t, const rep_act *a, td_text *out)
{
    const rep_decisions *d = &t->story->f->decisions;
    td_text text = {0};
    if (d->print != NULL)
        d->print(d->ctx, a->op, &text);
    td_text_add(out, "decides");
    if (text.len > 0) {
        td_text_add(out, " ");
        rep_put_clean(out, text.at);
    }
    td_text_fini(&text);
}

/* "push(1) begins", "pop() = 1 ends". */
static void print_mark(const rep_table *t, const rep_act *a, td_text *out)
{
    const det_finding *f = t->story->f->finding;
    if (a->call >= f->n_calls) {
        td_text_add(out, "%s", mdl_kind_text(a->kind));
        return;
    }
    bool begins = mdl_does(a->kind) == WIRE_DOES_ENTER;
    td_text name = {0};
    const char *text = f->calls[a->call].text, *result = strstr(text, ") = ");
    td_text_put(&name, text,
                begins && result ? (size_t)(result - text) + 1 : strlen(text));
    rep_put_clean(out, name.at);
    td_text_add(out, begins ? " begins" : " ends");
    td_text_fini(&name);
}

void rep_print_act(rep_table *t, uint32_t i, td_text *out)
{
    TD_ASSERT(i < t->slice->shown.len);
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    if (a->kind == REP_WAITS)
        print_wait(t, a, out);
    else if (WIRE_IS_FDS(a->object))
        print_descriptor(a, out);
    else if (rep_act_on_object(a) && !rep_act_on_handle(a))
        print_mutex(t, a, out);
    else if (rep_act_on_futex(a))
        print_futex(t, a, out);
    else if (rep_act_reads(a) || rep_act_writes(a))
        print_memory(t, i, a, out);
    else if (mdl_decides(a->kind))
        print_decision(t, a, out);
    else if (rep_act_is_mark(a))
        print_mark(t, a, out);
    else if (a->kind == REP_FREES)
        td_text_add(out, "the block is freed");
    else
        td_text_add(out, "%s", mdl_kind_text(a->kind));
    if (mdl_creates(a->kind) || mdl_joins(a->kind) || mdl_cancels(a->kind)) {
        td_text_add(out, " ");
        rep_print_thread((uint32_t)a->value, out);
    }
    bool kills = mdl_sends(a->kind) && !mdl_cancels(a->kind);
    if (kills && a->value != WIRE_NO_THREAD) {
        td_text_add(out, " ");
        rep_print_thread((uint32_t)a->value, out);
    }
    if (kills)
        td_text_add(out, " with signal %u", a->size);
    if (mdl_exits(a->kind))
        td_text_add(out, " %" PRIu64, a->value);
}

static void print_writer(const char *lead, const rep_act *w, td_text *out)
{
    td_text_add(out, "  %s ", lead);
    if (w->step != 0)
        td_text_add(out, "#%u ", w->step);
    rep_print_thread(w->thread, out);
}

void rep_print_from(const rep_table *t, const rep_act *a, td_text *out)
{
    const rep_act *w = a->from != REP_NONE ? &t->story->acts.at[a->from] : NULL;
    if (w && w->thread != a->thread && !w->set_up)
        print_writer("<==", w, out);
    if (a->missed != REP_NONE)
        print_writer("misses", &t->story->acts.at[a->missed], out);
}

void rep_print_seen(rep_table *t, uint32_t i, td_text *out)
{
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    const rep_act *seen = seen_before(t, i);
    if (!rep_act_loads(a) || seen == NULL || a->no_value || seen->step == a->step)
        return;
    uint64_t before = seen->value;
    if (before == a->value || a->size > 8)
        return;
    trc_site site = rep_act_site(t->story, a);
    td_text_add(out, " (");
    rep_print_thread(a->thread, out);
    td_text_add(out, " had seen ");
    rep_print_act_value(t->labels, &site, a, before, out);
    td_text_add(out, " at #%u)", seen->step);
}
