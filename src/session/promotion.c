/* SPDX-License-Identifier: Apache-2.0 */
/* Promotes racing sites: from then on their accesses are operations, and both orders are explored.
 *
 * Promotion changes the set of operations, so the search restarts; findings are kept. Terminates
 * because the number of sites is finite. */
#include "session/session_int.h"

#include "base/assert.h"

enum { PROMOTED_BYTES = 8 };

/* ---- places ---- */

const char *ses_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool can_be_promoted(const trc_site *s)
{
    return (s->kind == WIRE_SITE_READ || s->kind == WIRE_SITE_WRITE) && s->size > 0 &&
           s->size <= PROMOTED_BYTES;
}

static bool is_at(const trc_site *s, const sto_promoted *place)
{
    return can_be_promoted(s) && (s->kind == WIRE_SITE_WRITE) == place->is_write &&
           s->line == place->line && s->column == place->column &&
           strcmp(s->function, place->function) == 0 &&
           strcmp(ses_base_name(s->file), ses_base_name(place->file)) == 0;
}

static bool has(const trc_promoted_vec *v, uint32_t site)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i].site == site)
            return true;
    return false;
}

/* Code of a header is compiled many times, so all sites of the place are promoted. */
static bool add_place(const trc_sites *sites, const sto_promoted *place, uint32_t how,
                      trc_promoted_vec *out)
{
    TD_ASSERT(how == WIRE_PROMOTED || how == WIRE_PASSING);
    bool any = false;
    uint32_t end = trc_sites_end(sites);
    for (uint32_t i = 1; i < end && out->len < WIRE_MAX_PROMOTED / 2; i++) {
        trc_site s = trc_site_at(sites, i);
        if (!is_at(&s, place) || has(out, i))
            continue;
        TD_ASSERT(can_be_promoted(&s));
        trc_promoted_vec_push(out, (wire_promoted){i, how});
        any = true;
    }
    return any;
}

static sto_promoted place_of(const trc_site *s)
{
    return (sto_promoted){.is_write = s->kind == WIRE_SITE_WRITE,
                          .file = (char *)s->file,
                          .function = (char *)s->function,
                          .line = s->line,
                          .column = s->column};
}

ses_promotable ses_promote_site(const trc_sites *sites, uint32_t site, uint32_t how,
                                trc_promoted_vec *out)
{
    trc_site s = trc_site_at(sites, site);
    if (s.kind == WIRE_SITE_ATOMIC)
        return SES_ALREADY;
    if (!can_be_promoted(&s))
        return SES_NEVER;
    if (has(out, site))
        return SES_ALREADY;
    sto_promoted place = place_of(&s);
    return add_place(sites, &place, how, out) ? SES_PROMOTED : SES_NEVER;
}

/* ---- recordings ---- */

static bool place_known(const sto_promoted_vec *v, const trc_site *s)
{
    for (size_t i = 0; i < v->len; i++)
        if (is_at(s, &v->at[i]))
            return true;
    return false;
}

void ses_promoted_record(const trc_sites *sites, const trc_promoted_vec *promoted,
                         sto_recording *r)
{
    for (size_t i = 0; i < promoted->len; i++) {
        trc_site s = trc_site_at(sites, promoted->at[i].site);
        TD_ASSERT(can_be_promoted(&s)); /* otherwise a replay could not find the place */
        if (place_known(&r->promoted, &s))
            continue;
        sto_promoted place = place_of(&s);
        place.file = td_strdup(place.file);
        place.function = td_strdup(place.function);
        sto_promoted_vec_push(&r->promoted, place);
    }
}

void ses_promoted_recorded(const trc_sites *sites, const sto_recording *r,
                           trc_promoted_vec *out)
{
    for (size_t i = 0; i < r->promoted.len; i++)
        add_place(sites, &r->promoted.at[i], WIRE_PROMOTED, out);
}

/* ---- what a run shows ---- */

void ses_want(ses *s, uint32_t site)
{
    const trc_sites *sites = s->exec->sites(s->run);
    bool full = s->promoted.len + s->wanted.len >= WIRE_MAX_PROMOTED / 2;
    if (has(&s->promoted, site))
        return;
    if (!full && ses_promote_site(sites, site, WIRE_PROMOTED, &s->wanted) != SES_NEVER)
        return;
    for (size_t i = 0; i < s->unordered.len; i++)
        if (s->unordered.at[i] == site)
            return;
    TD_ASSERT(!has(&s->wanted, site) || full);
    trc_u32_vec_push(&s->unordered, site);
}

void ses_promote_race(ses *s, const trc_fail *f)
{
    if (s->search->promote)
        return;
    ses_want(s, f->site);
    ses_want(s, f->other_site);
}

static bool can_be(const ses *s, uint32_t site)
{
    trc_site at = trc_site_at(s->exec->sites(s->run), site);
    return can_be_promoted(&at);
}

void ses_promote_loops(ses *s, const trc *t)
{
    size_t n_before = s->wanted.len;
    for (size_t i = 0; i < t->gaps.len; i++)
        if (t->gaps.at[i].kind == WIRE_GAP_LOOP && can_be(s, t->gaps.at[i].site))
            ses_want(s, t->gaps.at[i].site);
    s->has_loops |= s->wanted.len > n_before;
}

/* A loop that polls a plain variable and changes something in each iteration executes no operation, so no
 * other thread runs and no race shows. All reads of its function are promoted. */
bool ses_promote_hang(ses *s, const det_finding *f)
{
    const trc_sites *sites = s->exec->sites(s->run);
    size_t n_before = s->wanted.len;
    if (s->search->promote || !f->function)
        return false;
    uint32_t end = trc_sites_end(sites);
    for (uint32_t i = 1; i < end; i++) {
        trc_site at = trc_site_at(sites, i);
        if (at.kind == WIRE_SITE_READ && can_be_promoted(&at) &&
            strcmp(at.function, f->function) == 0 &&
            strcmp(ses_base_name(at.file), ses_base_name(f->file)) == 0)
            ses_want(s, i);
    }
    return s->wanted.len > n_before;
}

void ses_promote_asked(ses *s)
{
    uint32_t site = 0;
    while (s->search->promote && ses_races_go_on(s) &&
           s->search->promote(s->explorer, &site))
        ses_want(s, site);
}

bool ses_races_go_on(const ses *s)
{
    return s->opts->keep_going || s->after_race.is_on ||
           det_suppresses_kind(&s->suppressions, DET_RACE);
}

bool ses_failures_hide(const ses *s)
{
    return s->opts->keep_going || det_suppresses_kind(&s->suppressions, DET_MUTEX) ||
           det_suppresses_kind(&s->suppressions, DET_THREAD) ||
           det_suppresses_kind(&s->suppressions, DET_MEMORY);
}

uint32_t ses_race_flags(const trc_promoted_vec *promoted)
{
    return promoted->len > 0 ? WIRE_JOB_RACE_ALL : 0;
}

bool ses_promoted_read(ses *s, const uint8_t *at, size_t n_bytes)
{
    size_t size = sizeof(wire_promoted), n = n_bytes / size;
    bool is_whole = n_bytes % size == 0;
    trc_promoted_vec_clear(&s->promoted);
    for (size_t i = 0; i < n && is_whole; i++) {
        wire_promoted p;
        memcpy(&p, at + i * size, size);
        is_whole = s->promoted.len < WIRE_MAX_PROMOTED && p.how == WIRE_PROMOTED &&
                   can_be(s, p.site) && !has(&s->promoted, p.site);
        if (is_whole)
            trc_promoted_vec_push(&s->promoted, p);
    }
    TD_ASSERT(s->promoted.len <= WIRE_MAX_PROMOTED);
    return is_whole;
}

void ses_unordered(ses *s)
{
    const trc_sites *sites = s->exec->sites(s->run);
    for (size_t i = 0; i < s->unordered.len; i++) {
        trc_site at = trc_site_at(sites, s->unordered.at[i]);
        det_ledger_add(&s->ledger, "race", at.line > 0 ? at.file : "", at.line,
                       "the order of a racing access was not explored");
    }
}
