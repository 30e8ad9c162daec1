/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs of one schedule that differ: where they do. */
#include "detect/detect_int.h"

static const char *const done_texts[WIRE_N_DONES] = {
#define X(name, text) [WIRE_DONE_##name] = text,
    WIRE_DONES(X)
#undef X
};

#define HINT_VALUE                                                                       \
    "the value may come from uninitialised memory, an address, or the environment"
#define HINT_PLACE "memory not placed by treadle, or an address used as data?"
#define HINT_PATH                                                                        \
    "the program branches on something outside: time, an address, a file, "              \
    "uninitialised "                                                                     \
    "memory?"
#define HINT_PLAIN "the operations are the same; a plain access or the end differs"

static bool same_op(const trc_op *a, const trc_op *b)
{
    return a->kind == b->kind && a->size == b->size && a->thread == b->thread &&
           a->site == b->site && a->object == b->object && a->value == b->value;
}

static size_t first_difference(const trc *a, const trc *b)
{
    size_t i = 0;
    while (i < a->ops.len && i < b->ops.len && same_op(&a->ops.at[i], &b->ops.at[i]))
        i++;
    return i;
}

/* Operation i of a run in words, or its end. */
static void put_event(td_text *out, const trc *t, size_t i, trc_sites *sites)
{
    if (i >= t->ops.len) {
        td_text_add(out, "the end of the run (%s)",
                    t->done < WIRE_N_DONES ? done_texts[t->done] : "?");
        return;
    }
    const trc_op *op = &t->ops.at[i];
    trc_site site = trc_site_at(sites, op->site);
    td_text_add(out, "%s", mdl_kind_text(op->kind));
    if (site.name[0])
        td_text_add(out, " of '%s'", site.name);
    if (mdl_is_access(trc_turned(op)))
        td_text_add(out, " (value %lld)", (long long)op->value);
    td_text_add(out, " by ");
    det_thread_put(out, op->thread);
    if (site.line > 0)
        td_text_add(out, " at %s:%u", det_basename(site.file), site.line);
}

static const char *hint(const trc *expected, const trc *seen, size_t i)
{
    if (i >= expected->ops.len || i >= seen->ops.len)
        return HINT_PATH;
    const trc_op *a = &expected->ops.at[i], *b = &seen->ops.at[i];
    if (a->kind != b->kind || a->thread != b->thread || a->site != b->site)
        return HINT_PATH;
    return a->object != b->object ? HINT_PLACE : HINT_VALUE;
}

static bool same_fail(const trc_fail *a, const trc_fail *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->site == b->site &&
           a->other_site == b->other_site && a->object == b->object &&
           a->value == b->value && a->after_op == b->after_op;
}

/* Returns the first failure that only one of the runs has, or NULL. */
static const trc_fail *odd_fail(const trc *a, const trc *b, const trc **of)
{
    size_t i = 0;
    while (i < a->fails.len && i < b->fails.len &&
           same_fail(&a->fails.at[i], &b->fails.at[i]))
        i++;
    *of = i < a->fails.len ? a : b;
    return i < (*of)->fails.len ? &(*of)->fails.at[i] : NULL;
}

/* The operations are the same. What else differs, if it is known. */
static void put_rest(td_text *out, const trc *expected, const trc *seen, trc_sites *sites)
{
    const trc *of = NULL;
    const trc_fail *f = odd_fail(expected, seen, &of);
    if (!f) {
        td_text_add(out, "; %s", HINT_PLAIN);
        return;
    }
    trc_site site = det_fail_site(of, f, sites);
    char *what = det_fail_message(of, f, site, sites);
    td_text_add(out, "; only the %s run fails: %s", of == seen ? "second" : "first",
                what);
    if (site.line > 0)
        td_text_add(out, " at %s:%u", det_basename(site.file), site.line);
    td_free(what);
}

void det_nondet(const trc *expected, const trc *seen, trc_sites *sites, det_finding *out)
{
    size_t i = first_difference(expected, seen);
    const trc *t = i < seen->ops.len ? seen : expected;
    uint32_t site = 0, thread = 0;
    if (i < t->ops.len) {
        site = t->ops.at[i].site;
        thread = t->ops.at[i].thread;
    }
    det_place place = det_place_of(trc_site_at(sites, site));
    *out = (det_finding){.thread = thread, .fail = UINT32_MAX, .run = seen->job};
    det_finding_place(out, DET_NONDET, place, &place, 1);
    out->preemptions = trc_preemptions(seen);

    td_text text = {0};
    td_text_add(&text, "nondeterministic at event %zu: expected ", i + 1);
    put_event(&text, expected, i, sites);
    td_text_add(&text, ", saw ");
    put_event(&text, seen, i, sites);
    if (i >= expected->ops.len && i >= seen->ops.len)
        put_rest(&text, expected, seen, sites);
    else
        td_text_add(&text, "; %s", hint(expected, seen, i));
    out->message = text.at;
}
