/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/posix.h - functions of the system, as the rest of the runtime knows them. What calls of
 * the threads library have in common is in sync.h, descriptors in fd.h. */
#pragma once

#include "runtime/core/above.h"
#include "runtime/core/core.h"
#include "wire/api.h"

/* ---- objects of the threads library (sync.c) ---- */

/* Carries out the pending operation of t. */
uint8_t rt_grant_sync(rt_thread *t, uint64_t *value);

/* ---- signals (signal.c) ---- */

/* Carries out KILL, SIGNAL_TEST, SIGNAL_WAIT, SIGNAL_WAKE. */
uint8_t rt_grant_signal(rt_thread *t, uint64_t *value);
/* One that the thread waits for is there. */
bool rt_signal_woken(const rt_thread *t);
/* A handler was set, or a timer: timers_handled, and a gap if it is not empty. */
void rt_signal_timers(void);
/* A run ends: actions that the kernel keeps are what they were. */
void rt_actions_undo(void);
void rt_signal_tell(const rt_object *o); /* NOTE_WOKEN */
/* What handlers do to a wait that they run in. */
enum rt_interruption { RT_UNDISTURBED, RT_HANDLED /* it continues */, RT_INTERRUPTED };
/* Handlers of signals that came run now. */
enum rt_interruption rt_signal_point(uint32_t site);
/* Self blocks these signals, given as sigset_t or NULL: the same, during a call that waits. What it blocked is
 * returned, for rt_signal_blocked when the call is over. */
uint64_t rt_signal_blocks(const void *set);
void rt_signal_blocked(uint64_t before);

/* Self is about to wait for its pending operation. */
void rt_signal_before(rt_thread *self);

/* ---- descriptors (fd.c, descriptors.c) ---- */

void rt_fd_prepare(void); /* before the process has threads */
void rt_fd_reset(void);
rt_end_call rt_fd_end; /* the run ends: releases the numbers */
/* The pending call of t is carried out as far as it goes. */
uint8_t rt_fd_grant(rt_thread *t, uint64_t *value);
/* What the pending call of t waits for is there. */
bool rt_fd_ready(const rt_thread *t);
void rt_fd_tell(const rt_object *o); /* NOTE_WOKEN */
int rt_lowest_free_fd(void);
rt_end_call rt_descriptors_end;

/* ---- files and mappings of the run (overlay.h, mapping.c) ---- */

void rt_overlay_prepare(void); /* before the process has threads */
/* At the end of a run: true if descriptors and the like are what they were. */
bool rt_overlay_undo(void);
/* What is done to this descriptor is undone with the run. */
bool rt_overlay_has(int fd);
/* The runtime carries out a call of a function that is passed on; false: it cannot be undone. */
bool rt_overlay_takes(const char *name, uint64_t first, uint32_t site);
/* Descriptors were closed or copied, and it is undone. */
void rt_overlay_moves(void);
/* ---- user and groups (groups.c) ---- */

void rt_identity_prepare(void);
/* What the function does, with that first argument, is undone with the run, or is nothing. */
bool rt_identity_takes(const char *name, uint64_t first);
/* At the end of a run: true if it is what it was. */
bool rt_identity_undo(void);

void rt_mappings_reset(void); /* a run starts */
void rt_mappings_undo(void);  /* at the end of a run */

/* ---- time (time.c) ---- */

/* Records that self reads the time, which is stored to out unless that is NULL. */
uint64_t rt_time_asked(const void *out, uint32_t site);

/* ---- threads (thread.c) ---- */

/* Calls what is to be called at the end of self, and ends it. */
_Noreturn void rt_thread_leave(void *value);
_Noreturn void rt_thread_end(void *value);
void rt_thread_entry(void);

/* ---- arguments and standard input as inputs (argv_inputs.c) ---- */

/* Arguments that are inputs: room for them from at on, where that ends; their values. */
uint64_t rt_given_prepare(uint64_t at);
void rt_given_start(void);
/* The digits of numbers whose text lies in there get labels; their number is decided. */
void rt_given_spell(uint64_t p, uint64_t size);
/* Standard input, which is symbolic, is opened or read by other means (argv_inputs.c): a ledger line. */
void rt_stdin_opened(const char *function, uint64_t path, uint32_t site);
void rt_stdin_passed(int fd, const char *function, uint32_t site);

/* ---- calls that are refused or leave traces (refused.c) ---- */

/* A function is called that a snapshot does not undo; first: its first argument. */
RT_HIDDEN void rt_thunk_tainting(const char *name, uint64_t first);
#define RT_PROCESS_ID 4242

/* ---- the end of the process (exit.c) ---- */

enum rt_exit_how { RT_EXIT_AT_ONCE, RT_EXIT_QUICKLY, RT_EXIT_IN_ORDER };
/* Calls what is to be called then, and ends the run. */
_Noreturn void rt_exit(int code, enum rt_exit_how how, uint32_t site);
/* Something may have to be called at such an end. */
bool rt_exit_has_work(enum rt_exit_how how);
void rt_exit_prepare(void); /* all images are there */
void rt_exit_reset(void);   /* a run starts */
/* Ends the process, or the run. */
_Noreturn void __treadle_exit(int code);
_Noreturn void rt_assumption_fails(void); /* a quiet end of the run */
_Noreturn void __treadle___assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function);
void rt_main_entry(void);

/* ---- histories (op_marks.c) ---- */

/* If a specification is being asked, it ends here: a failure in it is one of the run. */
void rt_history_return(void);

/* ---- code that is not instrumented (foreign.c) ---- */

/* The name of the file begins so. */
bool rt_is_image(const char *path, const char *name);

/* Reads which functions of an image are instrumented; path "": of the executable. */
void rt_foreign_image(const char *path, uint64_t base);
void rt_foreign_prepare(void);
/* Self calls this function, or has it called: a ledger line, and a change, if it is not instrumented. */
void rt_foreign_called(uint64_t callee, uint32_t site);
/* The same of a function that others call, at any time. */
void rt_foreign_given(uint64_t callee, uint32_t site);
/* Records that self executes uninstrumented code: a gap, unless no thread can observe that. */
void rt_unwatched(uint32_t site, const char *name);
/* True if an instrumented function starts at the address. */
bool rt_is_instrumented(uint64_t address);
/* True if the function that starts here is instrumented or has a row. */
bool rt_foreign_is_known(uint64_t start);
void rt_foreign_name(uint64_t address, char *out, size_t size);

/* ---- returns into such code (returns.c) ---- */
void rt_unwatched_start(void); /* start of a run */
/* Before the first run, with what finds functions of the unwinder. */
void rt_returns_prepare(void *(*find)(const char *name));
/* Self makes a thread: code that is not instrumented and waits below on its stack must not
 * continue unnoticed while other threads are there. */
void rt_return_watch(uint32_t site);
/* A gap if that code may have continued unnoticed. */
void rt_return_check(void);
/* A thread was joined: if self is alone again, that code may continue. */
void rt_return_forget(void);

/* ---- the gate to functions of the program (user_call.c) ---- */

typedef struct rt_user {
    uint64_t function;
    uint32_t
        /* Site of the call that registered it, or that leads to it: the place of ledger entries. */
        site;
    uint32_t label; /* label of the first argument */
} rt_user;

/* Calls the function. The result has the function's type: of an int only the lower half counts. */
uint64_t rt_user_call(const rt_user *call, uint64_t a, uint64_t b, uint64_t c);
/* Returns the label of its result. */
uint32_t rt_user_result(const rt_user *call);

/* A store of the runtime to an atomic byte of the program. */
void rt_atomic_set(uint8_t *byte, uint8_t value, uint8_t order, uint32_t site);
/* Destroys the thread-local objects of self, newest first. */
void rt_locals_end(void);
