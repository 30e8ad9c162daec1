/* SPDX-License-Identifier: Apache-2.0 */
/* session/session_int.h - what the files of session/ share.
 *
 * A job goes through these hands:
 *
 *   (explorer) -> staged   stage               at most one; its ring slot is flight_tail
 *   staged -> in flight    ses_flight_submit   flight_head..flight_tail
 *   in flight -> taken     ses_flight_take     the run is in ses.taken
 *   in flight -> backlog   ses_drain           copied, when a finding must be replayed first
 *   backlog -> taken       ses_flight_take     nothing is submitted before the backlog is empty
 *
 * What the one who shares the search sees of it is in sharing.h.
 */
#pragma once

#include <signal.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "detect/events.h"
#include "detect/suppression_file.h"
#include "explore/core/alternatives.h"
#include "explore/core/spread.h"
#include "explore/interfere/forest.h"
#include "session/sharing.h"
#include "solver/solver.h"
#include "store/store.h"

/* Jobs in flight at most; a power of two. How many there are at a moment depends on the
 * number of runs taken only, never on time (L2). */
#define SES_WINDOW 256u
/* Beside these, so that they change nothing for the others: runs for their marks. */
#define SES_COVERS 32u
/* Slots for both; a power of two. */
#define SES_SLOTS 512u
#define SES_MORE_RUNS 15u     /* executors beside the first */
#define SES_EXPLAIN_MS 10000u /* of runs that find out more about a finding */
#define SES_LAST_MS 1000u /* a finding that is being replayed is worth a moment more */

/* Operations of a run at most, where the user did not say. */
#define SES_DEPTH 100000u
#define SES_HORIZON 4096u /* run length below which depth is not bounded */

/* Ids of jobs that are not the explorer's have this bit. */
#define SES_OWN_JOB (UINT64_C(1) << 63)

/* An id of a finding that did not replay is tried this often. */
#define SES_TRIES 3u

typedef enum ses_job_kind {
    SES_EXPLORE,
    SES_AGAIN, /* a repetition of the SES_EXPLORE before it */
    SES_COVER, /* one for its marks only: what it executes counts, nothing else */
} ses_job_kind;

typedef struct ses_job {
    ses_job_kind kind;
    uint32_t n_again;    /* repetitions that follow (SES_EXPLORE) */
    uint32_t runner;     /* which executor has it */
    run_request request; /* points into steps and inputs */
    trc_step_vec steps;
    trc_chosen_vec inputs;
} ses_job;

/* A job that came back. */
typedef struct ses_done {
    ses_job job;
    run_outcome outcome;
    trc *run; /* NULL unless RUN_TRACE; borrowed from the executor, or &copy */
    trc copy; /* used in the backlog */
} ses_done;

TD_VEC(ses_done, ses_done_vec);

/* A finding that was seen but did not replay. */
typedef struct ses_doubt {
    char key[32];
    uint32_t n_tries;
    bool is_told; /* it is known by the user's lines that lead there */
} ses_doubt;

TD_VEC(ses_doubt, ses_doubt_vec);

/* A finding that is not reported. */
typedef struct ses_suppressed {
    char key[32];
    char *file;
    uint32_t line;
    const char *by; /* text of the suppression */
} ses_suppressed;

TD_VEC(ses_suppressed, ses_suppressed_vec);

/* Bytes that a site was seen to access. */
typedef struct ses_touched {
    uint64_t object;
    uint32_t size, site;
    bool is_alone; /* before there was another thread */
} ses_touched;

TD_VEC(ses_touched, ses_touched_vec);

/* Which memory threads share; branches.c. */
typedef struct ses_shared {
    xpl_map bytes;           /* by address: who touched it, and how */
    td_id_set known;         /* what was ever in touched */
    ses_touched_vec touched; /* not known to be shared */
    trc_u32_vec unfollowed;  /* sites that cannot be promoted */
} ses_shared;

/* A bug of the session before; known_bugs.c. */
typedef struct ses_known {
    char *path; /* of its recording */
    char id[32];
    sto_recording recording;
    bool fails; /* still */
} ses_known;

TD_VEC(ses_known, ses_known_vec);

TD_VEC(td_id, ses_id_vec);

/* Events to be drawn; events.c. */
typedef struct ses_events {
    det_event_vec at;
    ses_id_vec ids;     /* of them */
    ses_id_vec threads; /* names of threads */
    td_id_set known;
    bool too_many;
} ses_events;

typedef struct ses_progress {
    FILE *err;
    bool quiet, terminal;
    bool full;         /* a screen instead of a line */
    bool is_shown;     /* the line or the screen, now */
    uint64_t every_ms; /* between two prints */
    uint64_t next_ms;  /* when to print again */
    size_t n_found;    /* findings when last looked, the last of them ... */
    uint64_t found_ms; /* ... at that time */
    double rate;       /* runs a second, since rate_ms and rate_runs */
    uint64_t rate_ms, rate_runs;
    uint32_t rates[SES_RATES]; /* rate, as it was */
    size_t n_rates;
} ses_progress;

/* How deep runs go (depth.c). */
typedef struct ses_depth {
    uint32_t now;       /* the bound of the search; 0: runs were not too long yet */
    uint32_t horizon;   /* most operations of a run until then */
    uint32_t length;    /* of the first run; 0: it did not end */
    bool has_first;     /* ... which is known */
    bool wants;         /* a run was longer than the horizon */
    uint64_t n_cut;     /* runs that the bound of now ended */
    bool is_short;      /* ... of them one before it had so many operations */
    uint32_t completed; /* the last bound for which all was covered; 0: none */
    char *gap;          /* what was left out there all the same, or NULL */
} ses_depth;

/* Members of ses that belong to one search: turns.c and weaker_memory.c put them aside while another works. */
#define SES_OF_ONE_SEARCH(X)                                                             \
    X(opts)                                                                              \
    X(goal)                                                                              \
    X(search)                                                                            \
    X(explorer)                                                                          \
    X(n_said)                                                                            \
    X(census)                                                                            \
    X(spread)                                                                            \
    X(alternatives)                                                                      \
    X(ledger)                                                                            \
    X(depth)                                                                             \
    X(events)                                                                            \
    X(estimate)                                                                          \
    X(sharer)                                                                            \
    X(n_jobs)                                                                            \
    X(n_lost)                                                                            \
    X(promoted)                                                                          \
    X(wanted)                                                                            \
    X(has_loops)                                                                         \
    X(hang_is_open)                                                                      \
    X(unordered)                                                                         \
    X(shared)

struct ses {
    const ses_opts *opts;
    const ses_exec *exec;
    FILE *out;
    ses_progress progress;
    ses_result *result;

    run_opts run_with;
    run *run;
    run *more_runs[SES_MORE_RUNS]; /* that execute jobs beside it (runners.c) */
    uint32_t n_more_runs;
    bool has_all_runs;                         /* no more are to be opened */
    uint32_t n_jobs_of_run[1 + SES_MORE_RUNS]; /* in flight, by executor */
    sto_session *store;
    const xpl_goal *goal;
    const xpl_search *search;
    struct {
        uint32_t n; /* times that the goal has changed: 0; 1: another is tried; 2: back */
        td_text why;       /* it has */
        size_t n_promoted; /* before that */
    } handed;
    xpl *explorer;
    size_t n_said;               /* bytes of what the search chose */
    slv *solver;                 /* NULL until it is asked */
    const exp_dag *solver_graph; /* what it is asked about */
    exp_value_vec model;
    xpl_census census;
    xpl_spread spread;             /* interleavings that runs stand for */
    xpl_alternatives alternatives; /* what makes the search large */
    det_ledger ledger;

    ses_depth depth;
    ses_job flight[SES_SLOTS]; /* by position modulo SES_SLOTS */
    uint32_t n_covers;         /* of them for their marks */
    uint64_t flight_head, flight_tail;
    uint64_t flight_words; /* of the job ring in use */
    bool staged;
    ses_job again;        /* job to repeat ... */
    uint32_t again_left;  /* ... this many times more */
    bool cover_left;      /* ... and once more for its marks */
    ses_done taken;       /* the one being worked on */
    ses_done_vec backlog; /* from backlog_at on */
    size_t backlog_at;

    trc base; /* run that repetitions are compared with */
    bool base_known;
    bool has_choices; /* some run had a second thread, or an input */
    ses_doubt_vec doubts;

    bool has_weaker;     /* atomics weaker than seq_cst were executed, which counts */
    bool is_for_x86;     /* ... in assembly, or as volatile objects */
    bool may_be_for_x86; /* the program has some of these */
    trc_promoted_vec promoted; /* sites whose accesses are operations */
    trc_promoted_vec wanted;   /* those that are to be: the search restarts */
    bool has_loops;            /* ... because of loops that wait for plain memory */
    bool hang_is_open; /* a run hung, and none with more operations has shown why */
    trc_u64_vec
        orders_seen;       /* of sites: kinds and orders that were executed, a bit each */
    trc_u32_vec unordered; /* sites that race and cannot be promoted */
    td_id_set known_races; /* pairs of sites of races that are findings */

    bool covers_itself; /* all runs set marks */
    bool is_cover_off;  /* runs for marks take too long */

    td_id_set sides;   /* of branches that were taken, for the goal branches */
    td_id_set decided; /* branches that inputs, or what was read, had a say in */
    ses_shared shared;
    ses_events events;

    ses_known_vec known;
    td_id_set covered; /* items of runs, with keep_runs */
    uint64_t n_kept;
    struct {
        FILE *file; /* NULL: none is written */
        uint64_t n_runs;
    } certificate;
    det_suppressions suppressions;
    ses_suppressed_vec suppressed; /* findings they cover */

    ses_ends ends; /* of the runs of the search; at the end with those of other workers */
    uint64_t n_jobs, n_own_jobs, n_taken, n_lost;
    uint64_t start_ms, looked_ms, checked_ms;
    uint32_t n_sides;      /* of all branches, for the goal branches */
    ses_estimate estimate; /* of what remains */
    uint64_t sample_ms;    /* when to take the next sample */
    uint64_t sampled_ms;   /* the last one of the session that this one resumes */
    uint64_t save_ms;      /* when to store what the search knows; UINT64_MAX: never */
    ses_now last;          /* how things stood at the end */
    ses_stop stop;
    uint64_t own_memory;      /* of this process ... */
    uint64_t all_memory;      /* ... and of all that work beside it */
    td_memory_state memory;   /* as it was seen last */
    uint64_t memory_ms;       /* when to look at it again */
    bool is_leaving;          /* memory is used up, and what is left is written down */
    uint64_t stop_ms;         /* when it was set */
    td_stop stopper;          /* for explorers: ses_is_over */
    uint64_t explain_from_ms; /* when the last finding began to be looked at ... */
    bool explain_is_cut;      /* ... for which there was not enough time */
    bool runs_own;            /* a job of our own is under way, to replay a finding */
    bool at_runs;             /* the run limit left something out */
    ses_sharer *sharer;       /* with whom the search is shared, or NULL: nobody */
    bool signals_held;
    sigset_t signals_before;

    /* turns.c */
    bool takes_turns;
    uint64_t turn_left; /* runs; UINT64_MAX: the search has no turns */
    uint64_t work_left; /* ... or steps that the search computes without one */
    uint64_t other_runs, other_jobs; /* of the searches that are put aside, or over */
    uint64_t
        n_graphs; /* runs of a search under a memory model that is complete; 0: there is none */
};

#define SES_MEMBER(name) __typeof__(((ses *)NULL)->name) name;
typedef struct ses_aside {
    SES_OF_ONE_SEARCH(SES_MEMBER)
} ses_aside;
#undef SES_MEMBER

/* ---- result_view.c ---- */
/* Prints the result and stores it; it is concluded. */
TD_MUST_USE td_status ses_result_print(ses *s, td_diag *diag);

/* ---- search_size.c ---- */
/* What makes the search large, of a session that a bound ended; else nothing. The names belong to
 * the caller. */
rep_large ses_large(const ses *s);
void ses_large_fini(rep_large *l);

/* ---- budget.c ---- */
/* True when time or memory is over or the user has asked to stop: looks at the clock and at signals, and
 * sets ses.stop. May be called at any time, an explorer at work included. */
bool ses_is_over(ses *s);
/* What memory was used up; returns out. */
const char *ses_memory_why(const ses *s, char out[80]);

/* ---- messages.c ---- */
/* Removes the live line, or the screen. */
void ses_progress_clear(ses *s);

/* ---- verdict.c ---- */
/* Everything was covered that the search covers. */
bool ses_is_complete(const ses *s);
/* Runs so far, those of other workers among them. */
uint64_t ses_runs(const ses *s);
/* Why the search is not complete, also in the ledger; belongs to the caller. NULL: it is. */
char *ses_why_incomplete(ses *s);
rep_verdict ses_verdict(const ses *s);
/* As many runs were made as there may be, and the search is not complete. */
bool ses_at_runs(const ses *s);

/* ---- turns.c ---- */
/* Explores by the session's search, or by several that take turns, until all is proved or ses.stop is set. */
TD_MUST_USE td_status ses_explore(ses *s, td_diag *diag);
/* What belongs to the search of now; nothing is in flight. Then another one is begun, or taken up. */
ses_aside ses_put_aside(ses *s);
void ses_take_up(ses *s, const ses_aside *a);
/* A search of its own, for the goal of the one put aside. */
void ses_begin_beside(ses *s, const ses_aside *of, const ses_opts *opts,
                      const xpl_search *search);
/* The search of now is over: what belongs to it is freed, and another one is to be taken up. */
void ses_end_beside(ses *s);
/* Runs that were handed out, by all searches. */
static inline uint64_t ses_jobs(const ses *s)
{
    return s->n_jobs + s->other_jobs;
}
/* Nothing more is to be handed out in this turn. */
static inline bool ses_turn_is_over(const ses *s)
{
    return s->turn_left == 0 && !s->staged && s->again_left == 0 && !s->cover_left;
}

/* ---- weaker_memory.c ---- */
/* Goes through RC11, if that is wanted. */
TD_MUST_USE td_status ses_weaker_explore(ses *s, td_diag *diag);

/* ---- certificate.c ---- */
/* Opens the file, if the user wants one and the session is one that can have one. */
TD_MUST_USE td_status ses_certificate_start(ses *s, td_diag *diag);
/* It is about local states only: the search must reach all of them, also those that only join. */
bool ses_certifies_states(const ses *s);
/* The search restarts: what was written is of another one. */
void ses_certificate_restart(ses *s);
TD_MUST_USE td_status ses_certificate_run(ses *s, const trc *t, td_diag *diag);
TD_MUST_USE td_status ses_certificate_end(ses *s, td_diag *diag);

/* ---- loop.c ---- */
/* Explores until there is nothing left or ses.stop is set. */
TD_MUST_USE td_status ses_loop(ses *s, td_diag *diag);

/* ---- flight.c ---- */
/* The job is what these say; they are copied. */
void ses_job_set(ses_job *job, const wire_step *steps, size_t n_steps,
                 const wire_input *inputs, size_t n_inputs);
/* All of it, with copies of its own. */
void ses_job_copy(ses_job *to, const ses_job *from);
/* Words of the job ring that it takes. */
uint64_t ses_job_words(const ses_job *job);
uint64_t ses_flight_len(const ses *s);
/* Another job may be submitted. */
bool ses_flight_has_room(const ses *s);
/* Nothing is in flight, nor in the backlog. */
bool ses_flight_is_over(const ses *s);
/* The slot behind those in flight, for the job that is staged. */
ses_job *ses_flight_slot(ses *s);
/* Submits the job that is staged. False: the executor has no room for it now. */
bool ses_flight_submit(ses *s);
/* Takes the next job that came back into ses.taken. */
TD_MUST_USE td_status ses_flight_take(ses *s, td_diag *diag);
void ses_flight_fini(ses *s);
/* Takes all jobs in flight into the backlog. */
TD_MUST_USE td_status ses_drain(ses *s, td_diag *diag);
/* The job whose run is looked at. */
run_request ses_job_taken(ses *s);
/* Runs one job of our own while nothing else is in flight. *out is valid until the next
 * job; NULL if the run was lost. */
TD_MUST_USE td_status ses_execute(ses *s, run_request request, trc **out, td_diag *diag);

/* ---- runners.c ---- */
/* Opens more executors, if the search samples and has taken a while. */
void ses_runners_tick(ses *s);
/* By number, 0 is ses.run. */
run *ses_runner(const ses *s, uint32_t number);
/* The one with the fewest jobs in flight. */
uint32_t ses_runner_idle(const ses *s);
/* Some run set the mark of this side of a site. */
bool ses_marked(const ses *s, uint32_t site, uint32_t side);
void ses_runners_close(ses *s);

/* ---- confirm.c ---- */
/* Replays and reports what is new among the findings of an explored run, and counts its
 * inputs. t may be the
 * executor's: it is copied before anything else is run. */
TD_MUST_USE td_status ses_findings(ses *s, const trc *t, td_diag *diag);
/* Two runs of one job differ: a finding, unless a gap explains it. */
TD_MUST_USE td_status ses_differ(ses *s, const trc *expected, const trc *seen,
                                 td_diag *diag);
/* ---- publish.c ---- */
/* Fills in what the session knows; f NULL: the run passes. */
void ses_recording_fill(ses *s, const det_finding *f, const trc *t,
                        const trc_step_vec *schedule, const trc_promoted_vec *promoted,
                        sto_recording *r);

/* Inputs and orders as the recording has them; they point into it. */
TD_MUST_USE td_status ses_given_recorded(const sto_recording *r, char *const *argv,
                                         run_given *out, td_diag *diag);
/* Stores a finding that is to be explained, without a word, so that a session that is ended meanwhile has it.
 * ses_publish stores it again, or ses_forget takes it back. */
TD_MUST_USE td_status ses_keep(ses *s, const det_finding *f, const ses_shown *how,
                               td_diag *diag);
TD_MUST_USE td_status ses_forget(ses *s, const det_finding *f, td_diag *diag);

/* ---- run_items.c ---- */
/* Keeps the recording of a run that covers something new. */
TD_MUST_USE td_status ses_keep_run(ses *s, const trc *t, td_diag *diag);
void ses_keep_say(ses *s);

/* ---- diverged.c ---- */
/* Of a run that ended with WIRE_DONE_DIVERGED: "choice 5: T1 has exited (before it: ...)". */
void ses_diverged_text(const trc *t, trc_sites *sites, td_text *out);

/* ---- known_bugs.c ---- */
/* Says of the bugs of the session before whether they still fail. */
TD_MUST_USE td_status ses_known_check(ses *s, td_diag *diag);
/* Those that do and were not found again become findings. */
TD_MUST_USE td_status ses_known_publish(ses *s, td_diag *diag);
void ses_known_fini(ses *s);
/* ---- attempt.c ---- */
/* How a finding is replayed, and what came of it. */
typedef struct ses_attempt {
    trc_step_vec schedule;
    trc_chosen_vec inputs;
    trc_promoted_vec promoted;
    uint32_t flags;     /* WIRE_JOB_* beside those of every replay */
    uint32_t no_return; /* rep_finding.no_return */
    uint32_t
        no_return_choices; /* the same, counted in choices; all: no smaller number is known */
    uint32_t n_ways;       /* continuations of these that were run */
    rep_cause cause;       /* of the finding */
    bool uses_freed;       /* of a race with a free: the access comes after it */
    bool always;           /* EXIT: no run was seen that ends otherwise */
    bool is_shown;         /* a run with this schedule and these inputs failed this way */
    unsigned n_shown;  /* replays that failed the same way, before the first other one */
    det_finding shown; /* as the last replay showed it */
    trc *last;         /* the last replay, NULL if it was lost */
} ses_attempt;

/* Gives the finding the last lines that its run wrote (last_output.c). */
void ses_last_output(ses *s, const ses_attempt *a, det_finding *f);
/* The schedule of the run up to the failure of the finding. */
void ses_schedule(const trc *t, const det_finding *f, trc_step_vec *out);
/* WIRE_JOB_* to replay a finding with, beside what is to be done about races. */
uint32_t ses_replay_flags(det_kind kind);
/* As the run went that showed it first. */
void ses_attempt_init(ses *s, ses_attempt *a, const det_finding *f, const trc *original);
void ses_attempt_fini(ses_attempt *a);
run_request ses_attempt_request(const ses_attempt *a, uint32_t flags);
/* Replays it SES_CONFIRMATIONS times, or until it shows something else: n_shown, shown, last. */
TD_MUST_USE td_status ses_attempt_replay(ses *s, const det_finding *f, ses_attempt *a,
                                         td_diag *diag);
/* Moves the finding that is the wanted one out of the run's findings. */
bool ses_find_same(ses *s, const trc *t, const det_finding *wanted, det_finding *out);
/* Two replays of one finding may differ in its place. */
bool ses_is_place_a_guess(const det_finding *a, const det_finding *b);

/* ---- trials.c ---- */
/* Runs that find out more about a finding, within a budget. A run that is lost or hangs ends them, unless
 * they are patient. */
typedef struct ses_trials {
    ses *s;
    uint32_t runs_left, reserve; /* the reserve is for later */
    uint64_t ops_left;           /* of all runs together */
    uint32_t percent; /* of the time for a finding that is over when they are */
    bool is_patient;
    td_diag *diag;
    td_status status; /* not TD_OK: over */
} ses_trials;

/* A finding is looked at: its time starts. */
void ses_explain_start(ses *s);
/* How much of it there is. */
uint64_t ses_explain_ms(const ses *s);
/* No run or no time is left, or the session is to end. */
bool ses_trials_over(const ses_trials *x);
/* One run; NULL: it was lost or hangs, or they are over. Valid until the next job. */
trc *ses_trial(ses_trials *x, run_request request);

/* ---- free_first.c ---- */
/* Whether the later access of this race is a free. */
bool ses_frees_last(const ses *s, const trc *t, const det_finding *f);
/* Of such a race: looks for a run with the access after the free, and replays it. If there is one, a is
 * that run, and uses_freed is set. a is as ses_attempt_init left it, and may be changed in any case. */
TD_MUST_USE td_status ses_free_first(ses *s, const det_finding *f, const trc *original,
                                     ses_attempt *a, td_diag *diag);

/* ---- cause_record.c ---- */
/* Puts what is known of the cause into a recording. cause may be NULL. */
void ses_cause_record(const trc_sites *sites, uint32_t no_return, const rep_cause *cause,
                      sto_recording *r);
/* rep_finding.no_return of a replay; 0: not known of this build. */
uint32_t ses_no_return_recorded(const trc_sites *sites, const trc *t,
                                const sto_recording *r);
/* The cause as the recording has it, if the replay is of the same build and has its events. */
bool ses_cause_recorded(const trc_sites *sites, const trc *t, const sto_recording *r,
                        rep_cause *out);

/* ---- shrink.c ---- */
/* Makes the schedule of a that shows the finding one with fewer preemptions and switches, and the
 * inputs nearer to what the user gave, or to 0. How many runs it makes depends on nothing but them. */
TD_MUST_USE td_status ses_shrink(ses *s, const det_finding *f, ses_attempt *a,
                                 td_diag *diag);

/* ---- point_of_no_return.c ---- */
/* Sets a->no_return to the point of no return, if it can be found with few runs. */
TD_MUST_USE td_status ses_find_no_return(ses *s, const det_finding *f, ses_attempt *a,
                                         td_diag *diag);

/* ---- cause.c ---- */
/* Call after ses_find_no_return. Sets a->cause: an order of two events, or a choice of the library, without
 * which the run passes. */
TD_MUST_USE td_status ses_cause(ses *s, const det_finding *f, ses_attempt *a,
                                td_diag *diag);

/* ---- executed_orders.c ---- */
void ses_orders_take(ses *s, const trc *t);

/* ---- promotion.c ---- */

/* What follows the last slash. */
const char *ses_base_name(const char *path);
typedef enum ses_promotable {
    SES_PROMOTED, /* by this call */
    SES_ALREADY,  /* its accesses are operations anyway */
    SES_NEVER     /* no single access of at most 8 bytes */
} ses_promotable;
/* Adds all sites of the place of this one. */
ses_promotable ses_promote_site(const trc_sites *sites, uint32_t site, uint32_t how,
                                trc_promoted_vec *out);
/* To and from recordings. */
void ses_promoted_record(const trc_sites *sites, const trc_promoted_vec *promoted,
                         sto_recording *r);
void ses_promoted_recorded(const trc_sites *sites, const sto_recording *r,
                           trc_promoted_vec *out);
/* The accesses of a race are wanted as operations. */
void ses_promote_race(ses *s, const trc_fail *f);

/* Wants what loops of the run access that wait for plain memory. */
void ses_promote_loops(ses *s, const trc *t);
/* The reads of the function in which a run hangs become operations; false: they are, or it is
 * not to continue after races. */
bool ses_promote_hang(ses *s, const det_finding *f);
/* ... those whose order matters, where the search says which. */
void ses_promote_asked(ses *s);
/* A race does not end a run. */
bool ses_races_go_on(const ses *s);
/* A failure that the program would survive may end a run and not the session: what comes after it is
 * a gap. */
bool ses_failures_hide(const ses *s);
/* WIRE_JOB_* of runs with these: what else races with them is to be found as well. */
uint32_t ses_race_flags(const trc_promoted_vec *promoted);
/* Accesses that race and are not operations: lines of the ledger. */
void ses_unordered(ses *s);

/* The site's accesses are wanted as operations, or are told as unordered if they cannot be. */
void ses_want(ses *s, uint32_t site);

/* ---- search_start.c ---- */
/* An explorer with what is left of the run limit. */
void ses_explorer_start(ses *s);
/* Nothing is in flight: promotes what is wanted and restarts the search. False: nothing
 * is wanted, or no run is left for it. */
bool ses_promote(ses *s);
/* The search says that another goal is to be tried, or the one before: it starts. False: it does not. */
bool ses_hand_over(ses *s);

/* ---- depth.c ---- */
/* The most operations of the run of a job; 0: opts.depth. */
uint32_t ses_depth_of(const ses *s, const xpl_job *job);
/* ... and the most threads; 0: any number. */
uint32_t ses_depth_threads(const ses *s);
/* The most operations of a run of our own; 0: opts.depth. */
static inline uint32_t ses_depth_own(const ses *s)
{
    uint64_t depth = UINT64_C(4) * s->depth.now + SES_HORIZON;
    return s->depth.now > 0 && depth < s->opts->depth ? (uint32_t)depth : 0;
}
/* An explored run: was it too long? */
void ses_depth_take(ses *s, const trc *t);
/* Nothing is in flight. One was: the search starts again with a small bound. False: none was. */
bool ses_depth_start(ses *s);
/* Nothing is left to do within the bound. If that left something out the bound grows, and the search starts
 * again. */
bool ses_depth_grow(ses *s);
/* Other accesses are operations: what was covered does not count. */
static inline void ses_depth_reset(ses *s)
{
    td_free(s->depth.gap);
    s->depth = (ses_depth){0};
}

/* ---- memory_full.c ---- */
/* How much memory we may use; what is said when there is none. */
void ses_memory_start(ses *s);
/* Where something ended the search: what is left is written down, so that a session to come continues. */
TD_MUST_USE td_status ses_leave(ses *s, td_diag *diag);
void ses_memory_end(ses *s, td_status status, const td_diag *diag);

/* ---- branches.c ---- */
/* Sides of all branches of the program. */
uint32_t ses_sides_total(const trc_sites *sites);
/* The sides that the run took. */
void ses_sides_take(ses *s, const trc *t);
/* Fills in what the result says about branches. */
void ses_sides_conclude(ses *s);
/* All of them into the store; after that. */
TD_MUST_USE td_status ses_sides_keep(ses *s, td_diag *diag);
void ses_branches_fini(ses_branches *b);
/* Fills in how many interferences lead to findings. */
void ses_fails_conclude(ses *s);
/* Wants the accesses to memory that the run, with others, shows to be shared. */
void ses_shared_take(ses *s, const trc *t);
/* Shared memory that is not followed: lines of the ledger. */
void ses_shared_ledger(ses *s);
void ses_shared_fini(ses_shared *h);

/* ---- sharing.c ---- */
static inline bool ses_is_shared(const ses *s)
{
    return s->sharer && s->opts->sharing->is_shared(s->sharer);
}
/* No job may be handed out now. */
static inline bool ses_sharer_holds(const ses *s)
{
    return s->sharer && s->opts->sharing->holds(s->sharer);
}
/* What all did. */
ses_shared_sum ses_sum(const ses *s);

/* ---- executed_code.c ---- */
/* The program is there. */
void ses_coverage_start(ses *s);
/* True if the job that comes next is to be run once more for its marks: a sample. */
bool ses_coverage_wants(const ses *s);
/* A run of our own for its marks, unless such runs have them anyway: that of a finding. */
TD_MUST_USE td_status ses_coverage_repeat(ses *s, run_request request, td_diag *diag);
/* A SES_COVER came back. */
void ses_coverage_take(ses *s, const ses_done *d);
/* Fills in which code was executed. */
void ses_coverage_conclude(ses *s);

/* ---- events.c ---- */
/* Keeps the events of a run that are new. */
void ses_events_take(ses *s, const trc *t);
/* The search restarts, or ends. */
void ses_events_drop(ses *s);

/* ---- suppress.c ---- */
/* Reads opts.suppressions, if any. */
TD_MUST_USE td_status ses_suppress_open(ses *s, td_diag *diag);
/* Says which lines of it cover nothing. */
void ses_suppress_say(ses *s);
/* What was not reported: lines of the ledger. */
void ses_suppress_ledger(ses *s);
void ses_suppress_close(ses *s);

/* ---- shown_inputs.c ---- */
/* The inputs of a run, for a job that repeats it; they are added to out. */
void ses_inputs(const trc *t, trc_chosen_vec *out);
void ses_inputs_recorded(const sto_recording *r, trc_chosen_vec *out);
/* Adds them to the recording. */
void ses_inputs_record(const trc *t, sto_recording *r);
/* What the user gave. */
typedef struct ses_words {
    char *const *argv;
    const run_given *given; /* arguments that are inputs */
    const trc_sites
        *sites; /* tells inputs from choices of the library; NULL: not asked */
} ses_words;
/* ---- argument_values.c ---- */
/* The program and its arguments. */
void ses_command_text(const ses *s, td_text *out);
/* What the user gave for the input of this name, as it was given; NULL: nothing. */
const char *ses_words_text(const ses_words *w, const char *name);
/* The arguments of the program in a run with these inputs, NULL at the end. */
char **ses_words_args(const ses_words *w, const rep_input_vec *inputs);
/* ... its value; false: none. */
bool ses_words_value(const ses_words *w, const char *name, uint64_t *out);
/* What the inputs of the run have to do with the finding. */
/* Whether a wait gives up, and the like: no input of the user's. */
bool ses_is_choice(const trc_sites *sites, const trc_input *in);
void ses_told_init(ses_told *told, const trc *t, const det_finding *f,
                   const ses_words *words);
/* The arguments of the program in that run, NULL at the end. */
const char *const *ses_told_args(const ses_told *told);
rep_inputs ses_told_view(const ses_told *told);
/* What its decisions say, as long as the run lives. */
rep_decisions ses_told_decisions(ses_told *told);
/* The run goes away. */
void ses_told_forget_run(ses_told *told);
void ses_told_fini(ses_told *told);

/* ---- solver_queries.c ---- */
/* The solver of the session as explorers know it. */
xpl_solver ses_solver(ses *s);
/* What it has done so far. */
rep_solver ses_solver_view(const ses *s);
void ses_solver_free(ses *s);

/* ---- verdict.c ---- */
/* Fills the result; bounds that were reached go to the ledger. */
void ses_conclude(ses *s);

/* ---- save_result.c ---- */
/* All of the result, into the database of the session. */
TD_MUST_USE td_status ses_store_result(ses *s, const rep_result *r, td_diag *diag);

/* ---- same_run.c ---- */
/* Same operations and the same failures; notes may differ. */
bool ses_trc_same(const trc *a, const trc *b);

/* ---- measure.c ---- */
/* Whether events, and traces, of runs are counted: of searches that sample, if that was asked for. */
bool ses_counts_events(const ses *s);
bool ses_counts_traces(const ses *s);
/* Traces of this process, of the item at hand where the search runs each once. */
uint64_t ses_n_traces(const ses *s);
/* Events and digest, from the search or the census, whichever counts them. */
void ses_counts(const ses *s, xpl_counts *out);
/* What the search chose and why; NULL: nothing, or not yet. */
const char *ses_chosen(const ses *s);
/* What a complete search has done, as a clause. */
const char *ses_covers(const ses *s);
/* What was done so far, but for the pace; the guess of the search is noted. */
ses_now ses_measure(ses *s);
/* A row in the store; and one now and then. */
TD_MUST_USE td_status ses_sample(ses *s, td_diag *diag);
void ses_sample_tick(ses *s);

/* ---- resumed.c ---- */
/* What the search knows is stored, if it can be: now; now and then. */
void ses_saved_keep(ses *s);
void ses_saved_tick(ses *s);
/* The search, which can load, goes on with what the session before stored, or says why not. */
void ses_saved_resume(ses *s);

/* ---- progress.c ---- */
void ses_progress_start(ses *s);
/* A line, or the screen, now and then. */
void ses_progress_tick(ses *s);

/* ---- session_valid.c ---- */
/* Jobs, findings and sites are as this header says; why may be NULL. */
bool ses_valid(const ses *s, char *why, size_t size);
