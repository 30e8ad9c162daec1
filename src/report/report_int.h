/* SPDX-License-Identifier: Apache-2.0 */
/* report/report_int.h - what the files of report/ share.
 *
 * A finding becomes text in these steps, each its own file:
 *
 *   trc --story.c--> acts in order of time, who wrote what is read, why a thread stopped
 *       --label.c--> one name per object, values as people write them
 *       --slice.c--> which acts matter, grouped into steps
 *       --table.c--> rows
 *       --finding.c--> the page
 *
 * Words       act: an operation or a plain access.  step: acts of one thread at one
 *             source line, without a shown act of another thread between them.
 * Invariants  (A1) acts are in the order in which they happened;
 *             (A2) act.from is a smaller index than the act's own, or REP_NONE.
 */
#pragma once

#include "report/report.h"

#define REP_NONE UINT32_MAX
#define REP_MAX_LINES 45u

/* ---- lookups: the site tables, or what a test puts in their place ---- */

typedef struct rep_names {
    void *ctx;
    trc_site (*site)(void *ctx, uint32_t number);
    trc_site (*function)(void *ctx, uint64_t address);
    const char *(*object)(void *ctx, uint64_t address);
    const char *(*source)(void *ctx, const char *file, uint32_t line);
} rep_names;

/* Those of trace/sites.h. */
rep_names rep_names_of(trc_sites *sites);

/* rep_finding_text with other lookups; f->sites is not used. */
void rep_finding_print(const rep_finding *f, const rep_names *names, const rep_opts *opts,
                       td_text *out);

/* ---- lookup.c: from a number to an index ---- */

typedef struct rep_map {
    uint64_t *keys;
    uint32_t *values; /* + 1; 0 marks a free slot */
    size_t len, cap;
} rep_map;

/* The value of key, REP_NONE if there is none. */
uint32_t rep_map_get(const rep_map *m, uint64_t key);
void rep_map_put(rep_map *m, uint64_t key, uint32_t value);
void rep_map_fini(rep_map *m);

/* ---- story.c ---- */

/* Kinds beside those of WIRE_OPS, WIRE_NOTE_READ and WIRE_NOTE_WRITE. */
enum {
    REP_WAITS = 200, /* for ever, at a deadlock; wants tells what for */
    REP_FREES        /* a block */
};

typedef struct rep_act {
    uint8_t kind, size, order;
    uint8_t wants;  /* REP_WAITS: enum wire_kind */
    bool no_value;  /* the access that fails: its value is not known */
    bool contended; /* LOCK: it had to wait */
    bool set_up;    /* before the first other thread */
    uint32_t thread, site;
    uint32_t op;    /* operations before it */
    uint32_t from;  /* last act of writing what is read */
    uint32_t next;  /* of the same thread, REP_NONE */
    uint32_t other; /* REP_WAITS: holder, or thread joined */
    uint32_t call;  /* OP_BEGIN, OP_END: of the finding's calls, REP_NONE */
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
    REP_STOPPED /* it could not go on, and the run ended before it told why */
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

TD_VEC(rep_act, rep_act_vec);
TD_VEC(rep_lock, rep_lock_vec);
TD_VEC(rep_word, rep_word_vec);

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
    uint32_t n_ops;     /* looked at: those before the failure */
    uint32_t preemptions;
    uint32_t race[2];   /* race: the earlier and the later access */
    uint32_t memory[2]; /* memory error: who freed the block; the access; REP_NONE */
} rep_story;

void rep_story_init(rep_story *s, const rep_finding *f, const rep_names *names);
void rep_story_fini(rep_story *s);

bool rep_act_reads(const rep_act *a);
bool rep_act_writes(const rep_act *a);
/* A mark of an operation of a structure. */
bool rep_act_is_mark(const rep_act *a);
/* One of lock, unlock, trylock, init, destroy. */
bool rep_act_on_mutex(const rep_act *a);
/* On what is no memory: a mutex, a condition variable... */
bool rep_act_on_object(const rep_act *a);
bool rep_act_on_futex(const rep_act *a);
/* A thread that waits for ever, and nobody can be named for whom. */
bool rep_act_waits_for_anybody(const rep_act *a);
trc_site rep_act_site(const rep_story *s, const rep_act *a);

/* The locks a thread holds just before an act (acts.len: at the end); out is appended. */
void rep_story_holds(const rep_story *s, uint32_t thread, uint32_t before_act,
                     rep_lock_vec *out);

/* What a thread does next after an operation, or waits for at the end; false: nothing. Of
 * a wait, value is the thread joined. */
bool rep_story_next(const rep_story *s, uint32_t thread, uint32_t op, rep_act *out);

/* Calls f for every word an access touches, with the mask of its bytes. */
void rep_story_touch(rep_story *s, const rep_act *a,
                     void (*f)(rep_word *w, uint8_t mask, void *ctx), void *ctx);

/* ---- label.c ---- */

typedef struct rep_label {
    uint64_t object;
    char *text;
    uint32_t twin; /* 1.. among objects of that name, 0: it is alone */
} rep_label;

TD_VEC(rep_label, rep_label_vec);
TD_VEC(uint64_t, rep_u64_vec);
TD_VEC(const char *, rep_name_vec);

typedef struct rep_labels {
    const rep_names *names;
    const trc *run;
    rep_map by_object;
    rep_label_vec at;
    rep_name_vec functions; /* per thread: its start routine */
    rep_map handles;        /* from a pthread_t to its thread */
    rep_u64_vec pointers;   /* P1, P2, ... by first appearance */
    bool twins;             /* some name printed has a twin */
} rep_labels;

void rep_labels_init(rep_labels *l, const rep_story *s);
void rep_labels_fini(rep_labels *l);
void rep_print_object(rep_labels *l, uint64_t object, td_text *out);
void rep_print_value(rep_labels *l, const trc_site *site, unsigned size, uint64_t value,
                     td_text *out);
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
    const char *file, *function;
    uint32_t line;
    uint32_t first, n; /* in rep_slice.shown */
    bool fails;
} rep_step;

TD_VEC(rep_step, rep_step_vec);

/* How much to leave out. */
typedef enum rep_level { REP_ALL, REP_WIDE, REP_NARROW, REP_N_LEVELS } rep_level;

typedef struct rep_slice {
    trc_u32_vec shown; /* acts */
    rep_step_vec steps;
    uint32_t n_all; /* steps there would be if everything were shown */
} rep_slice;

/* Also sets act.step. */
void rep_slice_init(rep_slice *c, rep_story *s, rep_level level);
void rep_slice_fini(rep_slice *c);

/* ---- table.c ---- */

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
    uint32_t width;          /* of a thread's column; 0: all threads in one */
    bool main_apart;         /* main only opens or ends the scene */
    trc_u32_vec threads;     /* with a column, by number */
    trc_u32_vec all_threads; /* that appear at all */
    rep_row_vec rows;
    uint32_t n_preemptions_shown;
} rep_table;

void rep_table_init(rep_table *t, rep_story *s, rep_labels *l, const rep_slice *c,
                    uint32_t columns);
void rep_table_fini(rep_table *t);
/* Leaves steps out so that at most max rows stay; keys are steps to keep if possible.
 * Returns how many steps went. */
uint32_t rep_table_cut(rep_table *t, uint32_t max, const uint32_t *keys, size_t n_keys);

/* ---- inputs.c ---- */

/* The section about inputs; nothing if there are none. */
void rep_add_inputs(rep_row_vec *rows, const rep_inputs *in, uint32_t columns, bool full);
/* Its value in C. */
void rep_print_input(const rep_input *in, td_text *out);

/* ---- history.c ---- */

/* The sections about a history; nothing if the finding has none. */
void rep_add_history(rep_row_vec *rows, const det_finding *f, uint32_t columns,
                     bool full);
void rep_add_history_why(rep_row_vec *rows, const det_finding *f, uint32_t columns);

/* ---- lines.c: lines that keep to the width ---- */

/* Only printable ASCII goes through; anything else becomes '?', a tab a blank. */
void rep_put_clean(td_text *out, const char *text);
/* Cut with "..." if it is longer than width; "..." stands on the left with REP_CUT_LEFT.
 */
enum rep_cut { REP_CUT_RIGHT, REP_CUT_LEFT };
void rep_put_cut(td_text *out, const char *text, size_t width, enum rep_cut side);
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
/* 1234567 as 1,234,567. */
void rep_print_count(uint64_t n, td_text *out);
