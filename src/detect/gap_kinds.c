/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of ledger entry: whether something is missing because of it, and what a user does next.
 * The lint "ledger" compares it with the kinds that the sources name, and with the table of
 * docs/faq.md. */
#include "detect/detect_int.h"

typedef enum effect {
    GAP,   /* something was not covered */
    LIMIT, /* ... because of a limit of the session, which the report shows elsewhere */
    DECISION, /* the user decided so */
    HARMLESS, /* it costs time only, or nothing */
} effect;

typedef struct gap_kind {
    const char *kind;
    effect effect;
    const char *next;
} gap_kind;

static const gap_kind kinds[] = {
    {"interrupted", LIMIT, "--resume"},
    {"memory", LIMIT, "more memory (--own-memory)"},
    {"runs", LIMIT, "more runs (--runs)"},
    {"time", LIMIT, "more time (--time)"},
    {DET_SUSPECTED, LIMIT, "more time (--time)"},
    {"changed", GAP, "fix data races first, or --goal=traces"},
    {"cut short", GAP, "fix this failure and run again"},
    {"deadlocks", GAP, "--goal=traces"},
    {"depth", GAP, "longer runs (--depth)"},
    {"diverged", GAP, "-j1, and report it: this is a bug in treadle"},
    {"goal", GAP, "leave --search out"},
    {"history limit", GAP, "fewer calls in a history"},
    {"inputs", GAP, "inputs of fewer bits, or --goal=traces"},
    {"interferences", GAP, "--goal=traces"},
    {"large", GAP, "--goal=traces"},
    {"livelocks", GAP, "--goal=traces"},
    {"long loop", GAP, "a loop that does not wait for years"},
    {"loops", GAP, "--goal=traces"},
    {"lost run", GAP, "run again; more memory for a run (--memory)"},
    {"made concrete", GAP, "--search=guided, which samples inputs as well"},
    {"members", GAP, "--trust-members, or a campaign without them"},
    {"memory limit", GAP, "more memory for a run (--memory)"},
    {"mixed sizes", GAP, "--goal=traces"},
    {"not modelled", GAP, "treadle doctor names such calls: leave them out"},
    {"not reached", GAP, "--goal=traces"},
    {"not repeatable", GAP, "--repeat=3 shows what differs between runs"},
    {"not reproduced", GAP, "--repeat=3 shows what differs between runs"},
    {"not watched", GAP,
     "build it with treadle cc, or --trust=NAME if it shares nothing"},
    {"notes", GAP, "fewer operations in a run"},
    {"operations", GAP, "--goal=traces"},
    {"parked", GAP, "--resume -j1; more memory (--own-memory)"},
    {"parts", GAP, "-j1"},
    {"plain loop", GAP, "make the variable that the loop polls atomic"},
    {"preemptions", GAP, "more preemptions (--preemptions, --iterate)"},
    {"race", GAP, "fix the data race, or access the fields one by one"},
    {"race not claimed", GAP,
     "build it with treadle cc, or --trust=NAME if it orders nothing"},
    {"races", GAP, "--goal=races"},
    {"search", GAP, "--goal=traces"},
    {"sections", GAP, "--goal=traces"},
    {"shared", GAP, "--goal=traces"},
    {"solver", GAP, "more time for the solver (--solver-time)"},
    {"surprises", GAP, "fix data races first, or --goal=traces"},
    {"symbolic limit", GAP, "inputs of fewer bytes"},
    {"thread limit", GAP, "fewer threads at once"},
    {"threads", GAP, "--goal=traces"},
    {"values", GAP, "--goal=traces, or inputs with fewer values"},
    {DET_SUPPRESSED, DECISION, ""},
    {DET_TRUSTED, DECISION, ""},
    {DET_VOLATILE, DECISION, ""},
    {"cannot be undone", HARMLESS, ""},
    {"new process", HARMLESS, ""},
    {"not watched, alone", HARMLESS, ""},
};

static const gap_kind *kind_of(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return &kinds[i];
    return NULL;
}

bool det_is_decision(const char *kind)
{
    const gap_kind *k = kind_of(kind);
    return k && k->effect == DECISION;
}

bool det_is_harmless(const char *kind)
{
    const gap_kind *k = kind_of(kind);
    return k && (k->effect == HARMLESS || k->effect == DECISION);
}

const char *det_gap_next(const char *kind)
{
    const gap_kind *k = kind_of(kind);
    return k && k->effect == GAP ? k->next : "";
}
