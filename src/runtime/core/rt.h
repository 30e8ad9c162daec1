/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/rt.h - the runtime linked into the program under test.
 *
 * Purpose     Runs the program's threads one at a time as the current job says, checks every
 *             plain access for a data race, and writes a record of every operation.
 * Words       operation: what other threads can notice; a thread waits before each of its
 *             operations until the scheduler grants it.  segment: what a thread does from one
 *             granted operation to the next; segments are numbered in the order they start, and
 *             numbers keep growing from run to run.  slot: a logical thread's share of the arena,
 *             a function of who created it.  stack: here, the thread-local storage lent by a
 *             parked real thread, by index.
 * Invariants  (R1) one thread runs at a time: rt->self;
 *             (R2) between two grants nothing another thread can see is decided here;
 *             (R3) all state is in rt (at PLAN_STATE), which no snapshot holds, or in the
 *                  program's own memory, which every restart puts back;
 *             (R4) nothing here allocates: all storage is reserved at start.
 *
 *   WAITING -> RUNNING  rt_grant       the operation it waits for is carried out
 *   RUNNING -> WAITING  rt_operation   pending is set
 *   RUNNING -> ENDED    rt_thread_end
 *   RUNNING -> FAILED   rt_fail_done   only where others go on
 */
#pragma once

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/ops.h"
#include "wire/api.h"
#include "wire/hooks.h"
#include "wire/layout.h"
#include "wire/site.h"
#include "wire/wire.h"

#define RT_HIDDEN __attribute__((visibility("hidden")))
#define RT_EXPORT __attribute__((visibility("default")))
/* A function taken over; a program that defines its own of that name is not. */
#define RT_API __attribute__((visibility("default"), weak))
#define RT_NONE UINT32_MAX
#define RT_MISUSE UINT64_MAX /* result of an operation the object does not allow */

/* True once this process is under treadle's control (start.c). */
extern RT_HIDDEN bool rt_controlled;

/* ---- clocks (clock.c) ---- */

/* For each thread, the last segment of it that happened before; 0 beyond len. len and cap are
 * multiples of RT_CLOCK_STEP, what lies between is zero. */
#define RT_CLOCK_STEP 8u

typedef struct rt_clock {
    uint32_t *at;
    uint32_t len, cap;
} rt_clock;

void rt_clock_join(rt_clock *into, const rt_clock *from);
void rt_clock_copy(rt_clock *into, const rt_clock *from);
void rt_clock_set(rt_clock *c, uint32_t thread, uint32_t segment);

static inline uint32_t rt_clock_get(const rt_clock *c, uint32_t thread)
{
    return thread < c->len ? c->at[thread] : 0;
}

/* ---- objects (clock.c) ---- */

/* HELD: by a writer, a semaphore at 0, an initialisation under way, a cancelled thread: what
 * can be done only while the object is open has to wait. */
enum rt_object_state { RT_OBJECT_FREE, RT_OBJECT_HELD, RT_OBJECT_DESTROYED };

/* What the program has used it as. */
enum rt_object_type {
    RT_UNTYPED, /* an atomic location, or nothing yet */
    RT_MUTEX,
    RT_SPIN,
    RT_COND,
    RT_SEM,
    RT_RWLOCK,
    RT_BARRIER,
    RT_ONCE,
    RT_SIGNALS,
    RT_N_TYPES
};

typedef struct rt_queue rt_queue;
typedef struct rt_heads rt_heads;

/* The latest times at which an object was operated on; time.c. */
typedef struct rt_when_done {
    uint64_t exclusive_ns, any_ns;
} rt_when_done;

/* A thread that holds a read lock. */
typedef struct rt_reader {
    uint32_t thread, depth, site;
} rt_reader;

/* The owner died: so the next one is told. If that one does not mend it, nobody gets it again. */
enum rt_robust { RT_ROBUST_WELL, RT_ROBUST_DEAD, RT_ROBUST_TOLD, RT_ROBUST_LOST };

#define RT_FRAMES 24u /* of a stack that are told */

/* What operations are done to, made when it is first used in a run. */
typedef struct rt_object {
    uint64_t address;
    uint8_t state;                 /* enum rt_object_state; atomics stay FREE */
    uint8_t type;                  /* enum rt_object_type */
    bool is_made;                  /* by an init, or used without one */
    uint32_t owner;                /* of what is HELD, or RT_NONE */
    uint32_t depth;                /* of a recursive mutex */
    uint32_t count;                /* of a semaphore; threads that a barrier waits for */
    uint32_t n_states;             /* exclusive operations on it so far */
    uint32_t arrived;              /* of a barrier: threads of this round */
    uint8_t robust;                /* enum rt_robust: of a robust mutex */
    uint32_t held_site;            /* where it was taken */
    uint32_t held_prev, held_next; /* list of what the owner holds; RT_NONE ends */
    uint32_t waiters; /* first thread whose pending operation may have to wait */
    uint32_t n_readers, cap_readers;
    rt_reader *readers; /* of a read-write lock */
    uint64_t mutex;     /* with which threads wait at a condition variable */
    rt_queue *queue; /* threads that wait to be woken (queue.c); NULL: there were none */
    rt_clock clock;  /* what a thread learns that acquires it */
    uint32_t head;   /* of an atomic: whose release sequence it has; release.c */
    rt_heads *heads; /* of an atomic: while head is RT_SEVERAL, these */
    rt_clock others; /* left by readers; of a barrier: of the rounds before */
    rt_when_done done; /* when it was last operated on */
    void *list;        /* race.c */
    void *history;     /* op_marks.c */
} rt_object;

/* ---- threads that wait to be woken (queue.c) ---- */

void rt_queue_add(rt_object *o, uint32_t thread);
/* It was woken: takes the oldest mark that it can. */
void rt_queue_leave(rt_object *o, uint32_t thread);
/* Threads that wait and that nobody has woken. */
uint32_t rt_queue_blocked(const rt_object *o);
bool rt_queue_woken(const rt_object *o, uint32_t thread);
/* Wakes at most n of those who wait now; how many. */
uint32_t rt_queue_wake(rt_object *o, uint32_t n);
void rt_queue_wake_all(rt_object *o);
void rt_queue_tell(const rt_object *o); /* NOTE_WOKEN */

/* ---- release sequences of atomics (release.c) ---- */

/* rt_object.head: 0 none, thread + 1 of the only one, or this. */
#define RT_SEVERAL UINT32_MAX

/* What rt_release_save keeps. */
typedef struct rt_released {
    uint32_t head, n;
    bool is_head;
    rt_clock clock, own;
} rt_released;

/* An exchange of the thread releases this clock: a sequence beside those of others, which head
 * is one of. The caller joins o->clock. */
void rt_release_beside(rt_object *o, uint32_t thread, const rt_clock *clock);
/* There are several: all but the thread's own end. False: it has none. */
bool rt_release_only(rt_object *o, uint32_t thread);
/* Of what an exchange of the thread changes. */
void rt_release_save(rt_object *o, uint32_t thread, rt_released *out);
void rt_release_restore(rt_object *o, uint32_t thread, const rt_released *saved);

rt_object *rt_object_at(uint64_t address);
uint32_t rt_object_index(const rt_object *o);
/* The first object with a type from that address on, below end; NULL. */
rt_object *rt_object_between(uint64_t start, uint64_t end);
rt_object *rt_object_by_index(uint32_t index);

/* ---- threads ---- */

typedef struct rt_op {
    uint8_t kind; /* enum wire_kind as requested; the grant may make it the failed one */
    uint8_t size, order;
    uint8_t rmw;  /* enum wire_rmw; of a CAS: its order if it fails */
    uint8_t type; /* enum rt_object_type it is meant for */
    uint32_t site;
    uint32_t target; /* JOIN: the thread; CREATE: the new one */
    uint32_t flags;  /* WIRE_F_* that its record gets as well */
    uint64_t object;
    rt_object *model; /* of the object; set by rt_operation */
    uint64_t a, b;    /* operands */
    uint64_t a_high;  /* of 16 bytes: the other half of what is compared with */
    /* The thread would not wait for ever: it has a timeout, or waits for what was chosen to
     * come. If nobody can go on this is no deadlock. */
    bool patient;
    bool cancellable;   /* likewise, once the thread is cancelled */
    bool interruptible; /* likewise, once it gets a signal; set by rt_operation */
    bool has_value;     /* KILL: b is sent with it */
    const char *wrong;  /* set by the grant with the result RT_MISUSE: what is wrong */
    bool spins;         /* it was done, and undone: spin.c */
} rt_op;

#define RT_CLASSES 48

/* The head that stands before each block of the heap. */
typedef struct rt_block {
    uint64_t size : 40; /* as asked for */
    uint64_t class : 8; /* RT_CLASSES: too large for one */
    uint64_t align : 6; /* its first byte is a multiple of 1 << align */
    uint64_t mark : 10; /* RT_LIVE or RT_FREED; else somebody wrote over it */
    union {
        struct {
            uint32_t made_site, made_thread; /* live */
        };
        uint64_t next; /* freed: in its queue */
    };
} rt_block;

#define RT_LIVE 0x2b5u
#define RT_FREED 0x14au

static_assert(sizeof(rt_block) == 16, "the least distance between two blocks");

/* About a freed block; in the site plane of its head, where no access leaves anything. */
typedef struct rt_past {
    uint32_t made_site, made_thread;
    uint32_t freed_site, freed_thread;
} rt_past;

/* The heap of a thread; blocks it freed wait in a queue per size class. */
typedef struct rt_heap {
    uint64_t base, top, end; /* top grows */
    uint64_t first[RT_CLASSES], last[RT_CLASSES];
    uint32_t waiting[RT_CLASSES];
} rt_heap;

/* What a thread that goes round a loop has read. */
typedef struct rt_read {
    uint64_t object, value; /* of other objects than memory: what stands for its state */
    uint64_t result;
    uint8_t size; /* 0: not memory */
    uint8_t kind; /* as it was asked for */
} rt_read;

/* Up to 16 bytes before they were written. */
typedef struct rt_write {
    uint64_t address, size;
    uint64_t was[2];
} rt_write;

/* A place that holds a time: the clock was asked to fill it, or a wait gives up then. */
typedef struct rt_time {
    uint64_t address;
    int64_t seconds; /* it was then, as a wait was told; 0 if the clock fills it */
    bool is_filled;
} rt_time;

/* Kept of them, each a power of two. */
#define RT_MAX_READS 256u
#define RT_MAX_WRITES 64u
#define RT_MAX_ACCESSES 64u
#define RT_MAX_TIMES 16u

/* A thread's loops; spin.c. */
typedef struct rt_spin {
    uint64_t n_own;    /* operations it has done */
    uint64_t changes;  /* things it has changed */
    uint64_t n_writes; /* plain writes that were noticed */
    rt_read *reads;    /* RT_MAX_READS, by n_own; NULL: it has passed no loop */
    rt_write *writes;  /* RT_MAX_WRITES, by n_writes */
    uint64_t n_asked;  /* it has asked for the time */
    uint64_t n_times;
    rt_time times[RT_MAX_TIMES]; /* by n_times */
    rt_clock clock, seen;        /* before its last operation */
    rt_released object;          /* likewise, of what an exchange may change */
    uint64_t heard_ns;           /* likewise */
    rt_when_done done;           /* likewise, of its object */
    bool saw;                    /* the record of its last operation said so */
    uint32_t armed;           /* its next plain write is to be noticed, if it comes after
                                   * fewer plain accesses than this */
    bool resumes;             /* its next operation was chosen already */
    bool resume_alternatives; /* ... and these are to be told */
    uint32_t resume_n;        /* ... of so many threads */
    uint32_t n_round;         /* operations of the round that did nothing */
    uint32_t site;            /* of the loop */
    bool asks_time;           /* the round in which it waits asked for the time */
    bool is_tried;            /* it has made another round, to see whether it would */
    uint32_t n_tried;         /* operations of that round */
    const wire_loop *loop;    /* ... and of which loop */
    wire_round start;         /* ... from here */
    uint64_t frames_end;      /* of the program, at its last header */
    rt_op parked;             /* the operation it waits before */
    bool is_turned;           /* that is the first one behind the header */

    /* Plain accesses of the rounds that are looked at. */
    bool lists;          /* they are listed */
    bool is_endless;     /* it stands in a loop that nothing can end */
    bool reads_others;   /* one of a kind that cannot be an operation was a read */
    uint32_t n_accesses; /* sites below */
    uint32_t accesses[RT_MAX_ACCESSES];

    /* The last round did nothing, but cannot be undone: if the next operation does nothing
     * either, that one is. */
    wire_loop *turn; /* NULL: not so; the loop */
    wire_round turn_from;
    uint32_t turn_site;
} rt_spin;

typedef struct rt_specific rt_specific; /* tls_keys.c */

/* What signals have to do with a thread; bit n - 1 is signal n. Those that were sent and not
 * taken differ in sent and taken. */
typedef struct rt_signals {
    uint64_t mask; /* it blocks */
    uint64_t sent, taken;
    uint64_t wants; /* it waits for one of these; 0: it does not wait */
    uint64_t value; /* that a signal was sent with */
    int value_of;   /* which one; 0: none */
    bool is_masked; /* by rt_signal_blocks: a handler that runs meanwhile ends the call */
    bool let_in;    /* one did */
} rt_signals;

#define RT_NAME_BYTES 16

enum rt_thread_state { RT_WAITING, RT_RUNNING, RT_ENDED, RT_FAILED };

typedef struct rt_thread {
    uint32_t id, slot, stack;
    uint32_t state;                /* enum rt_thread_state */
    uint32_t wait_prev, wait_next; /* in an object's waiters or a thread's joiners */
    uint32_t joiners;              /* first thread that waits to join it */
    uint32_t segment;
    void *sp;    /* saved stack pointer (fibers) */
    uint64_t tp; /* thread pointer */
    rt_op pending;
    uint64_t result; /* of the granted operation */
    rt_clock clock;
    rt_clock released, seen; /* for fences: at the last release fence; by relaxed loads */
    uint32_t n_spurious;     /* wake-ups for no reason that it has had */
    struct rt_sites *woken_at; /* where it has chosen whether it wakes for no reason */
    uint32_t yield_site;       /* of the call, where yielded */
    bool yielded, detached, joined;
    bool asked_reuse; /* it has chosen whether it gets at once what it freed */
    bool saw;         /* WIRE_F_SAW, for its next operation */
    bool time_joined; /* its time was moved by what others did */
    uint32_t n_told;  /* footprint.c: ranges since its last operation */
    bool gave_stack;  /* its thread-local storage may be lent again */
    bool faulted;     /* its last access was announced and not made; ... */
    uint64_t fault;   /* ... there */
    void *(*start)(void *);
    void *arg, *value;
    uint32_t parent, n_created, create_site;
    uint32_t foreign_site; /* its last call of code that is not instrumented */
    uint64_t path;         /* hash of who created it */
    uint64_t priority;     /* PCT */
    uint64_t fenv;         /* floating-point control words when it last made a thread */
    uint64_t now_ns;       /* virtual time */
    uint64_t heard_ns;     /* the latest time of others that it knows of */
    uint64_t random;       /* state of rand() and friends */
    uint32_t held;         /* first object it holds */
    uint64_t stack_low;    /* lowest stack pointer seen */
    uint64_t called_at; /* where the program's part of the stack ended at its last call */
    uint64_t stack_at;  /* the same while another thread runs */
    uint64_t shown_start, shown_end; /* what others touched of its stack; watch.c */
    uint64_t frames_told;            /* hash of the stack that was told last; frames.c */
    uint32_t n_inputs;               /* it has made */
    uint32_t n_reads;                /* READ nodes it has made */
    uint32_t arg_label, value_label;
    uint32_t
        unclaimed; /* label of its last read, while no label was asked for (reads.c) */
    uint64_t unclaimed_at;
    bool returns_int;              /* C11 */
    bool cancelled;                /* a cancellation was sent */
    bool cancel_off, cancel_async; /* its state and type */
    void *cleanup;                 /* newest __pthread_unwind_buf_t */
    void *leaving;                 /* the value it ends with, while handlers run */
    rt_specific *specifics;        /* by key, rising */
    uint32_t n_specifics, cap_specifics;
    uint32_t n_keys; /* it has made */
    rt_signals signals;
    char name[RT_NAME_BYTES];
    void *cpus; /* thread_attrs.c; NULL: nobody said */
    rt_spin spin;
    rt_heap heap;
} rt_thread;

/* ---- the one state ---- */

#define RT_MAX_THREADS PLAN_N_SLOTS
#define RT_MAX_STACKS 4096u
#define RT_MAX_RACES 512u
#define RT_ATOMICALLY 4096u /* bits; a power of two */
#define RT_RANGES 8u
#define RT_LARGE 32u
#define RT_MAX_STACKS_TOLD 60000u /* of a run */

/* The job that is being run; steps are read from the ring. */
typedef struct rt_job {
    wire_job head;
    uint64_t steps_at;    /* position of its first step in the ring */
    uint64_t inputs_at;   /* of its first input */
    uint64_t promoted_at; /* of its first promoted site */
    uint32_t step;        /* next step */
    uint32_t step_left;   /* choices left in it */
    uint32_t step_thread;
    bool following; /* steps are left */
} rt_job;

typedef struct rt_stack {
    uint64_t tp;
    uint64_t tls_start, tls_end; /* what belongs to it */
    void *saved;                 /* its contents at the snapshot */
    uint64_t memory_end;         /* of what the parked thread was given */
    void *signals;               /* where its signals are handled */
    uint32_t wake;               /* futex (real threads) */
    uint32_t user;               /* thread that has it, or RT_NONE */
    uint32_t started;            /* real threads: it left its parking place */
} rt_stack;

/* Words of main's arguments or environment, as they were before it. */
typedef struct rt_words {
    uint64_t start, size;
    void *saved;
} rt_words;

/* Bytes touched from one site; footprint.c. */
typedef struct rt_range {
    uint64_t start, end;
    uint32_t site;
    uint8_t how; /* enum wire_touch */
} rt_range;

/* What the operation that was granted last reads or writes, with WIRE_JOB_READS; sym.c. */
typedef struct rt_visible {
    uint64_t at; /* 0: it was taken */
    uint32_t size, label, site;
    uint32_t before[8]; /* labels of its bytes */
} rt_visible;

/* An argument of main that is an input; argv_inputs.c. */
typedef struct rt_given {
    wire_sym_arg arg;
    char *text;     /* argv[arg.index] */
    bool has_text;  /* one was given */
    uint64_t first; /* as a number: the value where the job names none */
    uint64_t value; /* in this run, extended to 64 bits */
    uint32_t label;
} rt_given;

typedef struct rt_key rt_key; /* tls_keys.c */

/* A function to be called when the process ends; exit.c. */
typedef struct rt_handler {
    struct rt_handler *next;
    void (*function)(void);
    void *arg;
    int kind;
} rt_handler;

/* Destructors of an image, to be called last first. */
typedef struct rt_finis {
    struct rt_finis *next;
    void (**at)(void);
    uint64_t n;
} rt_finis;

typedef void rt_constructor_fn(int argc, char **argv, char **envp);
typedef struct rt_constructor {
    struct rt_constructor *next;
    rt_constructor_fn *function;
} rt_constructor;

struct rt_state {
    wire_shm *shm;
    int pipe;
    bool direct; /* run one job in this process, for a debugger */

    /* the run */
    rt_thread *self;
    rt_thread *starter; /* waits for a new thread to reach its first operation */
    rt_job job;
    uint32_t n_threads, n_live;
    uint32_t n_ops, n_choices;
    uint32_t last;       /* thread of the last choice */
    uint32_t run_length; /* choices it made in a row */
    uint32_t atomic;     /* depth of the atomic section of self */
    bool active;         /* a run is under way */
    bool checking;       /* ... but a specification is asked, and all stands aside */
    uint32_t run;        /* its number in this process */
    bool exiting;        /* operations are granted at once */
    bool detail;
    uint32_t stacks_left;       /* stacks still told in this run (frames.c) */
    uint64_t frames[RT_FRAMES]; /* return addresses that are being told */
    bool footprint;             /* plain accesses are told as ranges */
    bool promoting;             /* plain accesses of some sites are operations */
    bool flow;       /* what is read is followed to where it has a say (reads.c) */
    bool every;      /* no check passes inline */
    bool exact;      /* each access of a segment keeps its own site */
    bool first_only; /* an access is not checked where its segment has been before */
    bool ending;     /* a signal ends the run */
    int hang_signal;
    bool tainted; /* this process is not to be used again */
    bool
        symbolic; /* the program makes inputs, or reads are symbolic; labels are followed */
    bool reads;   /* what operations read is symbolic in this run */
    rt_visible reading, writing;
    bool has_wide; /* some image has atomic accesses of 16 bytes */
    uint32_t uses; /* enum wire_uses: what some image of the program calls */
    uint32_t n_inputs,
        input_at; /* made in this run; where the job's next one is expected */
    uint32_t stdin_at,
        stdin_thread;        /* next byte of a given standard input; who read last */
    uint32_t n_typed;        /* objects of the threads library that the run has used */
    struct rt_share *shares; /* streams and files that were used (library.c) */
    struct rt_fds *fds; /* descriptors between threads (fd.c); NULL: there were none */
    bool alone;         /* the program makes no threads */
    bool fds_apart;     /* every stream is an object of its own: nobody polls (fd.h) */
    struct rt_mapping *mappings; /* of the run (memory/mapping.c) */
    struct rt_overlay *overlay;  /* files of the run (posix/overlay.h) */
    int null_fd; /* what their numbers are reserved with, of the process; 0: none */
    uint32_t n_spinning; /* threads whose pending operation spins */
    uint32_t n_failed;  /* threads that have failed and stand there, or stand in a loop */
    uint32_t n_endless; /* ... in a loop that nothing can end */
    bool choosing;      /* the next operation is being chosen and carried out */
    bool has_unexplained; /* a history that no order explains was told in this run */
    bool trying;          /* self goes round its loop once more, and leaves no trace */
    bool gap_memory;
    uint64_t heap_used;
    uint32_t segment, segment_base;
    uint64_t rng;
    uint32_t pct_points[16];
    uint32_t n_pct_points;
    uint64_t pct_low;                              /* next priority below all others */
    rt_handler *exits, *quick_exits;               /* newest first */
    rt_handler *exits_before, *quick_exits_before; /* of these, what stands before main */
    rt_finis *finis, *finis_left;
    rt_constructor *constructors; /* in the order of their calls */
    bool registers;               /* instrumented code registers handlers of exit */
    uint64_t has_handler; /* bits of the signals that have one of these; signal.c */
    struct sigaction handlers[64];
    uint64_t process_signals; /* sent to nobody in particular; no thread has taken them */
    int concurrency;
    rt_key *keys; /* tls_keys.c */
    uint32_t n_keys, cap_keys;
    /* Granules written by atomic operations in this run, a bit for many of them. */
    uint64_t atomically[RT_ATOMICALLY / 64];
    uint64_t block_start, block_end; /* of the block that was accessed last; watch.c */
    uint64_t last_address;           /* of the last access that was checked out of line */
    uint32_t last_site;
    uint32_t
        last_call; /* site of the last call of what is not instrumented, or the runtime */

    /* detail: accesses still reported in this segment and in this run */
    uint32_t detail_segment, detail_run;
    /* detail: the last plain write, whose value is not known yet */
    uint64_t pending_write; /* position of its record + 1, 0: none */
    /* footprint: the ranges that may still grow, all of one thread */
    rt_range ranges[RT_RANGES];
    uint32_t n_ranges, oldest_range, ranges_thread;

    /* the process */
    void *base_sp;
    uint64_t base_tp;
    bool fsgsbase, avx2; /* what the processor has */
    uint32_t carrier;
    uint32_t n_stacks, n_free_stacks;
    uint32_t free_stacks[RT_MAX_STACKS];
    rt_stack stacks[RT_MAX_STACKS];
    rt_stack main_stack;                 /* of the real main thread: only its futex */
    uint64_t guarded[PLAN_N_SLOTS / 64]; /* slots whose stack has its guard page */
    uint64_t trace_at;                   /* position of the next record */
    rt_block *leak_todo; /* leak.c: reached blocks whose contents were not looked at */
    bool has_lists;      /* race.c: some granule has one in this run */
    uint32_t n_races;
    rt_range large[RT_LARGE]; /* atomic objects of the run that no granule holds */
    uint32_t n_large;
    uint64_t races[RT_MAX_RACES]; /* pairs of sites reported in this run */
    uint32_t n_promoted;
    uint32_t promoted[WIRE_MAX_PROMOTED]; /* sites of this run, or the last one */
    bool labels_mapped;
    rt_heap main_heap;    /* before a run; then at the snapshot */
    rt_heap service_heap; /* of the pool's threads: how many there are moves nothing */
    bool preparing;       /* the pool is being made */
    rt_heap big_heap;     /* blocks too large for a slot */
    uint64_t reusable
        [RT_CLASSES]; /* of this run: freed blocks that anybody may get; the last one */
    void *main_heap_saved;
    uint64_t heap_used_at_start;
    char **argv, **envp;
    rt_words words[2]; /* arguments, environment */
    int argc;
    rt_given given[WIRE_MAX_SYM_ARGS];
    uint32_t n_given;
    int first_free_fd;
    uint64_t
        *functions; /* that are instrumented, by a hash of their address; foreign.c */
    uint64_t n_functions, cap_functions;
    uint32_t n_listed;      /* images whose functions are among them */
    struct rt_found *found; /* about others */
    void *own_base;         /* where the executable is */
    bool counts_tasks;      /* at the end of every run; trap.c */

    uint32_t live[RT_MAX_THREADS]; /* rising */
    /* Threads that wait and whose operation could be granted now, a bit each. */
    uint64_t enabled[RT_MAX_THREADS / 64];
    uint64_t were_enabled[RT_MAX_THREADS / 64]; /* scratch of the scheduler */
    uint64_t asleep[RT_MAX_THREADS / 64];       /* passed over by the policy; wire_step */
    uint32_t n_enabled, n_asleep;
    uint32_t slot_thread[PLAN_N_SLOTS]; /* thread + 1 */
    rt_thread threads[RT_MAX_THREADS];
};

#define rt ((struct rt_state *)PLAN_STATE)

/* True inside a run. Otherwise the program was started by hand, or it is not yet in main, and
 * everything goes to the C library. */
static inline bool rt_on(void)
{
    return rt_controlled && rt->active;
}

/* Places in the state region behind struct rt_state. */
#define RT_SEGMENTS                                                                      \
    (PLAN_STATE + UINT64_C(0x0100000000)) /* uint32_t thread of a segment */
#define RT_PROMOTED (PLAN_STATE + UINT64_C(0x0180000000)) /* uint8_t for each site */
#define RT_BUMP (PLAN_STATE + UINT64_C(0x0200000000))     /* storage of one run */
#define RT_BUMP_END (PLAN_STATE + UINT64_C(0x1200000000))
#define RT_SAVED (PLAN_STATE + UINT64_C(0x1200000000)) /* storage of the snapshot */
#define RT_SAVED_END (PLAN_STATE + UINT64_C(0x5000000000))
#define RT_BLOCKS (PLAN_STATE + UINT64_C(0x5000000000))  /* block.c */
#define RT_OBJECTS (PLAN_STATE + UINT64_C(0x6000000000)) /* rt_object */
#define RT_OBJECT_TABLE (PLAN_STATE + UINT64_C(0x7000000000))
#define RT_SYMBOLS (PLAN_STATE + UINT64_C(0x7c00000000)) /* sym.c */
#define RT_NODES (PLAN_STATE + UINT64_C(0x7d00000000))
#define RT_MAX_SEGMENT UINT32_C(0x7ffff0)
#define RT_NAMES (PLAN_STATE + UINT64_C(0x7fe0000000)) /* named.c */

/* Storage until the end of the run, zeroed. NULL never: a full region ends the run. */
void *rt_bump(size_t size);
void rt_bump_reset(void);

/* splitmix64: the next number of a reproducible sequence. */
static inline uint64_t rt_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* ---- slots ---- */

static inline uint64_t rt_slot_base(uint32_t slot)
{
    return PLAN_SLOTS + slot * PLAN_SLOT_SIZE;
}

/* Slots lie a large power of two apart: without this distance the stacks and heaps of all threads
 * would share a few sets of the caches. */
static inline uint64_t rt_slot_colour(uint32_t slot)
{
    return (slot % 128) * UINT64_C(1088);
}

/* The stack is the upper end of the slot; the heap ends below it. */
static inline uint64_t rt_stack_bottom(uint32_t slot)
{
    return rt_slot_base(slot) + PLAN_SLOT_SIZE - PLAN_STACK_SIZE;
}

static inline uint64_t rt_stack_top(uint32_t slot)
{
    return rt_slot_base(slot) + PLAN_SLOT_SIZE - rt_slot_colour(slot);
}

/* ---- operations and scheduling (sched.c) ---- */

/* Self's next operation, to be completed by the caller and then waited for. It is filled in place:
 * a copy of what was just written in pieces would stall the processor. */
static inline rt_op *rt_op_new(uint8_t kind, uint32_t site, uint64_t object)
{
    rt_op *op = &rt->self->pending;
    op->kind = kind;
    op->size = op->order = op->rmw = op->type = 0;
    op->site = site;
    op->target = op->flags = 0;
    op->object = object;
    op->model = NULL;
    op->a = op->b = 0;
    op->patient = op->cancellable = op->interruptible = op->has_value = false;
    op->wrong = NULL;
    op->spins = false;
    return op;
}

/* WIRE_F_PATIENCE of an operation. */
uint8_t rt_op_patience(const rt_op *op);
/* Waits until it is granted; its result. May not return (the run ended). */
uint64_t rt_operation(void);
/* The same; misuse of an object ends the run with a failure. */
uint64_t rt_sync_operation(void);
/* The thread has perhaps looked at memory in code that is not instrumented. */
void rt_take_unseen(rt_thread *self);
/* Ends the run: the process goes back to where it waits for jobs. From any thread. */
_Noreturn void rt_run_end(enum wire_done how, uint64_t value);
/* Self has ended or waits: somebody else goes on. */
void rt_schedule(void);
void rt_sched_reset(void);
/* Self, whose pending operation spins, waits until it is chosen again. */
void rt_sched_spin(void);
/* The state of the object changed: who waits for it can go on, or no longer can. */
void rt_sched_object(const rt_object *o);
/* The thread has ended: who waits to join it can go on. */
void rt_sched_ended(const rt_thread *t);
/* An operation of that kind was done: who waits to do one that depends on it sleeps no more. */
void rt_sched_wake(const rt_thread *by, uint8_t kind);
/* An operation that turned out to be of that kind, and one that is waited for. */
bool rt_depends(const rt_op *done, uint8_t kind, const rt_op *waiting);
/* Whether an access stands for all of its granule (WIRE_ORDER_WHOLE); the address of its model,
 * which is no object of the program's then. */
bool rt_op_is_whole(const rt_op *op);
uint64_t rt_op_model(const rt_op *op);
/* With WIRE_JOB_NEXT: what each waiting thread waits to do. */
void rt_emit_nexts(void);
/* Reports threads that wait for ever. True if there are any. */
bool rt_emit_stuck(void);
int rt_lowest_free_fd(void);
uint64_t rt_sched_priority(void); /* of a new thread, for PCT */
/* The run ends because of a call that is not modelled. */
_Noreturn void rt_refuse(const char *name, uint32_t site);
/* The call changes what a restart does not put back: the process is not used again. */
void rt_taint(const char *name, uint32_t site);
/* A segment of t starts; it is made the running one. */
void rt_segment_start(rt_thread *t);
/* Inserted code sees the segment of t from now on. */
void rt_segment_show(const rt_thread *t);

/* ---- signals (signal.c) ---- */

/* Carries out KILL, SIGNAL_TEST, SIGNAL_WAIT, SIGNAL_WAKE. */
uint8_t rt_grant_signal(rt_thread *t, uint64_t *value);
/* One that the thread waits for is there. */
bool rt_signal_woken(const rt_thread *t);
void rt_signal_tell(void); /* NOTE_WOKEN */
/* One came for the thread, and a handler would run. */
bool rt_signal_waits(const rt_thread *t);
/* What handlers do to a wait that they run in. */
enum rt_interruption { RT_UNDISTURBED, RT_HANDLED /* it goes on */, RT_INTERRUPTED };
/* Handlers of signals that came run now. */
enum rt_interruption rt_signal_point(uint32_t site);
/* Self blocks these signals, given as sigset_t or NULL: the same, during a call that waits. What it blocked is
 * returned, for rt_signal_blocked when the call is over. */
uint64_t rt_signal_blocks(const void *set);
void rt_signal_blocked(uint64_t before);

/* ---- descriptors (fd.c) ---- */

void rt_mappings_undo(void); /* at the end of a run */

/* ---- files of the run (posix/overlay.h) ---- */

void rt_overlay_prepare(void); /* before the process has threads */
/* At the end of a run: true if descriptors and the like are what they were. */
bool rt_overlay_undo(void);
/* What is done to this descriptor is undone with the run. */
bool rt_overlay_has(int fd);
/* The runtime carries out a call of a function that is passed on; false: it cannot be undone. */
bool rt_overlay_takes(const char *name, uint64_t first, uint32_t site);
/* Descriptors were closed or copied, and it is undone. */
void rt_overlay_moves(void);

void rt_fd_prepare(void); /* before the process has threads */
void rt_fd_reset(void);
void rt_fd_end(void); /* the run ends: the numbers are given back */
/* The pending call of t is carried out as far as it goes. */
uint8_t rt_fd_grant(rt_thread *t, uint64_t *value);
/* What the pending call of t waits for is there. */
bool rt_fd_ready(const rt_thread *t);
void rt_fd_tell(const rt_object *o); /* NOTE_WOKEN */

/* ---- what operations do (grant.c) ---- */

/* What the pending operation of t does to a condition variable, semaphore, read-write lock,
 * barrier...: what it turned out to be (sync.c). */
uint8_t rt_grant_sync(rt_thread *t, uint64_t *value);
/* Memory is given back: what it holds is gone; an operation on each of them. */
void rt_sync_free(uint64_t start, uint64_t end, uint32_t site);
/* Self ends: it may not hold anything. */
void rt_sync_end(void);

/* Carries out the pending operation of t and writes its record. */
void rt_grant(rt_thread *t, uint32_t n_enabled, uint8_t flags);

/* The part of t before the operation that is recorded now is over: what the record says of it. */
static inline uint8_t rt_part_end(rt_thread *t)
{
    uint8_t flags = t->saw ? WIRE_F_SAW : 0;
    t->saw = false;
    t->n_told = 0;
    return flags;
}

/* ---- loops that wait (spin.c) ---- */

/* Self has done, or may have done, something that another round of a loop would find; what
 * inserted code and others have told so is taken over. */
static inline void rt_changed(void)
{
    PLAN_CTL->changed = 1;
}
void rt_spin_take(rt_thread *self);
/* Self has come here with a plain access; of a write, before it is done. Without notices nothing
 * would come of it. */
static inline bool rt_spin_notices(const rt_thread *self, bool is_write)
{
    const rt_spin *s = &self->spin;
    return s->lists || s->armed > 0 || (is_write && s->writes);
}
void rt_spin_access(rt_thread *self, uint64_t p, uint64_t size, bool is_write,
                    uint32_t site);
/* The pending operation of t is carried out, and was, with this outcome. */
void rt_spin_before(rt_thread *t);
void rt_spin_after(rt_thread *t, const wire_rec *r, uint64_t old);
/* True if the thread, which spins, can go on. */
bool rt_spin_enabled(const rt_thread *t);
/* True if one of the values that the thread read in its last round has changed. */
bool rt_spin_is_stale(const rt_thread *t);
/* While rt->trying: the pending operation of self, which is not done; its result. */
uint64_t rt_spin_again(rt_thread *self);
/* Nobody can go on: t, which spins, makes a round more. */
void rt_spin_try(rt_thread *t);
/* The thread that is tried does something else than in the round before: it does not wait forever. */
_Noreturn void rt_spin_leave(void);
/* Self has done an operation, which is perhaps the end of a round that began with it. */
void rt_spin_turn(rt_thread *self);

/* ---- time (time.c) ---- */

/* Every thread has its own time. It moves on by sleeping, by asking, and with what others did
 * before: t knows of something that happened then. */
void rt_time_hears(rt_thread *t, uint64_t ns);
/* T has done an operation to the object. */
void rt_time_passes(rt_thread *t, rt_object *o, bool is_exclusive);
/* Self asks for the time, which goes to out if that is not NULL. */
uint64_t rt_time_asked(const void *out, uint32_t site);
/* When runs start. Clocks of the processor count from then on. */
#define RT_TIME_START (UINT64_C(1700000000) * 1000000000)

/* ---- retry.c: rounds that take and give locks, wait for a while, or ask for the time ---- */
/* An operation that another one of the round can make up for. */
bool rt_retry_is_half(const rt_thread *t, const wire_rec *r);
bool rt_retry_is_mutex(uint8_t kind);
/* Every half has its other half, with nobody in between, in the operations from that number on. */
bool rt_retry_is_even(const rt_thread *self, uint64_t from);
/* The last operation can be undone, and self wait there. */
bool rt_retry_can_wait(const rt_thread *self);
/* Nobody else could do anything. */
bool rt_retry_is_alone(const rt_thread *self);
/* The last operation, which takes a mutex, is undone; or done again. */
void rt_retry_untake(rt_thread *t);
void rt_retry_retake(rt_thread *t);
/* Self asks for the time, which goes to out if that is not NULL; waits until then at most. */
void rt_retry_asks(rt_thread *self, const void *out);
void rt_retry_until(rt_thread *self, const struct timespec *until);
/* The write since then only left another time behind. */
bool rt_retry_is_time(const rt_thread *self, const wire_loop *loop,
                      const wire_round *since, const rt_write *w);
/* A round that changed nothing but times would do the same at any later time. If that is not known
 * yet, false; time leaps, to see what the next one does. */
bool rt_retry_knows(rt_thread *self, wire_loop *loop, const wire_round *since);

/* ---- carriers (carrier.c) ---- */

/* T will start in rt_thread_entry, with these floating-point control words. */
void rt_carrier_prepare(rt_thread *t, uint64_t fenv);
uint64_t rt_carrier_fenv(void); /* those of now */
void rt_carrier_switch(rt_thread *from, rt_thread *to);
void rt_carrier_enter(rt_thread *first); /* main; returns when the run ended */
_Noreturn void rt_carrier_leave(void);   /* back to rt_carrier_enter */
void rt_stacks_create(uint32_t n);
void rt_stacks_restore(void);            /* all are free and clean again */
uint32_t rt_stack_take(uint32_t thread); /* RT_NONE: none is free */
void rt_stack_give(rt_thread *t);        /* its owner has ended */

/* ---- races (race.c) ---- */

void rt_race_reset(void);
void rt_access(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* The same, by a function of the library; quick where self's segment has touched it before. */
void rt_access_by_library(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* An atomic access: only compared with plain ones. What it wrote may be seen by a plain read. */
/* The same for memory that is gone: compared only. */
void rt_access_gone(uint64_t p, uint64_t size, bool is_write, uint32_t site);
void rt_access_atomic(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* Self copies what is there, on behalf of the program; not compared with other accesses. */
void rt_access_copied(uint64_t p, uint64_t size);
/* The block is freed by self: a write of all of it, and the next access does not pass inline. */
void rt_access_freed(uint64_t p, uint64_t size, uint32_t site);
/* What was freed is used again, from start to end. */
void rt_access_reused(uint64_t p, uint64_t size, uint64_t start, uint64_t end);
/* An access to [start, end) by another thread that is not ordered before self; false: none. */
typedef struct rt_unordered {
    uint64_t address;
    uint32_t thread, site;
    bool is_write;
} rt_unordered;
bool rt_access_unordered(uint64_t start, uint64_t end, rt_unordered *out);
/* Forget accesses to memory that changes its meaning (lent thread-local storage). */
void rt_race_forget(uint64_t start, uint64_t end);

/* ---- promoted sites (promote.c) ---- */

/* Those of the job. */
void rt_promote_reset(void);
/* Self is about to access: if the site is promoted it waits for its turn. */
void rt_promoted_wait(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* Whether accesses of the site can be operations. */
bool rt_can_be_promoted(uint32_t site);

/* ---- what is read, and where it has a say (reads.c). Only where rt->flow is set ---- */

void rt_reads_reset(void);
/* Self is about to read [p, p + size), or to write; is at an operation. */
void rt_reads_read(uint64_t p, uint64_t size, uint32_t site);
void rt_reads_other(void);
/* Self has asked for the label of what it read at p. */
void rt_reads_claimed(uint64_t p);

/* ---- footprints (footprint.c) ---- */

/* Self touches [p, p + size) in that way (enum wire_touch). Only where rt->footprint is set. */
void rt_footprint_add(uint64_t p, uint64_t size, uint8_t how, uint32_t site);
void rt_footprint_flush(void);

/* ---- symbolic values (sym.c); labels: wire/sym.h. All do nothing unless rt->symbolic ---- */

void rt_sym_reset(void);
/* The job's reads are symbolic or not; before rt_sym_reset. */
void rt_visible_reset(void);
/* The operation was granted and told; it turned out to be of this kind. */
void rt_visible_granted(rt_thread *t, uint8_t kind);
/* The thread has ended, and its result is told; self has joined it and fetched that: what is left
 * is its label. */
void rt_visible_ended(rt_thread *t);
uint32_t rt_visible_joined(const rt_thread *t, uint32_t site);
/* What was read or written and nobody followed is decided, or told as it is. */
void rt_visible_flush(void);
/* More plain accesses than are told: a ledger line. */
void rt_sym_unshared(void);
/* Some memory may have labels. */
bool rt_sym_live(void);
bool rt_sym_exists(void);                   /* a value is symbolic, in memory or not */
bool rt_sym_any(uint64_t p, uint64_t size); /* one of these bytes has a label */
bool rt_sym_by_inputs(uint64_t p, uint64_t size); /* ... that inputs have a say in */
bool rt_sym_is_input(uint32_t label);             /* an input affects the value */
/* A symbolic value went where it is not followed: a ledger line. */
void rt_sym_lost(uint32_t site);
/* Code that is not followed reads size bytes at p: a ledger line with name, once per site and
 * run, if an input affects one of them. Such code wrote size bytes at p: they have no labels. */
void rt_sym_bytes_concrete(const void *p, uint64_t size, uint32_t site, const char *name);
void rt_sym_clear(void *p, uint64_t size);
/* What goes there is not read back by the program: standard output, standard error (follow.c). */
bool rt_stream_is_output(uint64_t stream);
bool rt_is_taken_over(uint64_t function); /* taken.c */
/* A read of size bytes, at most 16, at p: its label stands for them from now on; 0: there is no
 * room. Where a read had a say it is told, once. */
uint32_t rt_sym_read(uint64_t p, uint32_t size, uint32_t site);
void rt_sym_used(uint32_t label);
void rt_sym_tell_used(uint64_t p, uint64_t size, uint32_t site);
/* Memory that changes its meaning; memory that is copied. */
void rt_sym_forget(uint64_t p, uint64_t size);
void rt_sym_copy(uint64_t to, uint64_t from, uint64_t size);
/* Label of size bytes, at most 16, that have the value low, high. */
uint32_t rt_sym_get(uint64_t p, uint32_t size, uint64_t low, uint64_t high);
void rt_sym_put(uint64_t p, uint32_t size, uint32_t label);
/* Decisions; nothing where the label is 0. */
void rt_sym_branch(uint32_t label, bool taken, uint32_t site);
void rt_sym_concrete(uint32_t label, uint64_t value, uint32_t site);
/* New nodes: an input; an extension with zeros; whether a value is not 0; is less than. */
uint32_t rt_sym_input(uint32_t bits, uint64_t value, uint32_t number);
uint32_t rt_sym_extended(uint32_t label, uint32_t bits);
uint32_t rt_sym_truth(uint32_t label, uint64_t value);
/* Standard input, which is symbolic, is opened or read by other means (argv_inputs.c): a ledger line. */
void rt_stdin_opened(const char *function, uint64_t path, uint32_t site);
void rt_stdin_passed(int fd, const char *function, uint32_t site);
uint32_t rt_sym_less(uint32_t label, int32_t value, int32_t bound);
/* The label of argument i if it was passed to self; then self says that it took them. */
uint32_t rt_sym_argument(const void *self, uint32_t i);
void rt_sym_arrive(void);
void rt_sym_return(const void *self, uint32_t label);
/* Calls start(arg) as another version of a function would, and takes its result's label. */
/* Before and after a call of a function of the program: the label of its first argument, and
 * that of its result. */
void rt_sym_pass(const void *callee, uint32_t label);
uint32_t rt_sym_result(const void *callee);
void *rt_sym_call(void *(*start)(void *), void *arg, uint32_t label, uint32_t *result);

/* Bytes that are the text of a symbolic number: spelled when they are looked at. */
void rt_sym_put_text(uint64_t p, uint32_t size);
/* result = value op by, where what is WIRE_SYM() of op; value has the label. */
uint32_t rt_sym_apply(uint32_t what, uint32_t label, uint64_t value, uint64_t by,
                      uint64_t result);
/* The label as one of 64 bits; value: with all its bits. */
uint32_t rt_sym_resized(uint32_t label, uint64_t value, bool is_signed);

/* ---- inputs (input.c, argv_inputs.c) ---- */

/* The value that an input of this name has where nobody chooses one. */
void rt_input_fixed(void *object, size_t size, const char *name);
/* Bits and enum wire_sign of an input. */
#define RT_INPUT_TYPE(bits, sign) ((uint32_t)(bits) | (uint32_t)(sign) << 8)
/* An input of at most 64 bits; its label. *value is its fixed value, and then the one it has.
 * i: which byte of the named object it is, -1: all of it. */
uint32_t rt_input_make(uint64_t key, uint32_t type, uint64_t *value, const char *name,
                       long i, uint32_t site);
/* A choice that is nobody's but treadle's: whether a wait times out... An input of one bit that
 * is decided at once; 0 where nobody chooses. */
bool rt_choice(const char *what, uint32_t site);
/* The same, once for self at that site; these are kept in *asked. */
typedef struct rt_sites rt_sites;
bool rt_choice_once(rt_sites **asked, const char *what, uint32_t site);
/* Arguments that are inputs: room for them from at on, where that ends; their values. */
uint64_t rt_given_prepare(uint64_t at);
void rt_given_start(void);
/* The digits of numbers whose text lies in there get labels; their number is decided. */
void rt_given_spell(uint64_t p, uint64_t size);

/* A function is called that a snapshot does not undo; first: its first argument. */
RT_HIDDEN void rt_thunk_tainting(const char *name, uint64_t first);
/* Ends the run: this is not modelled. */
_Noreturn void rt_refuse(const char *name, uint32_t site);
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

/* ---- histories (op_marks.c) ---- */

/* If a specification is being asked, it ends here: a failure in it is one of the run. */
void rt_history_return(void);

/* Tells of a failure of self; flags: of the NOTE_FAIL. */
void rt_fail_as(enum wire_fail kind, uint8_t flags, uint32_t site, uint64_t object,
                uint64_t value);
/* ---- failures (fail.c) ---- */

void rt_fail(enum wire_fail kind, uint32_t site, uint64_t object, uint64_t value,
             const char *text); /* writes the note; rt_fail_done follows */
/* The same where the run goes on, and an access that was reported is still to come. */
void rt_fail_going_on(enum wire_fail kind, uint32_t site, uint64_t object,
                      uint64_t value);
_Noreturn void rt_fail_end(enum wire_fail kind, uint32_t site, uint64_t object,
                           uint64_t value, const char *text);
/* Self has failed, and that was told: it stands there while others go on, if the job says so;
 * else the run ends. */
/* Self stays at site for good, while others go on. */
_Noreturn void rt_stand(uint32_t site);
_Noreturn void rt_fail_done(uint32_t site, uint64_t value);
/* True if the next failure of self does not end the run. */
bool rt_fail_stands(void);

/* ---- records (emit.c) ---- */

wire_rec *rt_emit(uint8_t kind);
void rt_emit_text(const char *text);
void rt_emit_publish(void);
void rt_emit_show(void); /* what is there may be read; nobody is woken */
/* An address as text, for a failure without a site. */
#define RT_HEX_TEXT 19
void rt_hex(uint64_t value, char out[RT_HEX_TEXT]);
void rt_gap(enum wire_gap kind, uint32_t site, const char *text);
/* The same, once for each kind and site in a run. */
void rt_gap_once(enum wire_gap kind, uint32_t site, const char *text);
/* Tells the return addresses on t's stack if they are asked for and others than before; frame is
 * where its chain of frames starts (frames.c). */
void rt_frames(rt_thread *t, uint64_t frame);
void rt_flush_write(void); /* detail: the value of the last plain write is known now */
void rt_flush(void); /* that, and ranges: all that must be told before what follows */
uint64_t rt_peek(uint64_t address, uint32_t size);

/* ---- sites (image.c) ---- */

uint32_t rt_site_number(uint64_t site);
const wire_site *rt_site_by_number(uint32_t number); /* NULL: there is none */
/* The site stored before the call of a replaced function. Where other code called it, that of the
 * last call of code that is not instrumented, by this thread; 0: there was none. */
uint32_t rt_call_site(void);
/* Stored in its place by what the executable exports: 1, and the use of WIRE_WATCHED above it. */
#define RT_SITE_FOREIGN 1
#define RT_SITE_USE 8
#define RT_SITE_MARKERS 65536
void rt_images_publish(void);
bool rt_images_make_inputs(void); /* some image calls a function that makes inputs */
bool rt_images_have_wide(void);   /* atomic accesses of 16 bytes */
uint32_t rt_images_uses(void);    /* enum wire_uses of all images */
bool rt_images_poll(void);        /* ... one that waits for several descriptors */
bool rt_images_create(void);      /* ... one that makes threads */
bool rt_images_register(void);    /* ... one that registers handlers of exit */

/* ---- threads (thread.c) ---- */

rt_thread *rt_thread_new(rt_thread *parent);
/* Calls what is to be called at the end of self, and ends it. */
_Noreturn void rt_thread_leave(void *value);
_Noreturn void rt_thread_end(void *value);
void rt_thread_entry(void);
void rt_main_entry(void);
void rt_threads_reset(void);

/* ---- heap (heap.c) ---- */

void rt_heap_init(rt_heap *h, uint32_t slot);
void rt_heap_saved(void);   /* the snapshot is taken now */
void rt_heap_restore(void); /* of all threads of the last run */

/* ---- blocks (block.c) ---- */

void rt_block_add(rt_block *b);
/* The last block whose head is at or before an address in a heap; NULL: none. */
rt_block *rt_block_before(uint64_t address);
/* There are no blocks from start to end any more. */
void rt_blocks_forget(uint64_t start, uint64_t end);

static inline uint64_t rt_block_start(const rt_block *b)
{
    uint64_t align = UINT64_C(1) << b->align;
    return ((uint64_t)(b + 1) + align - 1) & ~(align - 1);
}

static inline rt_past *rt_block_past(const rt_block *b)
{
    return (rt_past *)((uint64_t)b ^ PLAN_SITE_XOR);
}

static inline bool rt_in_heaps(uint64_t address)
{
    return address - PLAN_SLOTS < PLAN_STATE - PLAN_SLOTS;
}

/* ---- memory errors (watch.c, leak.c) ---- */

/* Self accesses [p, p + size): ends the run if these bytes are of no block, of a freed one, or
 * of a stack that is no longer there. */
void rt_watch(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* The block that starts at p. NULL: free of p is an error, which was reported. */
rt_block *rt_watch_free(uint64_t p, uint32_t site);
/* Self ends: an error if another thread may still use its stack. */
void rt_watch_end(void);
/* The process ends: notes blocks that nothing points to. */
void rt_leaks(void);
void rt_leaks_clear(void);

/* ---- snapshot (snapshot.c, start.c) ---- */

void rt_snapshot_take(void);
void rt_snapshot_restore(void);
/* Calls visit for all memory that a snapshot holds, in pieces; pages never touched are left out. */
void rt_snapshot_visit(void (*visit)(uint64_t start, uint64_t end));
void rt_arguments_restore(void);
void rt_labels_map(void); /* inserted code may look at labels from now on */
void *rt_saved_alloc(size_t size);

/* ---- code that is not instrumented (real.c, foreign.c) ---- */

/* Finds the C library's functions behind those that the executable exports; absent from static
 * programs. */
__attribute__((weak)) RT_HIDDEN void rt_real_resolve(void);

/* Reads which functions of an image are instrumented; path "": of the executable. */
void rt_foreign_image(const char *path, uint64_t base);
void rt_foreign_prepare(void);
/* Self calls this function, or has it called: a ledger line if it is not instrumented. */
void rt_foreign_called(uint64_t callee, uint32_t site);

/* ---- threads and processes that nobody controls (trap.c) ---- */

/* From now on none can be made; a call that would raises SIGSYS. */
/* From a call that the filter stopped: the run ends. */
_Noreturn void rt_crash_refuse(const char *what);
void rt_trap_install(void);
const char *rt_trap_name(int number); /* of the system call */
/* The run has ended: a ledger line if there is a thread that nobody controls. */
void rt_trap_count(void);

/* ---- process (zygote.c, crash.c) ---- */

_Noreturn void rt_zygote(void);
void rt_crash_install(void);
bool rt_crash_is_own(const struct sigaction *action); /* that we installed */
void *rt_crash_stack_new(void);    /* memory for signals of one real thread */
void rt_crash_stack(void *memory); /* this thread handles its signals there */

/* Called, and stopped at by a debugger, when the run has failed. */
void __treadle_failed(void);
