/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps of a session, each place once with a count. */
#include "detect/detect_int.h"

#include "base/assert.h"
#include "base/readable.h"
#include "wire/library.h"

static const char *const gap_texts[WIRE_N_GAPS] = {
#define X(name, text) [WIRE_GAP_##name] = text,
    WIRE_GAPS(X)
#undef X
};

/* ---- trust ---- */

static bool is_among(const char *names, const char *name, size_t n)
{
    for (;;) {
        size_t len = strcspn(names, ",");
        if (len == n && strncmp(names, name, n) == 0)
            return true;
        if (!names[len])
            return false;
        names += len + 1;
    }
}

static bool is_of_c_library(const char *name)
{
    static const char *const rows[] = {
#define X(function, signature) #function,
        WIRE_LIBRARY(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i], name) == 0)
            return true;
    return false;
}

/* text: "plain_add", "crc32 (libz.so.1)"; what is not a name of a function is never trusted. */
static bool is_trusted(const det_trust *t, const char *text)
{
    const char *image = strstr(text, " (");
    size_t n = image ? (size_t)(image - text) : strlen(text);
    for (size_t i = 0; t && i < t->n_names; i++)
        if (is_among(t->names[i], text, n))
            return true;
    if (!t || !t->libraries)
        return false;
    return image ? strstr(image, ".so") != NULL : is_of_c_library(text);
}

/* The line of a gap; a new one has count 0. */
static det_gap *line_named(det_ledger *l, const char *kind, const char *file,
                           uint32_t line, const char *text)
{
    for (size_t i = 0; i < l->gaps.len; i++) {
        det_gap *g = &l->gaps.at[i];
        if (g->line == line && strcmp(g->text, text) == 0 && strcmp(g->kind, kind) == 0 &&
            strcmp(g->file, file) == 0)
            return g;
    }
    det_gap_vec_push(&l->gaps, (det_gap){.kind = td_strdup(kind),
                                         .file = td_strdup(file),
                                         .line = line,
                                         .text = td_strdup(text)});
    return &l->gaps.at[l->gaps.len - 1];
}

/* A function of C++ is named as people say it, and trusted by either name. */
static det_gap *line_of(det_ledger *l, const char *kind, const char *file, uint32_t line,
                        const char *text)
{
    TD_ASSERT(kind[0]); /* an entry needs a kind */
    td_text readable = {0};
    td_readable(text, &readable);
    const char *said = readable.len > 0 ? readable.at : "";
    if (strcmp(kind, gap_texts[WIRE_GAP_UNWATCHED]) == 0 &&
        (is_trusted(l->trust, text) || is_trusted(l->trust, said)))
        kind = DET_TRUSTED;
    det_gap *g = line_named(l, kind, file, line, said);
    td_text_fini(&readable);
    return g;
}

void det_ledger_add(det_ledger *l, const char *kind, const char *file, uint32_t line,
                    const char *text)
{
    line_of(l, kind, file, line, text)->count++;
}

void det_ledger_add_many(det_ledger *l, const char *kind, const char *text,
                         uint64_t count)
{
    TD_ASSERT(count > 0); /* a gap of nothing would make the result incomplete */
    line_of(l, kind, "", 0, text)->count += count;
}

void det_ledger_merge(det_ledger *l, const det_gap *g)
{
    line_of(l, g->kind, g->file, g->line, g->text)->count += g->count;
}

static void add_at(det_ledger *l, const char *kind, trc_site site, const char *text)
{
    det_ledger_add(l, kind, site.line > 0 ? site.file : "", site.line, text);
}

/* The runtime names the call; if it could not, the site does. */
static void add_gap(det_ledger *l, const trc *t, const trc_gap *g, trc_sites *sites)
{
    TD_ASSERT(g->kind < WIRE_N_GAPS);
    const char *text = t->texts.at + g->text;
    trc_site site = trc_site_at(sites, g->site);
    add_at(l, gap_texts[g->kind], site, text[0] ? text : site.callee);
}

static bool has_gap(const trc *t, uint8_t kind)
{
    for (size_t i = 0; i < t->gaps.len; i++)
        if (t->gaps.at[i].kind == kind)
            return true;
    return false;
}

void det_ledger_run(det_ledger *l, const trc *t, trc_sites *sites)
{
    for (size_t i = 0; i < t->gaps.len; i++)
        add_gap(l, t, &t->gaps.at[i], sites);
    if (t->n_dropped > 0)
        det_ledger_add(l, "notes", "", 0, "a run produced more notes than are kept");
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_HANG)
            add_at(l, "cut short", det_fail_site(t, &t->fails.at[i], sites),
                   "the behaviour after this hang");
    if (!t->complete)
        return;
    if (t->done == WIRE_DONE_DEPTH)
        det_ledger_add(l, "depth", "", 0, "runs truncated at the depth limit");
    else if (t->done == WIRE_DONE_REFUSED && !has_gap(t, WIRE_GAP_REFUSED))
        det_ledger_add(l, gap_texts[WIRE_GAP_REFUSED], "", 0, "");
    else if (t->done == WIRE_DONE_DIVERGED)
        det_ledger_add(l, "diverged", "", 0, "schedules that could not be followed");
    else if (t->done == WIRE_DONE_THREADS && !has_gap(t, WIRE_GAP_THREADS))
        det_ledger_add(l, gap_texts[WIRE_GAP_THREADS], "", 0, "too many threads at once");
}

/* True if no other thread can run: after the exit of the process, or while the thread is in an atomic
 * section. */
static bool is_alone(const trc *t, uint32_t thread)
{
    uint32_t depth = 0, n_others = 0;
    for (uint32_t i = 0; i < t->threads.len; i++)
        n_others += i != thread && t->threads.at[i].end_op == UINT32_MAX;
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (mdl_exits(op->kind))
            return true;
        if (op->thread == thread && mdl_enters_section(op->kind))
            depth++;
        else if (op->thread == thread && mdl_leaves_section(op->kind) && depth > 0)
            depth--;
    }
    return depth > 0 || n_others == 0;
}

/* The process would not have ended there. */
static bool hides(const trc_fail *f)
{
    return !f->goes_on && (f->kind == WIRE_FAIL_MEMORY || f->kind == WIRE_FAIL_MUTEX ||
                           f->kind == WIRE_FAIL_MISUSE || f->kind == WIRE_FAIL_THREAD ||
                           f->kind == WIRE_FAIL_MARK);
}

void det_ledger_cut(det_ledger *l, const trc *t, trc_sites *sites)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (hides(&t->fails.at[i]))
            add_at(l, "cut short", det_fail_site(t, &t->fails.at[i], sites),
                   "the thread's behaviour after this failure");
    if (!t->complete || t->done != WIRE_DONE_FAIL || !t->is_stopped || t->fails.len == 0)
        return;
    const trc_fail *f = &t->fails.at[t->fails.len - 1];
    if (f->kind != WIRE_FAIL_HANG && !is_alone(t, f->thread))
        add_at(l, "cut short", det_fail_site(t, f, sites),
               "other threads' behaviour after this failure");
}

const char *det_orders_unseen(const det_ledger *l, const trc *t)
{
    for (size_t i = 0; i < t->gaps.len; i++) {
        const char *text = t->texts.at + t->gaps.at[i].text;
        if (t->gaps.at[i].kind == WIRE_GAP_ORDERS && !is_trusted(l->trust, text))
            return text;
    }
    return NULL;
}

bool det_gap_is_note(const det_gap *g)
{
    return det_is_decision(g->kind);
}

void det_ledger_volatile(det_ledger *l, const trc_sites *sites)
{
    uint64_t n = 0;
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        trc_site site = trc_site_at(sites, i);
        n +=
            site.kind == WIRE_SITE_ATOMIC && strcmp(site.callee, WIRE_SITE_VOLATILE) == 0;
    }
    if (n > 0)
        det_ledger_add_many(l, DET_VOLATILE,
                            "accesses treated as atomic (treadle cc --volatile)", n);
}

bool det_gap_counts(const det_gap *g)
{
    return !det_is_harmless(g->kind);
}

const det_gap *det_ledger_first(const det_ledger *l)
{
    for (size_t i = 0; i < l->gaps.len; i++)
        if (det_gap_counts(&l->gaps.at[i]))
            return &l->gaps.at[i];
    return NULL;
}

void det_ledger_fini(det_ledger *l)
{
    for (size_t i = 0; i < l->gaps.len; i++) {
        det_gap *g = &l->gaps.at[i];
        td_free(g->kind);
        td_free(g->file);
        td_free(g->text);
    }
    det_gap_vec_fini(&l->gaps);
}
