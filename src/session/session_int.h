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
/* Jobs that run only for their marks; beside the others, so that they do not delay them. */
#define SES_COVERS 32u
/* Ring slots for both kinds of jobs; a power of two. */
#define SES_SLOTS 512u
#define SES_MORE_RUNS 15u     /* executors beside the first */
#define SES_EXPLAIN_MS 10000u /* time for the runs that explain a finding */
#define SES_LAST_MS 1000u     /* extra time for a replay at the end */

/* The search continues at most this long after a data race. */
#define SES_AFTER_RACE_MS 60000u

/* The default limit of operations per run. */
#define SES_DEPTH 100000u
#define SES_HORIZON 4096u /* run length below which depth is not bounded */

/* Marks the ids of jobs that the session makes itself, not the explorer. */
#define SES_OWN_JOB (UINT64_C(1) << 63)

/* How often a finding with one id is replayed before it is given up. */
#define SES_TRIES 3u

typedef enum ses_job_kind {
    SES_EXPLORE,
    SES_AGAIN, /* a repetition of the SES_EXPLORE before it */
    SES_COVER, /* for its marks only: its result goes into the coverage and nowhere else */
} ses_job_kind;

typedef struct ses_job {
    ses_job_kind kind;
    uint32_t n_again;    /* repetitions that follow (SES_EXPLORE) */
    uint32_t runner;     /* index of the executor that runs it */
    run_request request; /* points into steps and inputs */
    trc_step_vec steps;
    trc_chosen_vec inputs;
} ses_job;

/* A finished job. */
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
    bool is_settled; /* reported or suppressed, under the id of its replay */
} ses_doubt;

TD_VEC(ses_doubt, ses_doubt_vec);

/* A suppressed finding. */
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
    bool is_alone; /* by the only thread, before it created another */
} ses_touched;

TD_VEC(ses_touched, ses_touched_vec);

/* The memory that threads share; branches.c. */
typedef struct ses_shared {
    xpl_map bytes;           /* by address: the threads that accessed it, and how */
    td_id_set known;         /* everything that was ever in touched */
    ses_touched_vec touched; /* accesses to memory that is not known to be shared */
    trc_u32_vec unfollowed;  /* sites that cannot be promoted */
} ses_shared;

/* A bug of the previous session; known_bugs.c. */
typedef struct ses_known {
    char *path; /* path of its recording */
    char id[32];
    sto_recording recording;
    bool fails; /* its replay failed again */
} ses_known;

TD_VEC(ses_known, ses_known_vec);

TD_VEC(td_id, ses_id_vec);

/* The printed report of a finding; harm.c. */
typedef struct ses_report {
    char *text;             /* that is to be printed at the end; NULL: it was printed */
    bool is_race;           /* and nothing worse */
    bool is_every;          /* all schedules that were run fail */
    trc_u32_vec decided_by; /* sites of the events whose order WHY names */
    rep_fix fix;
} ses_report;

TD_VEC(ses_report, ses_report_vec);

/* A finding that was replayed, and is being explained. */
typedef struct ses_pending {
    det_finding finding; /* only what names it */
    char *path;          /* of its recording */
    char *text;          /* its report; NULL: there is none */
} ses_pending;

/* Events to be drawn; events.c. */
typedef struct ses_events {
    det_event_vec at;
    ses_id_vec ids;     /* ids of these events */
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
    /* Number of findings at the last update; it reached this number ... */
    size_t n_found;
    uint64_t found_ms; /* ... at that time */
    double rate;       /* runs per second, since rate_ms and rate_runs */
    uint64_t rate_ms, rate_runs;
    uint32_t rates[SES_RATES]; /* earlier values of rate */
    size_t n_rates;
} ses_progress;

/* The depth limit of the search (depth.c). */
typedef struct ses_depth {
    uint32_t now;     /* the current limit; 0: none, as no run was too long so far */
    uint32_t horizon; /* limit of a run while now is 0 */
    uint32_t length;  /* operations of the first run; 0: it did not end */
    bool has_first;   /* the first run was made */
    bool wants;       /* a run was longer than the horizon */
    bool
        is_put_off; /* the first run was longer than other searches beside this one allow */
    bool is_alone;      /* ... and this search begins again without that limit */
    uint64_t n_cut;     /* runs that were cut at the current limit */
    bool is_short;      /* one of these had fewer operations than the limit */
    uint32_t completed; /* the last limit within which everything was covered; 0: none */
    char *gap;          /* what was nevertheless left out within it, or NULL */
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
    X(cut_at_races)                                                                      \
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
    run *more_runs[SES_MORE_RUNS]; /* further executors (runners.c) */
    uint32_t n_more_runs;
    bool has_all_runs; /* more executors are not needed, or cannot be opened */
    uint32_t n_jobs_of_run[1 + SES_MORE_RUNS]; /* in flight, by executor */
    sto_session *store;
    const xpl_goal *goal;
    const xpl_search *search;
    struct {
        /* Goal changes so far. 1: a substitute goal is tried; 2: the original one again */
        uint32_t n;
        td_text why;       /* why the goal changed */
        size_t n_promoted; /* promoted sites before the change */
    } handed;
    xpl *explorer;
    size_t n_said;               /* length of ses_chosen() when it was last printed */
    slv *solver;                 /* NULL until the first query */
    const exp_dag *solver_graph; /* the graph of its queries */
    exp_value_vec model;
    xpl_census census;
    xpl_spread spread; /* estimates how many interleavings the runs represent */
    xpl_alternatives alternatives; /* the alternatives per object and site */
    det_ledger ledger;

    ses_depth depth;
    ses_job flight[SES_SLOTS]; /* by position modulo SES_SLOTS */
    uint32_t n_covers;         /* jobs in flight that run for their marks */
    uint64_t flight_head, flight_tail;
    uint64_t flight_words; /* words of the job ring in use */
    bool staged;
    ses_job again;        /* job to repeat ... */
    uint32_t again_left;  /* ... this many times more */
    bool cover_left;      /* ... and once more for its marks */
    ses_done taken;       /* the finished job being processed */
    ses_done_vec backlog; /* finished jobs that wait, from backlog_at on */
    size_t backlog_at;

    trc base; /* run that repetitions are compared with */
    bool base_known;
    bool has_choices; /* some run had a second thread or an input */
    ses_doubt_vec doubts;

    /* A run executed atomics weaker than seq_cst, and RC11 is to be explored */
    bool has_weaker;
    bool is_for_x86;     /* ... in assembly, or as volatile objects */
    bool may_be_for_x86; /* the program has some of these */
    struct {
        bool is_on;         /* a data race was found, and the session looks for worse */
        bool is_past;       /* the search is over: nothing more is looked for */
        uint64_t from_runs; /* runs when it began ... */
        uint64_t n_runs;    /* ... and how many more there are to be */
        uint64_t end_ms;
        bool ended;       /* by these bounds ... */
        bool out_of_time; /* ... by that of time */
    } after_race;
    ses_report_vec reports;    /* one per finding */
    ses_pending pending;       /* not among them yet */
    const char *unprinted;     /* the report of the finding that is being stored; NULL */
    trc_promoted_vec promoted; /* sites whose accesses are operations */
    trc_promoted_vec wanted;   /* sites to promote: then the search restarts */
    bool cut_at_races;         /* races ended runs and no longer do: it restarts, too */
    bool has_loops;            /* some of wanted are polled by spin loops */
    bool hang_is_open; /* a run hung, and no run with more operations explains why */
    /* Per site, a bit for each kind and memory order that was executed */
    trc_u64_vec orders_seen;
    trc_u32_vec unordered; /* sites that race and cannot be promoted */
    td_id_set known_races; /* pairs of sites of the races that are findings */

    bool covers_itself; /* every run sets marks */
    bool is_cover_off;  /* runs for marks take too long, so no more are made */

    td_id_set sides; /* branch outcomes taken, for the goal branches */
    /* Branches that depend on inputs or on values read from other threads */
    td_id_set decided;
    ses_shared shared;
    ses_events events;

    ses_known_vec known;
    td_id_set covered; /* items covered by the kept runs, with keep_runs */
    uint64_t n_kept;
    struct {
        FILE *file; /* NULL: none is written */
        uint64_t n_runs;
        char *why_not; /* why there can be none, or NULL */
        bool is_over;  /* later runs are not of the search */
    } certificate;
    det_suppressions suppressions;
    ses_suppressed_vec suppressed; /* findings that match a suppression */

    /* How runs ended; when the session ends, those of other workers included */
    ses_ends ends;
    uint64_t n_jobs, n_own_jobs, n_taken, n_lost;
    uint64_t start_ms, looked_ms, checked_ms;
    uint32_t n_sides;      /* outcomes of all branches, for the goal branches */
    ses_estimate estimate; /* estimate of the remaining work */
    uint64_t sample_ms;    /* when to take the next sample */
    uint64_t sampled_ms;   /* time of the last sample of the resumed session */
    uint64_t save_ms;      /* when to store what the search knows; UINT64_MAX: never */
    ses_now last;          /* the counters at the end */
    ses_stop stop;
    uint64_t own_memory;      /* memory limit of this process ... */
    uint64_t all_memory;      /* ... and of all worker processes together */
    td_memory_state memory;   /* state at the last check */
    uint64_t memory_ms;       /* time of the next check */
    bool is_leaving;          /* memory is used up: remaining work is being saved */
    uint64_t stop_ms;         /* when it was set */
    td_stop stopper;          /* for explorers: ses_is_over */
    uint64_t fix_ms;          /* time that searches for changes took */
    uint64_t explain_from_ms; /* when the explanation of the last finding began ... */
    bool explain_is_cut;      /* ... and whether it ran out of time */
    bool runs_own;            /* the session's own job is running, to replay a finding */
    bool at_runs;             /* the run limit ended the search */
    ses_sharer *sharer; /* shares the search with other workers; NULL: it is not shared */
    bool was_shared;    /* with others, by some search */
    bool signals_held;
    sigset_t signals_before;

    /* turns.c */
    bool takes_turns;
    /* Runs left in this turn; UINT64_MAX: searches do not take turns */
    uint64_t turn_left;
    uint64_t work_left; /* ... and steps that the search may compute without a run */
    uint64_t other_runs,
        other_jobs; /* runs and jobs of the searches that are put aside or finished */
    /* Runs of the search of execution graphs, if it is complete; otherwise 0 */
    uint64_t n_graphs;
    uint32_t
        longest_run;   /* operations of the longest run of any search that was not cut */
    bool runs_are_cut; /* runs may not end: the session's own have a limit */
};

#define SES_MEMBER(name) __typeof__(((ses *)NULL)->name) name;
typedef struct ses_aside {
    SES_OF_ONE_SEARCH(SES_MEMBER)
} ses_aside;
#undef SES_MEMBER

/* ---- result_view.c ---- */
/* Prints and stores the concluded result. */
TD_MUST_USE td_status ses_result_print(ses *s, td_diag *diag);

/* ---- search_size.c ---- */
/* Returns the places with the most alternatives, if a bound ended the session; otherwise nothing. The caller
 * frees the names. */
rep_large ses_large(const ses *s);
void ses_large_fini(rep_large *l);

/* ---- budget.c ---- */
/* Checks the clock, the memory and signals. Returns true and sets ses.stop if time or memory is used up or
 * the user has asked to stop. May be called at any time, also by a working explorer. */
bool ses_is_over(ses *s);
/* Describes the memory that was used up; returns out. */
const char *ses_memory_why(const ses *s, char out[80]);

/* ---- messages.c ---- */
/* Removes the live line, or the screen. */
void ses_progress_clear(ses *s);

/* ---- verdict.c ---- */
/* True if everything that the search covers was covered. */
bool ses_is_complete(const ses *s);
/* Runs so far, including those of other workers. */
uint64_t ses_runs(const ses *s);
/* Returns why the search is not complete, also if the ledger has the reason; NULL if it is complete. The
 * caller frees it. */
char *ses_why_incomplete(ses *s);
rep_verdict ses_verdict(const ses *s);
/* True if the run limit was reached before the search was complete. */
bool ses_at_runs(const ses *s);

/* ---- turns.c ---- */
/* Explores by the session's search, or by several that take turns, until all is proved or ses.stop is set. */
TD_MUST_USE td_status ses_explore(ses *s, td_diag *diag);
/* Returns the members that belong to the current search; nothing may be in flight. Another search must be
 * begun or taken up next. */
ses_aside ses_put_aside(ses *s);
void ses_take_up(ses *s, const ses_aside *a);
/* Begins a further search, for the goal of the one put aside. */
void ses_begin_beside(ses *s, const ses_aside *of, const ses_opts *opts,
                      const xpl_search *search);
/* Frees everything of the current search. Another search must be taken up next. */
void ses_end_beside(ses *s);
/* Jobs handed out so far, by all searches. */
static inline uint64_t ses_jobs(const ses *s)
{
    return s->n_jobs + s->other_jobs;
}
/* True if nothing more may be handed out in this turn. */
static inline bool ses_turn_is_over(const ses *s)
{
    return s->turn_left == 0 && !s->staged && s->again_left == 0 && !s->cover_left;
}

/* ---- weaker_memory.c ---- */
/* Explores under RC11 if the options and the atomics of the program call for it. */
TD_MUST_USE td_status ses_weaker_explore(ses *s, td_diag *diag);

/* ---- certificate.c ---- */
/* Opens the file if a certificate was requested and this kind of session can have one. */
TD_MUST_USE td_status ses_certificate_start(ses *s, td_diag *diag);
/* True if the certificate claims local states only: the search must then reach all of them, also those of
 * threads that only join. */
bool ses_certifies_states(const ses *s);
/* Empties the certificate, because the search restarts. */
void ses_certificate_restart(ses *s);
TD_MUST_USE td_status ses_certificate_run(ses *s, const trc *t, td_diag *diag);
/* No more runs belong to it. */
void ses_certificate_close(ses *s);
/* Completes the file if the session is complete; otherwise removes it and says why. */
TD_MUST_USE td_status ses_certificate_end(ses *s, td_diag *diag);
/* Removes it, if it was not completed. */
void ses_certificate_drop(ses *s);

/* ---- loop.c ---- */
/* Explores until nothing remains or ses.stop is set. */
TD_MUST_USE td_status ses_loop(ses *s, td_diag *diag);

/* ---- flight.c ---- */
/* Sets the schedule and the inputs of the job, which are copied. */
void ses_job_set(ses_job *job, const wire_step *steps, size_t n_steps,
                 const wire_input *inputs, size_t n_inputs);
/* Copies a job with its schedule and inputs. */
void ses_job_copy(ses_job *to, const ses_job *from);
/* Words that the job occupies in the job ring. */
uint64_t ses_job_words(const ses_job *job);
uint64_t ses_flight_len(const ses *s);
/* True if another job may be submitted. */
bool ses_flight_has_room(const ses *s);
/* True if nothing is in flight and the backlog is empty. */
bool ses_flight_is_over(const ses *s);
/* Returns the slot behind the jobs in flight, for the staged job. */
ses_job *ses_flight_slot(ses *s);
/* Submits the staged job. Returns false if the executor cannot accept it now. */
bool ses_flight_submit(ses *s);
/* Moves the next finished job into ses.taken. */
TD_MUST_USE td_status ses_flight_take(ses *s, td_diag *diag);
void ses_flight_fini(ses *s);
/* Waits for all jobs in flight and moves them into the backlog. */
TD_MUST_USE td_status ses_drain(ses *s, td_diag *diag);
/* Returns the job in ses.taken. */
run_request ses_job_taken(ses *s);
/* Runs one job of the session itself while nothing else is in flight. *out is valid until the next job; NULL
 * if the run was lost. */
TD_MUST_USE td_status ses_execute(ses *s, run_request request, trc **out, td_diag *diag);

/* ---- runners.c ---- */
/* Opens more executors, if the search samples and has taken a while. */
void ses_runners_tick(ses *s);
/* Returns an executor by number; 0 is ses.run. */
run *ses_runner(const ses *s, uint32_t number);
/* Returns the number of the executor with the fewest jobs in flight. */
uint32_t ses_runner_idle(const ses *s);
/* True if some run set the mark of this branch outcome of the site. */
bool ses_marked(const ses *s, uint32_t site, uint32_t side);
void ses_runners_close(ses *s);

/* ---- confirm.c ---- */
/* Replays and reports what is new among the findings of an explored run, and counts its
 * inputs. t may be the
 * executor's: it is copied before anything else is run. */
TD_MUST_USE td_status ses_findings(ses *s, const trc *t, td_diag *diag);
/* Reports that two runs of one job differ: a finding, unless a ledger entry explains it. */
TD_MUST_USE td_status ses_differ(ses *s, const trc *expected, const trc *seen,
                                 td_diag *diag);
/* ---- publish.c ---- */
/* Fills a recording of the run; f NULL: the run passes. */
void ses_recording_fill(ses *s, const det_finding *f, const trc *t,
                        const trc_step_vec *schedule, const trc_promoted_vec *promoted,
                        sto_recording *r);

/* Stores a finding before it is explained, without printing it, in case the session is killed meanwhile.
 * ses_publish stores it again, or ses_forget removes it. */
TD_MUST_USE td_status ses_keep(ses *s, const det_finding *f, const ses_shown *how,
                               td_diag *diag);
TD_MUST_USE td_status ses_forget(ses *s, const det_finding *f, td_diag *diag);

/* ---- run_items.c ---- */
/* Keeps the recording of a run that covers something new. */
TD_MUST_USE td_status ses_keep_run(ses *s, const trc *t, td_diag *diag);
void ses_keep_say(ses *s);

/* ---- diverged.c ---- */
/* Describes where a run with WIRE_DONE_DIVERGED left its schedule: "choice 5: T1 has exited (before it:
 * ...)". */
void ses_diverged_text(const trc *t, trc_sites *sites, td_text *out);

/* ---- known_bugs.c ---- */
/* Replays the bugs of the previous session and prints whether they still fail. */
TD_MUST_USE td_status ses_known_check(ses *s, td_diag *diag);
/* Turns those that still fail, and that the search did not find again, into findings. */
TD_MUST_USE td_status ses_known_publish(ses *s, td_diag *diag);
void ses_known_fini(ses *s);
/* ---- attempt.c ---- */
/* How a finding is replayed, and the outcome. */
typedef struct ses_attempt {
    trc_step_vec schedule;
    trc_chosen_vec inputs;
    trc_promoted_vec promoted;
    uint32_t flags;     /* WIRE_JOB_*, in addition to those of every replay */
    uint32_t no_return; /* rep_finding.no_return */
    /* no_return in choices; equal to all choices if no smaller number is known */
    uint32_t no_return_choices;
    uint32_t n_ways;  /* continuations that were run from there */
    rep_cause cause;  /* cause of the finding */
    bool uses_freed;  /* race with a free: in this run the access comes after it */
    bool always;      /* of an exit status: no run is known that ends differently */
    bool is_shown;    /* a run with this schedule and these inputs failed this way */
    unsigned n_shown; /* replays that failed the same way, up to the first that did not */
    det_finding shown; /* the finding of the last replay */
    trc *last;         /* the last replay, NULL if it was lost */
} ses_attempt;

/* Adds the last lines that the run of the finding wrote (last_output.c). */
void ses_last_output(ses *s, const ses_attempt *a, det_finding *f);
/* Extracts the schedule of the run up to the failure of the finding. */
void ses_schedule(const trc *t, const det_finding *f, trc_step_vec *out);
/* Returns the WIRE_JOB_* for replays of findings of this kind, without those about races. */
uint32_t ses_replay_flags(det_kind kind);
/* Starts from the schedule and inputs of the run that showed the finding first. */
void ses_attempt_init(ses *s, ses_attempt *a, const det_finding *f, const trc *original);
void ses_attempt_fini(ses_attempt *a);
run_request ses_attempt_request(const ses_attempt *a, uint32_t flags);
/* Replays the finding SES_CONFIRMATIONS times, or until a replay differs; sets n_shown, shown and last. */
TD_MUST_USE td_status ses_attempt_replay(ses *s, const det_finding *f, ses_attempt *a,
                                         td_diag *diag);
/* Moves the wanted finding out of the run's findings; false if the run does not have it. */
bool ses_find_same(ses *s, const trc *t, const det_finding *wanted, det_finding *out);
/* True if two replays of this finding may report different places. */
bool ses_is_place_a_guess(const det_finding *a, const det_finding *b);

/* ---- trials.c ---- */
/* Experiments with a finding, within a budget. A run that is lost or hangs ends them, unless is_patient. */
typedef struct ses_trials {
    ses *s;
    uint32_t runs_left,
        reserve;       /* runs_left includes the reserve, which is kept for later */
    uint64_t ops_left; /* operations left for all runs together */
    uint32_t percent;  /* they end after this percentage of the time for the finding */
    bool is_patient;
    td_diag *diag;
    td_status status; /* not TD_OK: the experiments have ended */
} ses_trials;

/* Starts the time in which a finding may be explained. */
void ses_explain_start(ses *s);
/* Returns how long the explanation of a finding may take. */
uint64_t ses_explain_ms(const ses *s);
/* True if no run or time is left, or the session is to end. */
bool ses_trials_over(const ses_trials *x);
/* Makes one run. NULL if it was lost or hangs, or the budget is used up. Valid until the next job. */
trc *ses_trial(ses_trials *x, run_request request);

/* ---- free_first.c ---- */
/* True if the later access of this race is a free. */
bool ses_frees_last(const ses *s, const trc *t, const det_finding *f);
/* For such a race, searches for a run with the access after the free and replays it. On success *a is that
 * run, with uses_freed set. *a must be as ses_attempt_init left it, and may be changed even on failure. */
TD_MUST_USE td_status ses_free_first(ses *s, const det_finding *f, const trc *original,
                                     ses_attempt *a, td_diag *diag);

/* ---- cause_record.c ---- */
/* Puts the known parts of the cause into a recording. cause may be NULL. */
void ses_cause_record(const trc_sites *sites, uint32_t no_return, const rep_cause *cause,
                      sto_recording *r);
/* Returns rep_finding.no_return for a replay; 0 if the recording is of another build. */
uint32_t ses_no_return_recorded(const trc_sites *sites, const trc *t,
                                const sto_recording *r);
/* Reads the cause from the recording; false if the replay is of another build or lacks its events. */
bool ses_cause_recorded(const trc_sites *sites, const trc *t, const sto_recording *r,
                        rep_cause *out);

/* ---- shrink.c ---- */
/* Reduces the attempt: fewer preemptions and context switches, and inputs nearer to the user's values, or to
 * 0. The number of runs depends only on the schedule and the inputs. */
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

/* Returns the part after the last slash. */
const char *ses_base_name(const char *path);
typedef enum ses_promotable {
    SES_PROMOTED, /* by this call */
    SES_ALREADY,  /* its accesses were operations before */
    SES_NEVER     /* it is not one access of at most 8 bytes */
} ses_promotable;
/* Adds all sites that share the source place of this one. */
ses_promotable ses_promote_site(const trc_sites *sites, uint32_t site, uint32_t how,
                                trc_promoted_vec *out);
/* Convert promoted sites to and from recordings. */
void ses_promoted_record(const trc_sites *sites, const trc_promoted_vec *promoted,
                         sto_recording *r);
void ses_promoted_recorded(const trc_sites *sites, const sto_recording *r,
                           trc_promoted_vec *out);
/* Requests that the accesses of a race become operations. */
void ses_promote_race(ses *s, const trc_fail *f);

/* Requests promotion of the plain memory that spin loops of the run poll. */
void ses_promote_loops(ses *s, const trc *t);
/* Requests promotion of the reads of the function in which the run hangs. False if they are promoted
 * already, or if runs end at races. */
bool ses_promote_hang(ses *s, const det_finding *f);
/* Requests promotion of the accesses that the search asks for. */
void ses_promote_asked(ses *s);
/* True if runs continue after a race. */
bool ses_races_go_on(const ses *s);
/* True if a failure that the program would survive may end a run but not the session: the rest of that run
 * is then a gap. */
bool ses_failures_hide(const ses *s);
/* Returns the WIRE_JOB_* of runs with these promotions: races with the promoted accesses are still detected. */
uint32_t ses_race_flags(const trc_promoted_vec *promoted);
/* Adds ledger entries for racing accesses that are not operations. */
void ses_unordered(ses *s);

/* Requests promotion of the site; if it cannot be promoted, records it as unordered. */
void ses_want(ses *s, uint32_t site);

/* ---- search_start.c ---- */
/* Makes an explorer with the rest of the run limit. */
void ses_explorer_start(ses *s);
/* Promotes the wanted sites and restarts the search; nothing may be in flight. False if none are wanted, or
 * no run is left for it. */
bool ses_promote(ses *s);
/* Restarts with another goal, or with the original one, if the search proposes that. False if it does not. */
bool ses_hand_over(ses *s);

/* ---- depth.c ---- */
/* Returns the operation limit of a job; 0 means opts.depth. */
uint32_t ses_depth_of(const ses *s, const xpl_job *job);
/* Returns the thread limit of the next run; 0 means none. */
uint32_t ses_depth_threads(const ses *s);
/* Returns the operation limit of samples beside other searches: some times the longest run that has ended; 0 means
 * opts.depth. */
static inline uint32_t ses_depth_of_sample(const ses *s)
{
    enum { TIMES = 8 };
    uint64_t depth = (uint64_t)TIMES * s->longest_run;
    depth = depth < SES_HORIZON ? SES_HORIZON : depth;
    return depth < s->opts->depth ? (uint32_t)depth : 0;
}
/* Returns the operation limit of the session's own runs; 0 means opts.depth. */
static inline uint32_t ses_depth_own(const ses *s)
{
    uint64_t depth = UINT64_C(4) * s->depth.now + SES_HORIZON;
    if (s->depth.now == 0)
        return s->runs_are_cut ? ses_depth_of_sample(s) : 0;
    return depth < s->opts->depth ? (uint32_t)depth : 0;
}
/* The search was put off as its first run was too long beside others: it begins again. Nothing may be in
 * flight. */
void ses_depth_begin_again(ses *s);
/* Notes whether an explored run exceeded the limit. */
void ses_depth_take(ses *s, const trc *t);
/* Restarts the search with a small limit if a run was too long; false if none was. Nothing may be in flight. */
bool ses_depth_start(ses *s);
/* Call when the search is complete within the limit. If the limit cut anything, doubles it and restarts the
 * search; otherwise returns false. */
bool ses_depth_grow(ses *s);
/* Forgets the limit, because the promoted accesses have changed. */
static inline void ses_depth_reset(ses *s)
{
    td_free(s->depth.gap);
    s->depth = (ses_depth){0};
}

/* ---- memory_full.c ---- */
/* Sets the memory limit and the message for the case that memory is used up. */
void ses_memory_start(ses *s);
/* Saves the remaining work of a search that was ended early, so that a later session can resume it. */
TD_MUST_USE td_status ses_leave(ses *s, td_diag *diag);
void ses_memory_end(ses *s, td_status status, const td_diag *diag);

/* ---- branches.c ---- */
/* Counts the outcomes of all branches of the program. */
uint32_t ses_sides_total(const trc_sites *sites);
/* Adds the branch outcomes that the run took. */
void ses_sides_take(ses *s, const trc *t);
/* Fills in the branches of the result. */
void ses_sides_conclude(ses *s);
/* Stores all branch outcomes; call after ses_sides_conclude. */
TD_MUST_USE td_status ses_sides_keep(ses *s, td_diag *diag);
void ses_branches_fini(ses_branches *b);
/* Fills in the number of interferences that the findings need. */
void ses_fails_conclude(ses *s);
/* Requests promotion of accesses to memory that this run, together with earlier ones, shows to be shared. */
void ses_shared_take(ses *s, const trc *t);
/* Adds ledger entries for shared memory whose accesses cannot be promoted. */
void ses_shared_ledger(ses *s);
void ses_shared_fini(ses_shared *h);

/* ---- sharing.c ---- */
static inline bool ses_is_shared(const ses *s)
{
    return s->sharer && s->opts->sharing->is_shared(s->sharer);
}
/* True if no job may be handed out now. */
static inline bool ses_sharer_holds(const ses *s)
{
    return s->sharer && s->opts->sharing->holds(s->sharer);
}
/* The totals of all workers. */
ses_shared_sum ses_sum(const ses *s);

/* ---- executed_code.c ---- */
/* Call once the sites of the program are known. */
void ses_coverage_start(ses *s);
/* True if the next job is in the sample that is run once more for its marks. */
bool ses_coverage_wants(const ses *s);
/* Repeats the run of a finding for its marks, unless every run sets them. */
TD_MUST_USE td_status ses_coverage_repeat(ses *s, run_request request, td_diag *diag);
/* Handles a finished SES_COVER job. */
void ses_coverage_take(ses *s, const ses_done *d);
/* Fills in the coverage of the result. */
void ses_coverage_conclude(ses *s);

/* ---- events.c ---- */
/* Keeps the new events of a run. */
void ses_events_take(ses *s, const trc *t);
/* Forgets all events, because the search restarts or ends. */
void ses_events_drop(ses *s);

/* ---- fixes.c ---- */
/* Searches for a change with which finding i is gone, and adds the section FIX to its report and its page. */
TD_MUST_USE td_status ses_fix_report(ses *s, size_t i, td_diag *diag);

/* ---- harm.c ---- */
/* A finding that is about to be told: true if the session goes on for a while, as it is a data race. */
bool ses_goes_on_after(ses *s, const det_finding *f, const trc *t);
/* That while is over: sets ses.stop. */
void ses_after_race_check(ses *s);
/* Prints a report. Whatever follows, the process ends with the status of a bug. */
void ses_report_put(ses *s, const char *text);
/* The session ends before the finding that was kept is explained: prints its report as it is. */
void ses_pending_publish(ses *s);
void ses_pending_drop(ses *s);
/* Prints the report of a finding, unless reports wait for the end, or this one does. Returns whether it did. */
bool ses_report_print(ses *s, const char *text, bool is_last);
/* Adds the report of the finding that was added last. Takes the text over. */
void ses_report_add(ses *s, const ses_shown *how, char *text, bool is_printed);
/* Puts the findings into the order of harm and prints the reports that were kept. */
TD_MUST_USE td_status ses_reports_end(ses *s, td_diag *diag);
/* The reports as they are, without memory for anything else. */
void ses_reports_flush(ses *s);
void ses_reports_fini(ses *s);

/* ---- suppress.c ---- */
/* Reads opts.suppressions, if any. */
TD_MUST_USE td_status ses_suppress_open(ses *s, td_diag *diag);
/* Prints the suppressions that matched nothing. */
void ses_suppress_say(ses *s);
/* Adds ledger entries for the suppressed findings. */
void ses_suppress_ledger(ses *s);
void ses_suppress_close(ses *s);

/* ---- shown_inputs.c ---- */
/* Adds the inputs of a run to out, for a job that repeats it. */
void ses_inputs(const trc *t, trc_chosen_vec *out);
void ses_inputs_recorded(const sto_recording *r, trc_chosen_vec *out);
/* Adds the inputs of a run to the recording. */
void ses_inputs_record(const trc *t, sto_recording *r);
/* The arguments that the user gave. */
typedef struct ses_words {
    char *const *argv;
    const run_given *given; /* symbolic arguments */
    const trc_sites *
        sites; /* distinguishes inputs from choices of the library; NULL: all are inputs */
} ses_words;
/* ---- argument_values.c ---- */
/* Adds the program and its arguments. */
void ses_command_text(const ses *s, td_text *out);
/* Returns the text that the user gave for the input of this name, or NULL. */
const char *ses_words_text(const ses_words *w, const char *name);
/* Returns the arguments of the program in a run with these inputs, NULL at the end. */
char **ses_words_args(const ses_words *w, const rep_input_vec *inputs);
/* Finds the value that the user gave for the input of this name; false if there is none. */
bool ses_words_value(const ses_words *w, const char *name, uint64_t *out);
/* ---- shown_inputs.c ---- */
/* True if the input is a choice of the library, such as whether a wait times out. */
bool ses_is_choice(const trc_sites *sites, const trc_input *in);
void ses_shown_inputs_init(ses_shown_inputs *shown, const trc *t, const det_finding *f,
                           const ses_words *words);
/* Returns the arguments of the program in that run, NULL at the end. */
const char *const *ses_shown_inputs_args(const ses_shown_inputs *shown);
rep_inputs ses_shown_inputs_view(const ses_shown_inputs *shown);
/* Returns the decisions of the run; valid until ses_shown_inputs_forget_run. */
rep_decisions ses_shown_inputs_decisions(ses_shown_inputs *shown);
/* Call before the run is freed. */
void ses_shown_inputs_forget_run(ses_shown_inputs *shown);
void ses_shown_inputs_fini(ses_shown_inputs *shown);

/* ---- solver_queries.c ---- */
/* Returns the session's solver, for explorers. */
xpl_solver ses_solver(ses *s);
/* Returns the statistics of the solver. */
rep_solver ses_solver_view(const ses *s);
void ses_solver_free(ses *s);

/* ---- verdict.c ---- */
/* Fills the result; bounds that were reached become ledger entries. */
void ses_conclude(ses *s);

/* ---- save_result.c ---- */
/* Writes the whole result into the database of the session. */
TD_MUST_USE td_status ses_store_result(ses *s, const rep_result *r, td_diag *diag);

/* ---- same_run.c ---- */
/* True if both runs have the same operations and failures; notes may differ. */
bool ses_trc_same(const trc *a, const trc *b);

/* ---- measure.c ---- */
/* True if the events, or traces, of runs are counted. A search that samples counts them on request only. */
bool ses_counts_events(const ses *s);
bool ses_counts_traces(const ses *s);
/* Traces that this process ran; of a search that runs each trace once, those of the current item. */
uint64_t ses_n_traces(const ses *s);
/* Reads the number of events and the digest from the search or from the census. */
void ses_counts(const ses *s, xpl_counts *out);
/* Returns what the search chose and why; NULL if nothing was chosen yet. */
const char *ses_chosen(const ses *s);
/* Describes in a clause what a complete search has covered. */
const char *ses_covers(const ses *s);
/* Returns the counters, without the rate, and records the search's estimate. */
ses_now ses_measure(ses *s);
/* ses_sample stores a sample of the counters; ses_sample_tick does when one is due. */
TD_MUST_USE td_status ses_sample(ses *s, td_diag *diag);
void ses_sample_tick(ses *s);

/* ---- resumed.c ---- */
/* ses_saved_keep stores the state of the search, if it can be stored; ses_saved_tick does when it is due. */
void ses_saved_keep(ses *s);
void ses_saved_tick(ses *s);
/* Loads the stored state of the previous session into the search, or prints why it cannot. */
void ses_saved_resume(ses *s);

/* ---- progress.c ---- */
void ses_progress_start(ses *s);
/* Prints the progress line, or updates the screen, when it is due. */
void ses_progress_tick(ses *s);

/* ---- session_valid.c ---- */
/* Checks the invariants of jobs, findings and sites; why may be NULL. */
bool ses_valid(const ses *s, char *why, size_t size);
