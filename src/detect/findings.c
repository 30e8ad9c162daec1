/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of a run become findings. */
#include "detect/detect.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/id.h"
#include "detect/detect_int.h"

static const det_kind kind_of_fail[WIRE_N_FAILS] = {
    [WIRE_FAIL_ASSERT] = DET_ASSERT, [WIRE_FAIL_ABORT] = DET_ABORT,
    [WIRE_FAIL_CRASH] = DET_CRASH,   [WIRE_FAIL_HANG] = DET_HANG,
    [WIRE_FAIL_RACE] = DET_RACE,     [WIRE_FAIL_MUTEX] = DET_MUTEX,
    [WIRE_FAIL_THREAD] = DET_THREAD, [WIRE_FAIL_MEMORY] = DET_MEMORY,
    [WIRE_FAIL_MISUSE] = DET_MISUSE, [WIRE_FAIL_EXIT_CODE] = DET_EXIT,
    [WIRE_FAIL_LINEAR] = DET_LINEAR, [WIRE_FAIL_MARK] = DET_MARK,
    [WIRE_FAIL_LEAK] = DET_LEAK,
};

/* ---- failures ---- */

static bool is_users(const trc_site *s)
{
    return s->line > 0 && !det_is_runtime(s);
}

/* The first of these addresses that has a line of the user's; if none has, the first that is known. */
static trc_site site_of_addresses(const trc_sites *sites, const char *text)
{
    char *end = NULL;
    trc_site first = {0};
    for (bool has_first = false; det_is_addresses(text); text = end + (*end == ' ')) {
        trc_site s = trc_site_of_address(sites, strtoull(text, &end, 16));
        if (is_users(&s))
            return s;
        if (!has_first || (first.line == 0 && strcmp(first.function, "?") == 0))
            first = s;
        has_first = true;
    }
    return first;
}

trc_site det_fail_site(const trc *t, const trc_fail *f, const trc_sites *sites)
{
    const char *text = t->texts.at + f->text;
    if (f->site != 0 || !det_is_addresses(text))
        return trc_site_at(sites, f->site);
    trc_site at = trc_site_of_address(sites, strtoull(text, NULL, 16));
    trc_site call = trc_site_at(sites, f->call);
    bool is_called = f->kind == WIRE_FAIL_CRASH && det_is_runtime(&at) && call.line > 0;
    trc_site found = is_called ? call : site_of_addresses(sites, text);
    bool can_be_called = f->kind == WIRE_FAIL_HANG || f->kind == WIRE_FAIL_CRASH;
    return can_be_called && found.line == 0 && call.line > 0 ? call : found;
}

/* A finding of two places. */
static void find_pair(det_finding *out, det_kind kind, const det_spot spots[2])
{
    const det_place *other = &spots[1].place;
    det_place places[2] = {spots[0].place, *other};
    det_finding_place(out, kind, spots[0].place, places, 2);
    out->other_file = td_strdup(other->file);
    out->other_function = td_strdup(other->function);
    out->other_line = other->line;
}

/* An endless loop is interrupted at any of its lines: its function names it. */
static void find_place(det_finding *out, det_kind kind, det_place place)
{
    det_place named = place;
    if (kind == DET_HANG)
        named.line = 0;
    det_finding_place(out, kind, place, &named, 1);
}

static void find_fail(const trc *t, uint32_t index, trc_sites *sites, det_finding *out)
{
    TD_ASSERT(index < t->fails.len && t->fails.at[index].kind < WIRE_N_FAILS);
    const trc_fail *f = &t->fails.at[index];
    trc_site site = det_fail_site(t, f, sites);
    const trc_party *party = f->kind == WIRE_FAIL_MEMORY ? det_memory_other(f) : NULL;
    det_spot spots[2] = {{det_place_of(site), f->thread, f->site, f->stack}};
    *out = (det_finding){.thread = f->thread, .fail = index};
    if (f->kind == WIRE_FAIL_RACE) {
        spots[1] = (det_spot){det_place_of(trc_site_at(sites, f->other_site)),
                              f->other_thread, f->other_site, det_earlier_stack(t, f)};
        find_pair(out, DET_RACE, spots);
        det_race_sides(t, f, sites, out);
    } else if (party) {
        spots[1] = (det_spot){det_place_of(trc_site_at(sites, party->site)),
                              party->thread, party->site, 0};
        find_pair(out, DET_MEMORY, spots);
    } else {
        find_place(out, kind_of_fail[f->kind], spots[0].place);
    }
    if (f->kind != WIRE_FAIL_HANG)
        det_finding_name(out, t, sites, spots, out->other_file ? 2 : 1);
    det_memory_parties(out, f, sites);
    out->message = det_fail_message(t, f, site, sites);
    TD_ASSERT(out->id[0] && out->message);
    if (f->kind == WIRE_FAIL_LINEAR)
        det_history(t, f, sites, out);
}

void det_findings(const trc *t, trc_sites *sites, det_finding_vec *out)
{
    det_findings_new(t, sites, (det_known){0}, out);
}

void det_findings_new(const trc *t, trc_sites *sites, det_known known,
                      det_finding_vec *out)
{
    size_t first = out->len;
    for (uint32_t i = 0; i < t->fails.len; i++) {
        if (known.known && known.known(known.ctx, &t->fails.at[i]))
            continue;
        det_finding found = {0};
        find_fail(t, i, sites, &found);
        det_finding_vec_push(out, found);
    }
    if (t->complete && trc_is_stuck(t))
        det_deadlocks(t, sites, out);

    uint32_t preemptions = out->len > first ? trc_preemptions(t) : 0;
    for (size_t i = first; i < out->len; i++) {
        out->at[i].preemptions = preemptions;
        out->at[i].run = t->job;
    }
}
