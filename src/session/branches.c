/* SPDX-License-Identifier: Apache-2.0 */
/* The goal branches: which branch outcomes were taken, and which memory threads share.
 *
 * Only for operations does treadle know which value a read took from another thread. So all plain
 * accesses to shared bytes are promoted: bytes that several threads touch and one of them writes, as
 * runs show. Each promotion restarts the search, so sites that access something of the same name are
 * promoted together with them. */
#include "session/session_int.h"

#include <stdlib.h>

#include "base/assert.h"

/* State of a byte: the thread that touched it, or several threads; whether it was written. */
#define BYTE_MANY (1u << 29)
#define BYTE_WRITTEN (1u << 28)
#define BYTE_THREAD (BYTE_WRITTEN - 1)

/* ---- sides ---- */

static bool is_branch(const trc_site *s)
{
    return s->kind == WIRE_SITE_BRANCH && s->size > 0;
}

uint32_t ses_sides_total(const trc_sites *sites)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        trc_site s = trc_site_at(sites, i);
        n += is_branch(&s) ? s.size : 0;
    }
    return n;
}

static td_id side_id(uint32_t site, uint64_t side)
{
    return (td_id){side + 1, site};
}

void ses_sides_take(ses *s, const trc *t)
{
    for (size_t i = 0; i < t->sides.len; i++)
        td_id_set_add(&s->sides, side_id(t->sides.at[i].site, t->sides.at[i].side));
    for (size_t i = 0; i < t->ops.len; i++)
        if (mdl_decides(t->ops.at[i].kind))
            td_id_set_add(&s->decided, side_id(t->ops.at[i].site, 0));
}

/* Returns why the branch outcome was not taken, as far as is known. */
static const char *why_never(const ses *s, uint32_t site, uint32_t n_sides)
{
    TD_ASSERT(n_sides > 0);
    bool is_reached = false;
    for (uint32_t i = 0; i < n_sides; i++)
        is_reached |= td_id_set_has(&s->sides, side_id(site, i));
    if (!is_reached)
        return "not reached";
    return td_id_set_has(&s->decided, side_id(site, 0)) ? "" : "no input decides it";
}

/* Returns the source text of a condition: the text in parentheses after the first word of the line, for
 * a `for` the text between its semicolons, otherwise the line. The caller frees it. */
static char *condition_at(ses *s, const trc_site *at)
{
    const char *line = trc_source_line(s->exec->sites(s->run), at->file, at->line);
    td_text out = {0};
    if (line)
        rep_condition_text(line, &out);
    return out.at ? out.at : td_strdup("");
}

static void count_degree(ses_branches *b, uint32_t degree)
{
    TD_ASSERT(degree < UINT32_MAX); /* as many counters would be made */
    while (b->by_degree.len <= degree)
        trc_u64_vec_push(&b->by_degree, 0);
    b->by_degree.at[degree]++;
}

static void count_degrees(ses *s, ses_branches *b)
{
    xpl_side_vec sides = {0};
    if (s->search->sides)
        s->search->sides(s->explorer, &sides, &b->n_candidates);
    for (size_t i = 0; i < sides.len; i++)
        count_degree(b, sides.at[i].degree);
    xpl_side_vec_fini(&sides);
}

void ses_sides_conclude(ses *s)
{
    ses_branches *b = &s->result->branches;
    const trc_sites *sites = s->exec->sites(s->run);
    if (!(s->goal->bit & XPL_BRANCHES))
        return;
    for (uint32_t i = 1; i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        for (uint32_t k = 0; is_branch(&at) && k < at.size; k++) {
            b->n_sides++;
            if (td_id_set_has(&s->sides, side_id(i, k)))
                b->n_taken++;
            else
                rep_never_vec_push(&b->never,
                                   (rep_never){.file = td_strdup(at.file),
                                               .function = td_strdup(at.function),
                                               .line = at.line,
                                               .column = at.column,
                                               .side = k,
                                               .n_sides = at.size,
                                               .text = condition_at(s, &at),
                                               .why = why_never(s, i, at.size)});
        }
    }
    TD_ASSERT(b->n_taken + b->never.len == b->n_sides);
    count_degrees(s, b);
}

/* All branch outcomes, taken or not; those not taken with the reason. */
td_status ses_sides_keep(ses *s, td_diag *diag)
{
    const ses_branches *b = &s->result->branches;
    const trc_sites *sites = s->exec->sites(s->run);
    sto_side_vec rows = {0};
    size_t n_never = 0;
    bool is_goal = (s->goal->bit & XPL_BRANCHES) != 0;
    for (uint32_t i = 1; is_goal && b->n_sides > 0 && i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        for (uint32_t k = 0; is_branch(&at) && k < at.size; k++) {
            bool is_taken = td_id_set_has(&s->sides, side_id(i, k));
            TD_ASSERT(is_taken || n_never < b->never.len);
            const rep_never *n = is_taken ? NULL : &b->never.at[n_never++];
            sto_side_vec_push(&rows, (sto_side){.file = (char *)at.file,
                                                .function = (char *)at.function,
                                                .line = at.line,
                                                .column = at.column,
                                                .side = k,
                                                .n_sides = at.size,
                                                .is_taken = is_taken,
                                                .text = n ? n->text : NULL,
                                                .why = n ? (char *)n->why : NULL});
        }
    }
    TD_ASSERT(!is_goal || n_never == b->never.len);
    td_status status = sto_session_sides(s->store, rows.at, rows.len, diag);
    sto_side_vec_fini(&rows);
    return status;
}

static void count_finding(ses *s, det_finding *f, const xpl_side_vec *fails)
{
    for (size_t i = 0; i < fails->len; i++) {
        trc_site at = trc_site_at(s->exec->sites(s->run), fails->at[i].site);
        bool same = f->file && f->line == at.line && strcmp(f->file, at.file) == 0;
        if (same && (f->interferences == 0 || fails->at[i].degree < f->interferences))
            f->interferences = fails->at[i].degree + 1;
    }
}

void ses_fails_conclude(ses *s)
{
    xpl_side_vec fails = {0};
    if (s->search->fails)
        s->search->fails(s->explorer, &fails);
    for (size_t i = 0; i < s->result->findings.len; i++)
        count_finding(s, &s->result->findings.at[i], &fails);
    xpl_side_vec_fini(&fails);
}

void ses_branches_fini(ses_branches *b)
{
    for (size_t i = 0; i < b->never.len; i++) {
        td_free(b->never.at[i].file);
        td_free(b->never.at[i].function);
        td_free(b->never.at[i].text);
    }
    rep_never_vec_fini(&b->never);
    trc_u64_vec_fini(&b->by_degree);
}

/* ---- memory that threads share ---- */

static void touch_byte(ses_shared *h, uint64_t at, uint32_t thread, bool is_write)
{
    TD_ASSERT((thread & ~BYTE_THREAD) == 0);
    uint32_t was = xpl_map_get(&h->bytes, at);
    uint32_t now = was == XPL_NONE ? thread : was;
    if ((now & BYTE_THREAD) != thread)
        now |= BYTE_MANY;
    now |= is_write ? BYTE_WRITTEN : 0;
    if (now != was)
        xpl_map_set(&h->bytes, at, now);
}

static void touch(ses_shared *h, uint64_t at, uint32_t size, uint32_t thread,
                  bool is_write)
{
    for (uint32_t i = 0; i < size; i++)
        touch_byte(h, at + i, thread & BYTE_THREAD, is_write);
}

static bool is_shared(const ses_shared *h, const ses_touched *a)
{
    for (uint32_t i = 0; i < a->size; i++) {
        uint32_t was = xpl_map_get(&h->bytes, a->object + i);
        if (was != XPL_NONE && (was & BYTE_MANY) && (was & BYTE_WRITTEN))
            return true;
    }
    return false;
}

static void remember(ses_shared *h, const trc *t, const trc_access *a)
{
    TD_ASSERT(!a->is_free);
    uint64_t words[3] = {a->object, a->size, a->site};
    /* Accesses of main before it creates a thread cannot be concurrent with another thread. */
    bool alone = t->threads.len < 2 || a->before_op <= t->threads.at[1].create_op;
    if (td_id_set_add(&h->known, td_id_hash(words, sizeof words)))
        ses_touched_vec_push(&h->touched,
                             (ses_touched){a->object, a->size, a->site, alone});
}

/* ---- names ---- */

static const char *last_part(const char *name)
{
    const char *part = name;
    for (const char *c = name; *c; c++)
        if (*c == '.' || *c == '>')
            part = c + 1;
    return part;
}

static void want_named(ses *s, const char *name)
{
    const trc_sites *sites = s->exec->sites(s->run);
    for (uint32_t i = 1; *name && i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        bool plain = at.kind == WIRE_SITE_READ || at.kind == WIRE_SITE_WRITE;
        if (plain && strcmp(last_part(at.name), name) == 0)
            ses_want(s, i);
    }
}

static void want_site(ses *s, const ses_touched *a)
{
    trc_site at = trc_site_at(s->exec->sites(s->run), a->site);
    bool plain = at.kind == WIRE_SITE_READ || at.kind == WIRE_SITE_WRITE;
    if (plain && at.size > 0 && at.size <= 8) {
        ses_want(s, a->site);
        want_named(s, last_part(at.name));
    } else if (!a->is_alone && at.kind != WIRE_SITE_ATOMIC) {
        trc_u32_vec_push(&s->shared.unfollowed, a->site);
    }
}

void ses_shared_ledger(ses *s)
{
    for (size_t i = 0; i < s->shared.unfollowed.len; i++) {
        trc_site at = trc_site_at(s->exec->sites(s->run), s->shared.unfollowed.at[i]);
        det_ledger_add(&s->ledger, "shared", at.line > 0 ? at.file : "", at.line,
                       "an access to shared memory is not tracked");
    }
}

void ses_shared_take(ses *s, const trc *t)
{
    ses_shared *h = &s->shared;
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        TD_ASSERT(op->thread < t->threads.len);
        if (mdl_is_access(op->kind))
            touch(h, op->object, op->size, (uint32_t)t->threads.at[op->thread].name.lo,
                  !mdl_reads(op->kind) || mdl_writes(op->kind));
    }
    for (size_t i = 0; i < t->accesses.len; i++) {
        const trc_access *a = &t->accesses.at[i];
        if (a->is_free)
            continue;
        touch(h, a->object, a->size, (uint32_t)t->threads.at[a->thread].name.lo,
              a->is_write);
        remember(h, t, a);
    }
    for (size_t i = 0; i < h->touched.len;) {
        ses_touched a = h->touched.at[i];
        if (!is_shared(h, &a)) {
            i++;
            continue;
        }
        want_site(s, &a);
        TD_ASSERT(i < h->touched.len);
        h->touched.at[i] = h->touched.at[--h->touched.len];
    }
}

void ses_shared_fini(ses_shared *h)
{
    xpl_map_fini(&h->bytes);
    td_id_set_fini(&h->known);
    ses_touched_vec_fini(&h->touched);
    trc_u32_vec_fini(&h->unfollowed);
}
