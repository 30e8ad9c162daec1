/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about the cause of a failure: what experiments showed when it was found. */
#include "store/recording_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static const char *const roles[STO_CAUSE_EVENTS] = {"first", "second", "earlier-first",
                                                    "earlier-second"};

/* Which events each kind has. */
typedef struct shape {
    const char *kind;
    unsigned n_events;
    bool may_have_earlier;
} shape;

static const shape shapes[] = {{"order", 2, true},
                               {"every", 0, false},
                               {"input", 1, false}};

static const shape *shape_of(const char *kind)
{
    for (size_t i = 0; kind != NULL && i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(shapes[i].kind, kind) == 0)
            return &shapes[i];
    return NULL;
}

bool sto_cause_valid(const sto_cause *c)
{
    const shape *s = shape_of(c->kind);
    bool has_earlier = c->events[2].kind != NULL;
    if (c->kind != NULL && s == NULL)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if ((c->events[i].kind != NULL) != (s != NULL && i < s->n_events))
            return false;
    return has_earlier == (c->events[3].kind != NULL) &&
           (!has_earlier || (s != NULL && s->may_have_earlier));
}

bool sto_has_cause(const sto_recording *r)
{
    return r->no_return > 0 || r->cause.kind != NULL;
}

bool sto_has_users_line(const sto_recording *r)
{
    for (size_t i = 0; i < STO_CAUSE_EVENTS; i++)
        if (r->cause.events[i].users_file != NULL)
            return true;
    return false;
}

/* ---- printing ---- */

static void put_event(td_text *out, const char *role, const sto_cause_event *e)
{
    td_text place = {0};
    td_text_add(out, "cause-event %s ", role);
    if (e->thread == 0)
        td_text_add(out, "main");
    else
        td_text_add(out, "T%u", e->thread);
    sto_put_word(out, e->kind);
    td_text_add(out, " %s %u %016" PRIx64 " %08" PRIx32, e->in_run ? "done" : "next",
                e->op, e->object, e->site);
    td_text_add(&place, "%s:%u", e->file != NULL ? e->file : "", e->line);
    sto_put_word(out, place.at);
    if (e->users_file != NULL) {
        td_text_clear(&place);
        td_text_add(&place, "%s:%u", e->users_file, e->users_line);
        sto_put_word(out, place.at);
    }
    td_text_put(out, "\n", 1);
    td_text_fini(&place);
}

void sto_put_cause(td_text *out, const sto_recording *r)
{
    const sto_cause *c = &r->cause;
    TD_ASSERT(sto_cause_valid(c));
    if (r->no_return > 0)
        td_text_add(out, "no-return %u\n", r->no_return - 1);
    if (c->kind == NULL)
        return;
    td_text_add(out, "cause %s %u", c->kind, c->n_kept);
    if (strcmp(c->kind, "input") == 0)
        td_text_add(out, " %u", c->input);
    td_text_put(out, "\n", 1);
    for (size_t i = 0; i < STO_CAUSE_EVENTS; i++)
        if (c->events[i].kind != NULL)
            put_event(out, roles[i], &c->events[i]);
}

/* ---- reading ---- */

static td_status read_number(sto_reader *r, const char *what, uint32_t most,
                             uint32_t *out)
{
    td_text word = {0};
    uint64_t number = 0;
    td_status status = sto_read_text(r, what, &word);
    if (status == TD_OK && !sto_parse_number(word.at ? word.at : "", most, &number))
        status =
            STO_WRONG(r, "line %u: %s is not a number up to %u", r->line, what, most);
    *out = (uint32_t)number;
    td_text_fini(&word);
    return status;
}

td_status sto_read_no_return(sto_reader *r)
{
    TD_TRY(read_number(r, "how many operations", UINT32_MAX - 1, &r->out->no_return));
    r->out->no_return++;
    return sto_expect_end(r);
}

td_status sto_read_cause(sto_reader *r)
{
    sto_cause *c = &r->out->cause;
    TD_TRY(sto_read_word(r, "the kind of cause", &c->kind));
    if (shape_of(c->kind) == NULL)
        return STO_WRONG(r, "line %u: a cause is order, every or input", r->line);
    TD_TRY(read_number(r, "how many runs", UINT32_MAX, &c->n_kept));
    if (strcmp(c->kind, "input") == 0)
        TD_TRY(read_number(r, "the index of the input", UINT32_MAX, &c->input));
    return sto_expect_end(r);
}

/* One of n words: its index. */
static td_status read_one_of(sto_reader *r, const char *const *words, size_t n,
                             const char *what, size_t *out)
{
    td_text word = {0};
    td_status status = sto_read_text(r, what, &word);
    for (*out = 0; status == TD_OK && *out < n; ++*out)
        if (word.at != NULL && strcmp(word.at, words[*out]) == 0)
            break;
    td_text_fini(&word);
    if (status == TD_OK && *out == n)
        status = STO_WRONG(r, "line %u: %s is not known", r->line, what);
    return status;
}

static td_status read_thread(sto_reader *r, uint32_t *out)
{
    td_text word = {0};
    uint64_t thread = 0;
    td_status status = sto_read_text(r, "the thread", &word);
    const char *text = word.at != NULL ? word.at : "";
    bool good = strcmp(text, "main") == 0 ||
                (text[0] == 'T' && sto_parse_number(text + 1, STO_MAX_THREAD, &thread) &&
                 thread > 0);
    if (status == TD_OK && !good)
        status = STO_WRONG(r, "line %u: a thread is main or Tn", r->line);
    *out = (uint32_t)thread;
    td_text_fini(&word);
    return status;
}

static td_status read_hex(sto_reader *r, const char *what, size_t digits, uint64_t *out)
{
    td_text word = {0};
    td_status status = sto_read_text(r, what, &word);
    bool good = status == TD_OK && word.len == digits &&
                strspn(word.at, "0123456789abcdef") == word.len;
    if (good)
        *out = strtoull(word.at, NULL, 16);
    else if (status == TD_OK)
        status = STO_WRONG(r, "line %u: %s is not %zu hexadecimal digits", r->line, what,
                           digits);
    td_text_fini(&word);
    return status;
}

td_status sto_read_cause_event(sto_reader *r)
{
    static const char *const states[] = {"next", "done"};
    size_t role = 0, state = 0;
    uint64_t site = 0;
    TD_TRY(read_one_of(r, roles, STO_CAUSE_EVENTS, "the part of the event", &role));
    sto_cause_event *e = &r->out->cause.events[role];
    if (e->kind != NULL)
        return STO_WRONG(r, "line %u: a second event '%s'", r->line, roles[role]);
    TD_TRY(read_thread(r, &e->thread));
    TD_TRY(sto_read_word(r, "the kind of operation", &e->kind));
    TD_TRY(read_one_of(r, states, 2, "the state, done or next,", &state));
    e->in_run = state == 1;
    TD_TRY(read_number(r, "the index of the operation", UINT32_MAX, &e->op));
    TD_TRY(read_hex(r, "the object", 16, &e->object));
    TD_TRY(read_hex(r, "the site", 8, &site));
    e->site = (uint32_t)site;
    TD_TRY(sto_read_word(r, "the place of the event", &e->file));
    if (!sto_split_number(e->file, &e->line))
        return STO_WRONG(r, "line %u: a place is FILE:LINE", r->line);
    if (r->version < 5 || sto_at_end(r))
        return sto_expect_end(r);
    TD_TRY(sto_read_word(r, "the user's place", &e->users_file));
    if (!sto_split_number(e->users_file, &e->users_line))
        return STO_WRONG(r, "line %u: a place is FILE:LINE", r->line);
    return sto_expect_end(r);
}

void sto_cause_fini(sto_cause *c)
{
    td_free(c->kind);
    for (size_t i = 0; i < STO_CAUSE_EVENTS; i++) {
        td_free(c->events[i].kind);
        td_free(c->events[i].file);
        td_free(c->events[i].users_file);
    }
    *c = (sto_cause){0};
}
