/* SPDX-License-Identifier: Apache-2.0 */
/* detect/detect_int.h - what the files of detect/ share. */
#pragma once

#include "base/text.h"
#include "detect/detect.h"

/* A place in the source. Texts belong to the trc_sites. */
typedef struct det_place {
    const char *file, *function;
    uint32_t line;
} det_place;

TD_VEC(det_place, det_place_vec);

static inline det_place det_place_of(trc_site site)
{
    return (det_place){site.file, site.function, site.line};
}

/* ---- finding_id.c ---- */
const char *det_basename(const char *path);
int det_place_compare(const void *a, const void *b);

/* Fills kind, id, file, function and line. at is where the finding is shown; the id is
 * made of all places, sorted by this call, each counting once. */
void det_finding_place(det_finding *f, det_kind kind, det_place at, det_place *places,
                       size_t n);

/* In messages about freed memory; titles are made of them. */
#define DET_USE_AFTER "use after "
#define DET_IN_FREED " in a block of "
#define DET_FREED_AGAIN " that was "

/* "main" or "T3". */
void det_thread_put(td_text *out, uint32_t thread);

/* Where it failed. A crash outside of instrumented code tells its program counter. */
trc_site det_fail_site(const trc *t, const trc_fail *f, const trc_sites *sites);

/* ---- message.c ---- */
/* The sentence about a failure; site is where it happened. */
char *det_fail_message(const trc *t, const trc_fail *f, trc_site site, trc_sites *sites);

/* ---- history.c ---- */
/* Fills calls and why of a finding LINEAR. */
void det_history(const trc *t, const trc_fail *f, trc_sites *sites, det_finding *out);
/* "no order of the operations of 'stack' explains pop() = 1 of T2". */
void det_history_message(const trc *t, const trc_fail *f, trc_site site, trc_sites *sites,
                         td_text *out);
/* ---- race_sides.c ---- */
/* Both accesses, if they are known. */
void det_race_sides(const trc *t, const trc_fail *f, trc_sites *sites, det_finding *out);
void det_sides_free(det_side *sides);
/* ---- memory_error.c ---- */
/* The sentence about a memory error or leak. */
void det_memory_put(td_text *out, const trc_fail *f, trc_site site, trc_sites *sites);
/* Fills allocated and freed. */
void det_memory_parties(det_finding *out, const trc_fail *f, const trc_sites *sites);
/* The other place of it, as a number of a site; 0: there is none. */
uint32_t det_memory_other(const trc_fail *f);

/* ---- deadlock.c ---- */
/* Adds one finding for each cause, each id once. */
void det_deadlocks(const trc *t, trc_sites *sites, det_finding_vec *out);
