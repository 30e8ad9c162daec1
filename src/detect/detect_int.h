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

/* A place, and where in the run it was. */
typedef struct det_spot {
    det_place place;
    uint32_t thread, site;
    uint32_t stack; /* in trc.stacks; 0: not known */
} det_spot;

TD_VEC(det_spot, det_spot_vec);

/* ---- users_line.c ---- */
const char *det_basename(const char *path);
/* Part of the runtime, which is linked into the program and may have lines too. */
bool det_is_runtime(const trc_site *s);
bool det_is_users(const trc_site *s);
/* The place itself, unless it is in the library: the user's line that led there; if that is not known, the one that
 * created the thread; if that is not known either, a place without file and line. */
det_place det_users_place(const trc *t, const trc_sites *sites, const det_spot *at);

/* ---- gap_kinds.c ---- */
/* The user said that it is to be so. */
bool det_is_decision(const char *kind);
/* Nothing is missing: a decision, or what costs time only. Not so for a kind that is not known. */
bool det_is_harmless(const char *kind);

/* ---- library_bug.c ---- */
/* True if sequential consistency does not allow the run, and the reason is entirely inside the C++ library. */
bool det_is_of_library(const trc *t, const trc_sites *sites);
/* Returns the library function that the user's line calls: "std::latch::arrive_and_wait". */
char *det_library_function(const trc *t, const trc_sites *sites, const det_spot *at);

/* ---- finding_id.c ---- */
int det_place_compare(const void *a, const void *b);

/* Fills kind, key, id, file, function and line. at is where the finding is shown; key and id are
 * made of all places, sorted by this call, each counting once. */
void det_finding_place(det_finding *f, det_kind kind, det_place at, det_place *places,
                       size_t n);
/* Makes the id from the user's lines, if the run has stacks and a spot is in the library. spots[0] is the
 * place of the finding; for a pair, spots[1] is the other one. */
void det_finding_name(det_finding *f, const trc *t, const trc_sites *sites,
                      const det_spot *spots, size_t n);

/* In messages about freed memory; titles are made of them. */
#define DET_USE_AFTER "use after "

/* The text of a failure is where code was executed, innermost first: "0x... 0x...". */
static inline bool det_is_addresses(const char *text)
{
    return strncmp(text, "0x", 2) == 0;
}
#define DET_IN_FREED " in a block of "
#define DET_FREED_AGAIN " that was "

/* "main" or "T3". */
void det_thread_put(td_text *out, uint32_t thread);

/* Returns the site of the failure. For a crash outside of instrumented code it comes from the program
 * counter. */
trc_site det_fail_site(const trc *t, const trc_fail *f, const trc_sites *sites);

/* ---- message.c ---- */
/* Returns the message of a failure at this site. */
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
/* The stack of the earlier access; 0: it is not known. */
uint32_t det_earlier_stack(const trc *t, const trc_fail *f);
void det_sides_free(det_side *sides);
/* ---- memory_error.c ---- */
/* Adds the message of a memory error or leak. */
void det_memory_put(td_text *out, const trc_fail *f, trc_site site, trc_sites *sites);
/* Fills allocated and freed. */
void det_memory_parties(det_finding *out, const trc_fail *f, const trc_sites *sites);
/* Returns its other place; NULL: there is none. */
const trc_party *det_memory_other(const trc_fail *f);

/* ---- deadlock.c ---- */
/* Adds one finding for each cause, each id once. */
void det_deadlocks(const trc *t, trc_sites *sites, det_finding_vec *out);
