/* SPDX-License-Identifier: Apache-2.0 */
/* report/text/report_int.h - what the files of report/ share.
 *
 * A finding becomes text in these steps, each its own file:
 *
 *   trc --story.c--> acts in order of time, who wrote what is read, why a thread stopped
 *       --calls.c--> where each act stands: calls from the thread's own function inwards
 *       --label.c--> one name per object, values as people write them
 *       --slice.c--> which acts matter    --steps.c--> grouped into steps
 *       --act.c, columns.c, cut.c--> rows
 *       --why.c, who.c, hidden.c--> what is said round the table
 *       --finding.c--> the page
 *
 * Words       act: an operation or a plain access.  step: acts of one thread at one
 *             statement, calls from it included, without a shown act of another thread
 *             between them.  place: a line of a function.
 * Invariants  (A1) acts are in the order in which they happened;
 *             (A2) act.from is a smaller index than the act's own, or REP_NONE.
 */
#pragma once

#include "base/assert.h"
#include "base/map.h"
#include "report/text/lines.h"
#include "report/page.h"
#include "report/report.h"

#define REP_NONE UINT32_MAX
#define REP_MAX_LINES 45u

/* How much to leave out. */
typedef enum rep_level {
    REP_LINES, /* nothing, and every line is a step of its own */
    REP_ALL,
    REP_WIDEST, /* for stories that are short all the same */
    REP_WIDE,
    REP_MIDDLE,
    REP_NARROW,
    REP_N_LEVELS
} rep_level;

/* ---- lookups: the site tables, or what a test puts in their place ---- */

typedef struct rep_names {
    void *ctx;
    trc_site (*site)(void *ctx, uint32_t number);
    trc_site (*function)(void *ctx, uint64_t address);
    const char *(*object)(void *ctx, uint64_t address);
    /* Returns a line of a file unchanged; NULL if it cannot be read. */
    const char *(*source)(void *ctx, const char *file, uint32_t line);
    /* trc_calls_at; NULL: nothing is known of calls. */
    size_t (*calls)(void *ctx, uint64_t return_address, trc_site *out, size_t max);
    /* trc_object_part; NULL: nothing is known of members. */
    bool (*part)(void *ctx, uint64_t address, trc_part *out);
    /* trc_local_at; NULL: nothing is known of stacks. */
    const char *(*local)(void *ctx, uint64_t return_address, uint64_t frame,
                         uint64_t address);
} rep_names;

/* ---- condition.c ---- */
/* Whether the line branches on the name itself: "while (!stop)", "if (p->done && n > 0)"; or sets it to a
 * constant. */
bool rep_is_tested(const char *line, const char *name);
bool rep_is_set(const char *line, const char *name);

/* Those of trace/site_table.h. */
rep_names rep_names_of(trc_sites *sites);

TD_VEC(uint64_t, rep_u64_vec);

/* rep_finding_text with other lookups; f->sites is not used. Returns how much was left out. pointers, unless NULL,
 * becomes the addresses that it calls P1, P2, ... */
rep_level rep_finding_print(const rep_finding *f, const rep_names *names,
                            const rep_opts *opts, rep_u64_vec *pointers, td_text *out);

/* A finding without NULLs; it does not move. */
typedef struct rep_whole {
    rep_finding f;
    det_finding finding;
    det_side sides[2]; /* sides of a race */
    char unknown[2];
} rep_whole;

void rep_whole_init(rep_whole *w, const rep_finding *f);
/* rep_page_make with other lookups. */
void rep_page_make_named(const rep_finding *f, const rep_names *names,
                         const rep_page_about *about, rep_page *out);

/* ---- from a number to an index ---- */

TD_MAP(uint64_t, uint32_t, rep_map, td_hash_number, td_same_number);

/* Returns the value of key, or REP_NONE. */
static inline uint32_t rep_map_get(const rep_map *m, uint64_t key)
{
    const uint32_t *value = rep_map_find(m, key);
    return value != NULL ? *value : REP_NONE;
}

static inline void rep_map_put(rep_map *m, uint64_t key, uint32_t value)
{
    TD_ASSERT(value != REP_NONE);
    *rep_map_at(m, key) = value;
}

/* ---- story.c ---- */

/* Kinds beside those of wire/ops.def, WIRE_NOTE_READ and WIRE_NOTE_WRITE. */
enum {
    REP_WAITS = 200, /* waits forever, at a deadlock; wants has the object */
    REP_FREES        /* a block */
};

typedef struct rep_act {
    uint8_t kind, size, order;
    uint8_t wants;  /* REP_WAITS: enum wire_kind */
    bool no_value;  /* the access that fails: its value is not known */
    bool contended; /* LOCK: it had to wait */
    bool set_up;    /* before the first other thread */
    uint32_t thread, site;
    uint32_t op;   /* operations before it */
    uint32_t when; /* operations and plain accesses up to it; 0: it was not made */
    uint32_t from; /* last act of writing what is read */
    /* A later one, which it does not see under its memory model; REP_NONE. */
    uint32_t missed;
    uint32_t next;  /* next act of the same thread, or REP_NONE */
    uint32_t other; /* REP_WAITS: holder, or thread joined */
    uint32_t call;  /* OP_BEGIN, OP_END: of the finding's calls, REP_NONE */
    uint32_t stack; /* in trc.stacks; 0: not known */
    uint32_t path;  /* in story.paths */
    uint32_t step;  /* number of the step that shows it, 0: hidden */
    uint64_t object, value, old;
} rep_act;

/* Why the thread of an operation was not the one of the next operation. */
typedef enum rep_stop {
    REP_GOES_ON, /* it was */
    REP_PREEMPTED,
    REP_ENDED,
    REP_WAITS_LOCK,
    REP_WAITS_JOIN,
    /* It could not continue, and the run ended before the reason was recorded. */
    REP_STOPPED
} rep_stop;

/* A mutex that is held. */
typedef struct rep_lock {
    uint64_t object;
    uint32_t owner, depth; /* depth 0: free */
    uint32_t act;          /* that took it */
} rep_lock;

/* Eight bytes of memory; bit i of a mask is byte i. */
typedef struct rep_word {
    uint32_t writer[8];  /* act that wrote the byte last, REP_NONE */
    uint32_t toucher[8]; /* first thread that accessed it */
    uint8_t touched;
    uint8_t many;    /* accessed by several threads */
    uint8_t written; /* after the first thread was created */
    uint8_t wanted;  /* the slice follows it */
} rep_word;

/* A line of a function. */
typedef struct rep_place {
    const char *file, *function;
    uint32_t line;
    const char *symbol; /* linker symbol of the function, or NULL */
} rep_place;

/* The calls that lead to an act: n places from first on in story.places, from the thread's own function
 * inwards; the last one is the act's own. For an act inside the C++ library that is the user's line that
 * calls it. */
typedef struct rep_path {
    uint32_t first, n; /* n >= 1 */
    const char *
        library; /* function that the user's line calls; NULL: the act is in the user's code */
    rep_place inside; /* the line in the library's header */
} rep_path;

TD_VEC(rep_place, rep_place_vec);
TD_VEC(rep_path, rep_path_vec);
TD_VEC(char *, rep_text_vec);
TD_VEC(rep_act, rep_act_vec);
TD_VEC(rep_lock, rep_lock_vec);
TD_VEC(rep_word, rep_word_vec);

/* Acts of a cause that is an order: the thread of the second one had accessed the same memory before. */
enum {
    REP_CAUSE_BEFORE,
    REP_CAUSE_FIRST,
    REP_CAUSE_SECOND,
    REP_CAUSE_EARLIER_BEFORE, /* the same of the other order */
    REP_CAUSE_EARLIER_FIRST,
    REP_CAUSE_EARLIER_SECOND,
    REP_CAUSE_ACTS
};

typedef struct rep_story {
    const rep_finding *f;
    const rep_names *names;
    const trc *run;
    const trc_fail *fail; /* NULL: none */
    rep_act_vec acts;
    trc_u32_vec stops; /* enum rep_stop per operation */
    rep_map words_by_address;
    rep_word_vec words;
    rep_lock_vec locks; /* at the end of the run */
    rep_place_vec places;
    rep_path_vec paths;
    rep_text_vec kept;       /* texts that places have */
    rep_map path_by_stack;   /* from stack << 32 | site */
    rep_map call_by_address; /* from a return address to paths, and 1; 0: none */
    rep_map said_by_name;    /* from the address of a name or symbol to kept */
    uint32_t fail_path;      /* path of the failure, index in paths */
    uint32_t n_ops;          /* looked at: those before the failure */
    uint32_t preemptions;
    uint32_t race[2]; /* race: the earlier and the later access */
    /* Memory error: the act that freed the block, the access; or REP_NONE. */
    uint32_t memory[2];
    uint32_t cause[REP_CAUSE_ACTS]; /* acts of the cause, REP_NONE */
} rep_story;

void rep_story_init(rep_story *s, const rep_finding *f, const rep_names *names);
void rep_story_fini(rep_story *s);
/* False: names the broken invariant; why may be NULL. */
bool rep_story_valid(const rep_story *s, char *why, size_t size);

bool rep_act_reads(const rep_act *a);
bool rep_act_writes(const rep_act *a);
/* It only reads, and is not an exchange that failed. */
bool rep_act_loads(const rep_act *a);
/* False for the first write of a local variable: the value before is meaningless. */
bool rep_act_had_value(const rep_story *s, const rep_act *a);
/* A mark of an operation of a structure. */
bool rep_act_is_mark(const rep_act *a);
/* One of lock, unlock, trylock, init, destroy. */
bool rep_act_on_mutex(const rep_act *a);
/* On what is not memory: a mutex, a condition variable... */
bool rep_act_on_object(const rep_act *a);
/* On a thread: its handle is an address that has no name. */
bool rep_act_on_handle(const rep_act *a);
bool rep_act_on_futex(const rep_act *a);
/* True for a thread that waits forever, but not for a particular thread. */
bool rep_act_waits_for_anybody(const rep_act *a);
trc_site rep_act_site(const rep_story *s, const rep_act *a);
/* Operations that are done once the act is. */
uint32_t rep_act_ops_done(const rep_act *a);

/* The locks a thread holds just before an act (acts.len: at the end); out is appended. */
void rep_story_holds(const rep_story *s, uint32_t thread, uint32_t before_act,
                     rep_lock_vec *out);

/* What a thread does next after an operation, or waits for at the end; false: nothing. Of
 * a wait, value is the thread joined. */
bool rep_story_next(const rep_story *s, uint32_t thread, uint32_t op, rep_act *out);

/* Calls f for every word an access touches, with the mask of its bytes. */
void rep_story_touch(rep_story *s, const rep_act *a,
                     void (*f)(rep_word *w, uint8_t mask, void *ctx), void *ctx);

/* ---- places.c ---- */

/* The place at a depth; of a shorter path the last one. */
const rep_place *rep_path_place(const rep_story *s, uint32_t path, uint32_t depth);
const rep_place *rep_path_own(const rep_story *s, uint32_t path);
bool rep_place_equal(const rep_place *a, const rep_place *b);
/* Keeps the text as long as the story; an empty one becomes "". */
const char *rep_keep(rep_story *s, td_text *text);
/* How much of the name of an object is the user's: "all" of "all._M_impl", "all.__size_" and "all+8". */
size_t rep_users_name(const char *name);
/* The name has a word that only the C++ library may use. */
bool rep_is_inner_name(const char *name);

/* ---- calls.c ---- */

/* Sets act.path of all acts, and fail_path. */
void rep_find_paths(rep_story *s);
/* Returns the path of acts with this stack and site; REP_NONE: there are none. */
uint32_t rep_known_path(const rep_story *s, uint32_t stack, uint32_t site);
/* Prints " called at bank.c:27 in teller, main.c:3 in main": the calls that lead there; nothing if there are
 * none. For an act inside the C++ library ", inside std::vector<int>::push_back" comes first. */
void rep_print_calls(const rep_story *s, uint32_t path, td_text *out);
/* Returns where a thread was created, in the first function of its creator. */
rep_place rep_created_place(const rep_story *s, uint32_t thread);

/* ---- users_place.c ---- */

/* Once paths are known: the places of the finding become lines of the user's code where they are in the library. */
void rep_whole_settle(rep_whole *w, rep_story *s);

/* ---- label.c ---- */

typedef struct rep_label {
    uint64_t object;
    char *text;
    uint32_t twin; /* 1.. among objects of that name, 0: it is alone */
    bool is_part;  /* named as what it is a part of */
} rep_label;

TD_VEC(rep_label, rep_label_vec);
TD_VEC(const char *, rep_name_vec);

typedef struct rep_labels {
    const rep_names *names;
    const trc *run;
    const char *const *args; /* arguments of the program, or NULL */
    rep_map by_object;
    rep_label_vec at;
    rep_name_vec functions; /* per thread: its start routine */
    rep_map handles;        /* from a pthread_t to its thread */
    rep_u64_vec pointers;   /* P1, P2, ... by first appearance */
    bool twins;             /* some printed name belongs to several objects */
} rep_labels;

void rep_labels_init(rep_labels *l, const rep_story *s);
void rep_labels_fini(rep_labels *l);
void rep_print_object(rep_labels *l, uint64_t object, td_text *out);
/* The variable on a stack that has an address, by the last stack of its thread that was told before an act; "" if
 * none is known. */
const char *rep_local_name(const rep_story *s, uint32_t act, uint64_t address);
void rep_print_value(rep_labels *l, const trc_site *site, unsigned size, uint64_t value,
                     td_text *out);
/* The same for what an act reads or writes: of an access to several members at once a value for each. */
void rep_print_act_value(rep_labels *l, const trc_site *site, const rep_act *a,
                         uint64_t value, td_text *out);
/* Its object, and the further members: "at.first, .second". */
void rep_print_act_object(rep_labels *l, const rep_act *a, td_text *out);
/* "main", "T1". */
void rep_print_thread(uint32_t thread, td_text *out);
/* "T1 teller(2)". */
void rep_print_thread_long(rep_labels *l, uint32_t thread, td_text *out);
/* Name of its start routine, "main" of the first, "?" if unknown. */
const char *rep_thread_function(const rep_labels *l, uint32_t thread);
const char *rep_base_name(const char *path);
/* "bank.c:27". */
void rep_print_place(const trc_site *site, td_text *out);

/* ---- slice.c ---- */

typedef struct rep_step {
    uint32_t thread;
    rep_place at;      /* the statement */
    uint32_t first, n; /* in rep_slice.shown */
    bool fails;
} rep_step;

TD_VEC(rep_step, rep_step_vec);

/* How far all paths of shown acts that start in a function are the same. */
typedef struct rep_trunk {
    const char *function;
    uint32_t path; /* one of them */
    uint32_t n;    /* places at its start that all have */
} rep_trunk;

TD_VEC(rep_trunk, rep_trunk_vec);

typedef struct rep_slice {
    trc_u32_vec shown; /* acts */
    rep_step_vec steps;
    rep_trunk_vec trunks;
    uint32_t n_all;     /* steps there would be if everything were shown */
    uint32_t no_return; /* act from which on every schedule fails, REP_NONE */
} rep_slice;

/* Also sets act.step. */
void rep_slice_init(rep_slice *c, rep_story *s, rep_level level);
void rep_slice_fini(rep_slice *c);

/* ---- steps.c ---- */

/* Groups what is shown into steps, the failing statement last; sets act.step. */
void rep_steps_make(rep_slice *c, rep_story *s, rep_level level);
/* The statement that a path belongs to, as the steps show it. */
const rep_place *rep_statement(const rep_slice *c, const rep_story *s, uint32_t path);

/* ---- columns.c ---- */

typedef enum rep_tone {
    REP_PLAIN,
    REP_TITLE,
    REP_ERROR,
    REP_SWITCH, /* a preemption */
    REP_FAINT,  /* another switch, counts */
    REP_SOURCE, /* text of a statement */
} rep_tone;

typedef struct rep_row {
    char *text;
    rep_tone tone;
    uint32_t step; /* index in steps it belongs to */
} rep_row;

TD_VEC(rep_row, rep_row_vec);

typedef struct rep_table {
    rep_story *story;
    rep_labels *labels;
    const rep_slice *slice;
    uint32_t columns;        /* width of the page */
    uint32_t margin;         /* columns for the numbers of the steps */
    uint32_t width;          /* width of a thread's column; 0: all threads in one */
    bool main_apart;         /* main only opens or ends the scene */
    trc_u32_vec threads;     /* with a column, by number */
    trc_u32_vec all_threads; /* that appear at all */
    rep_row_vec rows;
    uint32_t n_preemptions_shown;
} rep_table;

void rep_table_init(rep_table *t, rep_story *s, rep_labels *l, const rep_slice *c,
                    uint32_t columns);
void rep_table_fini(rep_table *t);
/* The operation after which the thread of an act made place for another, REP_NONE. */
uint32_t rep_leaving_op(const rep_story *s, const rep_act *a);

/* ---- act.c ---- */

/* Prints the act at an index of slice.shown for the table: "balance = 29 (was 100)". Uses only story, labels
 * and slice of the table. */
void rep_print_act(rep_table *t, uint32_t i, td_text *out);
/* Where a value came from, if another thread wrote it: "  <== #3 T2". */
void rep_print_from(const rep_table *t, const rep_act *a, td_text *out);
/* " (T1 had seen 100 at #1)", if that is another value. */
void rep_print_seen(rep_table *t, uint32_t i, td_text *out);

/* ---- cut.c ---- */

#define REP_HEADING_ROWS 2u
/* Leaves steps out so that at most max rows stay; keys are steps to keep if possible.
 * Returns how many steps went. */
uint32_t rep_table_cut(rep_table *t, uint32_t max, const uint32_t *keys, size_t n_keys);

/* ---- what is said round the table, as texts. A tab is a blank at which no line is to be broken;
 * rep_put_clean makes it one. ---- */

typedef struct rep_scene {
    const rep_finding *f;
    const det_finding *finding; /* without NULL texts */
    rep_story *story;
    rep_labels *labels;
    const rep_slice *slice;
} rep_scene;

/* "balance = -1, limit = 3": what the failing statement read; nothing if that is not known. */
void rep_print_values(const rep_scene *c, td_text *out);

/* why.c: prints what led to the failure; nothing if that is unknown. */
void rep_print_why(const rep_scene *c, td_text *out);
/* allowed.c: prints which memory model allows the run; nothing for a run without a model. */
void rep_print_memory(const rep_scene *c, td_text *out);
/* cause_text.c: fills story.cause. */
void rep_find_cause(rep_story *s);
/* Prints the cause; false: none is known. */
bool rep_print_cause(const rep_scene *c, td_text *out);
/* Steps of its acts, indices in slice.steps; returns how many. */
#define REP_WHY_STEPS 6u
size_t rep_why_steps(const rep_scene *c, uint32_t out[REP_WHY_STEPS]);

/* last_read.c: what a thread read, before it waits forever, of memory that other threads write: acts, the latest first;
 * returns how many. */
#define REP_LAST_READS 2u
size_t rep_last_reads(const rep_scene *c, const rep_act *wait,
                      uint32_t out[REP_LAST_READS]);
/* "read stop -> false at pool.cpp:20 (#1) before main wrote true at pool.cpp:31" */
void rep_print_last_read(const rep_scene *c, uint32_t read, td_text *out);

/* hidden.c: "12 lock/unlock of 'm', 6 create/join/exit": acts in no step; "" if there are none. */
void rep_print_hidden(const rep_scene *c, td_text *out);

/* who.c: one access of a race, a thread that allocated or freed a block, a waiting thread. */
typedef struct rep_party {
    const char *role; /* "write", "read", "allocated", "freed", "waits" */
    uint32_t thread;
    const char *file, *function; /* never NULL */
    uint32_t line;
    /* "writes ring.tail (4 bytes) at ring.c:2 in producer; holds nothing". */
    td_text text;
} rep_party;

TD_VEC(rep_party, rep_party_vec);

/* True if a thread still holds at the end what it took by this act, as a reader. */
bool rep_still_reads(const rep_story *s, uint32_t act);
/* Adds the parties to out, in the order of the report. */
void rep_parties(const rep_scene *c, rep_party_vec *out);
void rep_parties_fini(rep_party_vec *v);

/* An arrow of the wait-for graph. */
typedef struct rep_edge {
    const char *role; /* "holds", "wants", "joins"; "last": could have ended the wait */
    uint32_t thread;
    uint32_t other;  /* the thread that is joined, REP_NONE */
    uint64_t object; /* object of the other roles */
    const char *how; /* "reader", "writer"; what was done last: "signal"; "" */
    trc_site at;
} rep_edge;

TD_VEC(rep_edge, rep_edge_vec);

/* Adds the edges of a deadlock to out, by thread. */
void rep_edges(const rep_scene *c, rep_edge_vec *out);

/* ---- input_values.c ---- */

/* Adds the section about inputs, if there are any. */
void rep_add_inputs(rep_row_vec *rows, const rep_inputs *in, uint32_t columns, bool full);
/* Its value in C. */
void rep_print_input(const rep_input *in, td_text *out);
/* True if the user gave another value. */
bool rep_input_differs(const rep_input *in);

/* ---- operation_history.c ---- */

/* Add the sections about a history, if the finding has one. */
void rep_add_history(rep_row_vec *rows, const det_finding *f, uint32_t columns,
                     bool full);
void rep_add_history_why(rep_row_vec *rows, const det_finding *f, uint32_t columns);

/* ---- lines.c: lines that keep to the width ---- */

void rep_pad_to(td_text *out, size_t column, char with);
/* What lines start with: the first one, and those that follow. */
typedef struct rep_lead {
    const char *first;
    const char *rest; /* NULL: blanks, as many as first has characters */
} rep_lead;
/* Text broken at blanks. */
void rep_wrap(rep_row_vec *rows, rep_tone tone, rep_lead lead, const char *text,
              uint32_t columns);
void rep_rows_push(rep_row_vec *rows, rep_tone tone, const char *text);
void rep_rows_fini(rep_row_vec *rows);
void rep_rows_print(const rep_row_vec *rows, bool colour, td_text *out);
