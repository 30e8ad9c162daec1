/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/state.h - the state of the runtime linked into the program under test.
 *
 * Purpose     Runs the program's threads one at a time as the current job says, checks every
 *             plain access for a data race, and writes a record of every operation.
 * Words       operation: a scheduling point, which other threads can observe; a thread waits before each of its
 *             operations until the scheduler grants it.  segment: what a thread does from one
 *             granted operation to the next; segments are numbered in the order they start, and
 *             numbers keep growing from run to run.  slot: a logical thread's share of the arena,
 *             a function of who created it.  stack: here, the thread-local storage lent by a
 *             parked real thread, by index.
 * Invariants  (R1) one thread runs at a time: rt->self;
 *             (R2) between two grants nothing that another thread can observe is decided here;
 *             (R3) all state is in rt (at PLAN_STATE), which no snapshot holds, or in the
 *                  program's own memory, which every restart puts back;
 *             (R4) nothing here allocates: all storage is reserved at start.
 *
 *   WAITING -> RUNNING  rt_grant       the operation it waits for is carried out
 *   RUNNING -> WAITING  rt_operation   pending is set
 *   RUNNING -> ENDED    rt_thread_end
 *   RUNNING -> FAILED   rt_fail_done   only where others continue
 */
#pragma once

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include "runtime/core/round_state.h"
#include "runtime/core/added_ops.h"
#include "runtime/core/rt_assert.h"
#include "runtime/core/draw_state.h"
#include "runtime/core/store_choice.h"
#include "wire/api.h"
#include "wire/hooks.h"
#include "wire/layout.h"
#include "wire/site.h"
#include "wire/wire.h"

#define RT_HIDDEN __attribute__((visibility("hidden")))
#define RT_EXPORT __attribute__((visibility("default")))
/* A replaced function; weak, so that a program's own function of that name takes precedence. */
#define RT_API __attribute__((visibility("default"), weak))
#define RT_NONE UINT32_MAX
#define RT_MISUSE UINT64_MAX /* result of an operation the object does not allow */

/* True once this process is under treadle's control (start.c). */
extern RT_HIDDEN bool rt_controlled;

typedef struct rt_above rt_above; /* above.h */

/* ---- clocks ---- */

/* For each thread, its last segment that happened before; 0 beyond len. len and cap are multiples of
 * RT_CLOCK_STEP, and the entries between them are zero. */
#define RT_CLOCK_STEP 8u

typedef struct rt_clock {
    uint32_t *at;
    uint32_t len, cap;
} rt_clock;

/* ---- objects ---- */

/* HELD: by a writer; also a semaphore at 0, an initialisation in progress, a cancelled thread: operations
 * that require an open object must wait. */
enum rt_object_state { RT_OBJECT_FREE, RT_OBJECT_HELD, RT_OBJECT_DESTROYED };

/* The type as which the program has used the object. */
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

/* The latest times at which an object was operated on; virtual_time.c. */
typedef struct rt_when_done {
    uint64_t exclusive_ns, any_ns;
} rt_when_done;

/* A thread that holds a read lock. */
typedef struct rt_reader {
    uint32_t thread, depth, site;
} rt_reader;

/* After the owner's death EOWNERDEAD goes to the next locker; without pthread_mutex_consistent() the mutex then
 * becomes ENOTRECOVERABLE. */
enum rt_robust { RT_ROBUST_WELL, RT_ROBUST_DEAD, RT_ROBUST_TOLD, RT_ROBUST_LOST };

#define RT_FRAMES 24u /* recorded frames of a stack */

/* The stores of an atomic object; store_list.c. */
typedef struct rt_store_list rt_store_list;

/* What operations act on; created when first used in a run. */
typedef struct rt_object {
    uint64_t address;
    uint8_t state;  /* enum rt_object_state; atomics stay FREE */
    uint8_t type;   /* enum rt_object_type */
    bool is_made;   /* initialised, or used without initialisation */
    uint32_t owner; /* holder if HELD, or RT_NONE */
    uint32_t depth; /* recursion depth of a mutex */
    /* Value of a semaphore; number of threads that a barrier waits for. */
    uint32_t count;
    uint32_t n_states;             /* exclusive operations on it so far */
    uint32_t last_place;           /* place of the last of them; 0: there was none */
    uint32_t arrived;              /* barrier: threads that have arrived in this cycle */
    uint8_t robust;                /* enum rt_robust, for a robust mutex */
    uint32_t held_site;            /* site of the acquisition */
    uint32_t held_prev, held_next; /* list of the owner's objects; RT_NONE ends it */
    uint32_t waiters; /* first thread whose pending operation may have to wait */
    uint32_t n_readers, cap_readers;
    rt_reader *readers; /* holders of a read-write lock to read */
    uint64_t mutex;     /* condition variable: the mutex that its waiters use */
    rt_queue *queue; /* threads that wait to be woken (queue.c); NULL: there were none */
    rt_clock clock;  /* clock that a thread joins when it acquires the object */
    uint32_t head;   /* atomic: the owner of its release sequence; release.c */
    rt_heads *heads; /* atomic: its release sequences if head is RT_SEVERAL */
    rt_clock others; /* clock released by readers; barrier: clock of earlier cycles */
    rt_when_done done;     /* when it was last operated on */
    void *history;         /* op_marks.c */
    rt_store_list *stores; /* atomic, with WIRE_JOB_STORES: store_list.c */
} rt_object;

/* ---- release sequences of atomics ---- */

/* rt_object.head: 0 none, thread + 1 of the only one, or this. */
#define RT_SEVERAL UINT32_MAX

/* State saved by rt_release_save. */
typedef struct rt_released {
    uint32_t head, n;
    bool is_head;
    rt_clock clock, own;
} rt_released;

/* ---- threads ---- */

typedef struct rt_op {
    uint8_t kind; /* enum wire_kind as requested; the grant may make it the failed one */
    uint8_t size, order;
    uint8_t rmw;  /* enum wire_rmw; for a CAS: its order if it fails */
    uint8_t type; /* enum rt_object_type that it requires */
    uint32_t site;
    uint32_t target; /* JOIN: the thread; CREATE: the new one */
    uint32_t flags;  /* WIRE_F_* that its record gets as well */
    uint64_t object;
    rt_object *model; /* the object's model; set by rt_operation */
    uint64_t a, b;    /* operands */
    uint64_t a_high;  /* for 16 bytes: the upper half of the expected value */
    /* The thread would not wait forever: it has a timeout, or waits for something that was chosen to happen.
     * If no thread is enabled this is not a deadlock. */
    bool patient;
    bool cancellable;   /* likewise, once the thread is cancelled */
    bool interruptible; /* likewise, once it gets a signal; set by rt_operation */
    bool has_value;     /* KILL: b is the value sent with the signal */
    const char *wrong;  /* error message, set by the grant with the result RT_MISUSE */
    bool spins;         /* it was executed and undone: spin.c */
} rt_op;

#define RT_CLASSES WIRE_N_CLASSES

/* The header before each block of the heap. */
typedef struct rt_block {
    uint64_t size : 40; /* the requested size */
    uint64_t class : 8; /* RT_CLASSES: too large for one */
    uint64_t align : 6; /* its first byte is a multiple of 1 << align */
    uint64_t mark : 10; /* RT_LIVE or RT_FREED; otherwise the program overwrote it */
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

/* Describes a freed block; stored in the site plane of its header, where no access leaves anything. */
typedef struct rt_past {
    uint32_t made_site, made_thread;
    uint32_t freed_site, freed_segment;
} rt_past;

/* The heap of a thread; blocks it freed wait in a queue per size class. */
typedef struct rt_heap {
    uint64_t base, top, end; /* top grows */
    uint64_t first[RT_CLASSES], last[RT_CLASSES];
    uint32_t waiting[RT_CLASSES];
} rt_heap;

/* A thread's loops; spin.c. */
typedef struct rt_spin {
    uint64_t n_own;     /* operations of the thread */
    uint64_t changes;   /* changes that it made */
    uint64_t n_writes;  /* plain writes that were noticed */
    uint64_t n_decided; /* n_own at its last DECIDE, plus 1; 0: never */
    /* Length of the effect-free iteration that it has just made; 0: none. */
    uint32_t n_idle;
    rt_read *reads;   /* RT_MAX_READS entries, by n_own; NULL: it has passed no loop */
    rt_write *writes; /* RT_MAX_WRITES, by n_writes */
    uint64_t n_asked; /* how often it has read the time */
    uint64_t n_times;
    rt_time times[RT_MAX_TIMES]; /* by n_times */
    rt_clock clock, seen;        /* before its last operation */
    rt_released object;          /* likewise, of what an exchange may change */
    uint64_t heard_ns;           /* likewise */
    rt_when_done done;           /* likewise, of its object */
    bool saw;                    /* its last record had WIRE_F_SAW */
    /* Its next plain write is noticed, if it comes after fewer plain accesses than this. */
    uint32_t armed;
    /* Segments started since its last operation to notice writes, at most: */
    uint32_t n_renewed;
    uint32_t most_renewed;    /* 0: RT_RENEWED */
    bool gave_up;             /* the limit was reached */
    bool resumes;             /* its next operation has been chosen */
    bool resume_alternatives; /* ... and the alternatives are to be recorded */
    uint32_t resume_n;        /* ... out of so many threads */
    uint32_t n_round;         /* operations of the effect-free iteration */
    uint32_t site;            /* site of the loop */
    bool asks_time;           /* the iteration in which it waits read the time */
    /* It was given another iteration, to see whether it continues. */
    bool is_tried;
    uint32_t n_tried;      /* operations of that iteration */
    const wire_loop *loop; /* the loop */
    wire_round start;      /* state at the start of the iteration */
    uint64_t frames_end;   /* end of the program's frames at the last loop header */
    rt_op parked;          /* the operation before which it waits */
    bool is_turned;        /* that is the first operation after the loop header */

    /* Plain accesses of the iterations that are examined. */
    bool lists;          /* accesses are listed */
    bool is_endless;     /* it is blocked in a loop that nothing can end */
    bool reads_others;   /* there was a read that cannot be promoted */
    uint32_t n_accesses; /* sites below */
    uint32_t accesses[RT_MAX_ACCESSES];

    /* The last iteration had no effect, but cannot be undone: if the next operation has none either, that
     * one is undone. */
    wire_loop *turn; /* the loop; NULL: not so */
    wire_round turn_from;
    uint32_t turn_site;

    rt_stores stores;
    rt_fold *fold;  /* NULL: it has entered no loop, or nobody wants to know (fold.c) */
    bool is_folded; /* it stopped at a header where it had been in the same state */
} rt_spin;

typedef struct rt_specific rt_specific; /* tls_keys.c */
typedef struct rt_local rt_local;       /* cxx_objects.c */

/* The signals of a thread; bit n - 1 is signal n. A signal that was sent and not taken differs in sent and
 * taken. */
typedef struct rt_signals {
    uint64_t mask; /* blocked signals */
    uint64_t sent, taken;
    uint64_t wants; /* the signals it waits for; 0: it does not wait */
    /* ... if one of these must arrive; 0: a timeout also ends the wait */
    uint64_t awaited;
    uint64_t value; /* value sent with a signal */
    int value_of;   /* the signal of value; 0: none */
    /* Masked by rt_signal_blocks: a handler that runs meanwhile ends the call. */
    bool is_masked;
    bool let_in;   /* a handler ran */
    stack_t stack; /* alternate stack for handlers */
} rt_signals;

/* True if only the program itself sends the awaited signals. */
static inline bool rt_signals_own(uint64_t awaited, uint64_t sends)
{
    return awaited != 0 && (awaited & ~sends) == 0;
}

/* Signals sent to a thread and not taken, for which a handler would run. */
static inline uint64_t rt_signals_pending(const rt_signals *s)
{
    return s->sent ^ s->taken;
}

#define RT_NAME_BYTES 16

enum rt_thread_state { RT_WAITING, RT_RUNNING, RT_ENDED, RT_FAILED };

/* Bytes of a stack that were locals until their function returned, in a segment of its thread. */
typedef struct rt_left {
    uint64_t start, end;
    uint32_t segment;
} rt_left;

typedef struct rt_thread {
    uint32_t id, slot, stack;
    uint32_t state;                /* enum rt_thread_state */
    uint32_t wait_prev, wait_next; /* in an object's waiters or a thread's joiners */
    uint32_t joiners;              /* first thread that waits to join it */
    uint32_t segment;
    uint32_t ended_segment; /* the segment that its last operation ended */
    uint8_t did;            /* outcome of that operation */
    void *sp;               /* saved stack pointer (fibers) */
    uint64_t tp;            /* thread pointer */
    rt_op pending;
    uint64_t result; /* of the granted operation */
    rt_clock clock;
    rt_clock released, seen; /* for fences: at the last release fence; by relaxed loads */
    uint32_t n_spurious;     /* spurious wakeups so far */
    /* The calls at which it has chosen whether to wake spuriously. */
    struct rt_sites *woken_at;
    uint32_t yield_site; /* site of the call, if yielded */
    bool yielded, detached, joined;
    bool asked_reuse; /* it has chosen whether freed blocks are reused at once */
    bool saw;         /* WIRE_F_SAW, for its next operation */
    bool time_joined; /* another thread has advanced its time */
    bool gave_stack;  /* its thread-local storage may be lent again */
    bool faulted;     /* its last access was announced but faulted ... */
    uint64_t fault;   /* ... at this address */
    void *(*start)(void *);
    void *arg, *value;
    uint32_t parent, n_created, create_site;
    /* Uses of its handle by other threads; thread_life.c. */
    struct rt_use *handle_uses;
    rt_clock detach_clock; /* clock of the thread that detached it */
    uint32_t n_stores;     /* its atomic stores, with WIRE_JOB_STORES */
    bool by_step;          /* its last choice was one of the job's steps */
    uint32_t foreign_site; /* its last call of uninstrumented code */
    uint32_t cxx_end;      /* site where it last threw or called std::terminate */
    /* Site of the call of libstdc++ that it executes; 0: none. */
    uint32_t cxx_site;
    uint64_t path; /* hash of its ancestry */
    /* PCT: restored at back_at; POS: priority of pending. */
    uint64_t priority, own_priority;
    uint32_t back_at;
    uint64_t fenv;      /* floating-point control words when it last created a thread */
    uint64_t now_ns;    /* virtual time */
    uint64_t heard_ns;  /* the latest time that it has observed of other threads */
    uint64_t random;    /* state of rand() and friends */
    uint32_t held;      /* first object it holds */
    uint64_t stack_low; /* lowest stack pointer seen */
    uint64_t called_at; /* end of the program's part of the stack at its last call */
    uint64_t stack_at;  /* the same while another thread runs */
    /* Range of its stack that other threads accessed; watch.c. */
    uint64_t shown_start, shown_end;
    rt_left *left; /* sorted and disjoint; left.c */
    uint32_t n_left, cap_left;
    uint64_t
        /* The object on which it was woken, if that was destroyed before it left; queue.c. */
        let_go;
    uint64_t frames_recorded; /* hash of the last recorded stack; frames.c */
    uint32_t n_inputs;        /* it has made */
    uint32_t n_reads;         /* READ nodes it has made */
    uint32_t arg_label, value_label;
    uint32_t unclaimed; /* label of its last read, until it is fetched (reads.c) */
    uint64_t unclaimed_at;
    bool returns_int;              /* C11 */
    bool cancelled;                /* a cancellation was sent */
    bool cancel_off, cancel_async; /* cancellation state and type */
    void *cleanup;                 /* newest __pthread_unwind_buf_t */
    void *leaving;                 /* the value it ends with, while handlers run */
    rt_local *locals;       /* thread-local objects with destructors, newest first */
    rt_specific *specifics; /* sorted by key */
    uint32_t n_specifics, cap_specifics;
    uint32_t n_keys; /* it has made */
    rt_signals signals;
    char name[RT_NAME_BYTES];
    void *cpus; /* thread_attrs.c; NULL: not set */
    rt_inside inside[WIRE_MAX_REPAIRS];
    bool is_repairing; /* it makes an operation of a repair */
    rt_spin spin;
    rt_heap heap;
} rt_thread;

/* ---- the one state ---- */

#define RT_MAX_THREADS PLAN_N_SLOTS
#define RT_MAX_STACKS 4096u
#define RT_SIGNAL_STACK (UINT64_C(64) << 10) /* bytes per real thread */
#define RT_SIGNAL_GUARD (UINT64_C(64) << 10) /* below it */
#define RT_MAX_RACES 512u
#define RT_ATOMICALLY 4096u /* bits; a power of two */
#define RT_RANGES 256u      /* open at a time; a power of two */
#define RT_RANGE_BUCKETS 64u
#define RT_LARGE 32u
#define RT_KNOWN_BLOCKS 4u
/* Recorded plain accesses of a run, with WIRE_JOB_DETAIL. */
#define RT_DETAIL_RUN 1000000u
#define RT_PROMOTED_BYTES 8u      /* largest access that can be an operation */
#define RT_MAX_STACKS_TOLD 60000u /* recorded stacks of a run */

/* The current job; steps are read from the ring. */
typedef struct rt_job {
    wire_job head;
    uint64_t steps_at;    /* position of its first step in the ring */
    uint64_t inputs_at;   /* position of its first input */
    uint64_t promoted_at; /* position of its first promoted site */
    uint32_t step;        /* next step */
    uint32_t step_left;   /* choices left in it */
    uint32_t step_thread;
    bool following;       /* steps are left */
    rt_store_choice next; /* store choice for the first choice of the step */
    rt_store_choice now;  /* store choice for the granted operation */
} rt_job;

typedef struct rt_stack {
    uint64_t tp;
    uint64_t tls_start, tls_end; /* its thread-local storage */
    void *saved;                 /* its contents at the snapshot */
    uint64_t memory_end;         /* end of the parked thread's memory */
    void *signals;               /* stack for its signal handlers */
    uint32_t wake;               /* futex (real threads) */
    uint32_t user;               /* thread that uses it, or RT_NONE */
    uint32_t started;            /* real threads: it left its parking place */
} rt_stack;

/* Saved contents of main's arguments or environment. */
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

/* A range that may still grow. */
typedef struct rt_open {
    rt_range range;
    uint64_t older; /* the next older one of its bucket, as in rt_touched.newest */
} rt_open;

/* The bytes that the running segment has touched: ranges numbered first to next - 1 are open. */
typedef struct rt_touched {
    rt_open open[RT_RANGES];           /* by number modulo RT_RANGES */
    uint64_t newest[RT_RANGE_BUCKETS]; /* number + 1; if at most first: none */
    uint64_t first, next;
    uint32_t thread;     /* the thread that touched them */
    struct pages *pages; /* bytes of closed ranges; touched_pages.c */
} rt_touched;

/* The memory that the last granted operation reads or writes, with WIRE_JOB_READS; shared_reads.c. */
typedef struct rt_visible {
    uint64_t at; /* 0: consumed */
    uint32_t size, label, site;
    uint32_t before[8]; /* previous labels of its bytes */
} rt_visible;

/* An argument of main that is an input; argv_inputs.c. */
typedef struct rt_given {
    wire_sym_arg arg;
    char *text;     /* argv[arg.index] */
    bool has_text;  /* the text was given */
    uint64_t first; /* the text as a number: the value if the job names none */
    uint64_t value; /* value in this run, extended to 64 bits */
    uint32_t label;
} rt_given;

typedef struct rt_key rt_key; /* tls_keys.c */

/* A function to be called when the process ends; exit.c. */
typedef struct rt_handler {
    struct rt_handler *next;
    void (*function)(void);
    void *arg;
    int kind;
    uint32_t site; /* where it was registered */
    rt_clock
        /* Clock of the thread that registered it: that thread's earlier operations happen before the
         * handler. */
        clock;
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
    const rt_above *above; /* functions of higher folders */
    wire_shm *shm;
    int pipe;
    bool direct; /* run one job in this process, for a debugger */

    /* the run */
    rt_thread *self;
    rt_thread *starter; /* waits for a new thread to reach its first operation */
    rt_job job;
    uint32_t n_threads, n_live;
    uint32_t n_ops, n_choices;
    /* Limit to which the depth of the job may grow (rt_depth_forgive) */
    uint32_t most_ops;
    uint32_t last;       /* thread of the last choice */
    uint32_t run_length; /* choices it made in a row */
    uint32_t atomic;     /* depth of the atomic section of self */
    bool active;         /* a run is under way */
    bool checking;       /* ... but a specification is evaluated, outside of the run */
    uint32_t run;        /* its number in this process */
    bool exiting;        /* the process exits: operations are granted at once */
    bool detail;
    uint32_t stacks_left; /* stacks that may still be recorded in this run (frames.c) */
    /* Return addresses being recorded, and frame pointers. */
    uint64_t frames[2 * RT_FRAMES];
    bool footprint;    /* plain accesses are recorded as ranges */
    bool promoting;    /* plain accesses of some sites are operations */
    bool is_repaired;  /* there are virtual repairs (added_ops.c) ... */
    bool repairs_made; /* ... and their objects */
    uint32_t n_left_first[WIRE_MAX_REPAIRS]; /* ORDER: how often part 0 was left */
    bool flow;   /* values read are tracked to where they affect control flow (reads.c) */
    bool every;  /* no check passes inline */
    bool exact;  /* each access of a segment keeps its own site */
    bool ending; /* a signal ends the run */
    int hang_signal;
    void (*crash_handler)(int, siginfo_t *, void *); /* crash.c */
    bool tainted;      /* the process cannot be restored, so it is not used again */
    bool regroups;     /* the run may have changed its supplementary groups; groups.c */
    bool makes_inputs; /* the program makes symbolic inputs */
    /* makes_inputs, or reads of this run are symbolic; labels are tracked. */
    bool symbolic;
    bool reads;     /* values read by operations are symbolic in this run */
    bool rounds;    /* a thread whose loop iteration only read is blocked there */
    bool folds;     /* loop headers are reported (fold.c) */
    bool slots_all; /* ... and whatever a loop has changed is a slot */
    rt_visible reading, writing;
    bool has_wide; /* some image has atomic accesses of 16 bytes */
    uint32_t uses; /* enum wire_uses: functions that some image of the program calls */
    uint32_t n_inputs,
        input_at; /* inputs made in this run; index of the job's next one */
    uint32_t stdin_at,
        /* Next byte of a given standard input; the thread that read last. */
        stdin_thread;
    uint32_t n_typed;        /* objects of the threads library that the run has used */
    struct rt_share *shares; /* streams and files in use (posix/shares.h) */
    struct rt_fds *fds; /* descriptors between threads (fd.c); NULL: there were none */
    bool alone;         /* the program makes no threads */
    struct rt_mapping *mappings; /* mappings of the run (posix/mapping.c) */
    struct rt_overlay *overlay;  /* files of the run (posix/overlay.h) */
    bool fds_seen;               /* the program can observe numbers of descriptors */
    /* Every stream is a separate object (fd.h): the program does not poll, or: */
    bool fds_apart;
    bool fds_watched; /* a stream that is polled is detected, and stops being separate */
    int null_fd;      /* descriptor that reserves their numbers in the process; 0: none */
    /* Threads that were cut, because other runs explore the rest (left_out.c) */
    uint32_t n_cut;
    uint64_t storing;    /* threads that have stored in a loop, by id modulo 64 */
    uint32_t n_spinning; /* threads whose pending operation spins */
    /* Threads that have failed and stopped, or are blocked in a loop. */
    uint32_t n_failed;
    uint32_t n_endless; /* ... in a loop that nothing can end */
    bool choosing;      /* the next operation is being chosen and executed */
    /* A history that is not linearizable was recorded in this run. */
    bool has_unexplained;
    /* Self tries one more iteration of its loop, which leaves no trace. */
    bool trying;
    bool gap_memory;
    uint64_t heap_used;
    uint32_t segment, segment_base;
    uint64_t rng;
    uint32_t pct_points[16];
    uint32_t n_pct_points, pct_start; /* pct_start: choices made before counting starts */
    uint64_t pct_low;                 /* next priority below all others */
    rt_walk walk;
    rt_target_pairs targets;
    rt_handler *exits, *quick_exits;               /* newest first */
    rt_handler *exits_before, *quick_exits_before; /* those registered before main */
    rt_finis *finis, *finis_left;
    rt_constructor *constructors; /* in the order of their calls */
    bool registers;               /* instrumented code registers handlers of exit */
    uint64_t has_handler;         /* bits of the signals that have a handler; signal.c */
    struct sigaction handlers[64];
    uint64_t has_kernels; /* bits of the signals whose action in the kernel the run set */
    struct sigaction kernels[64]; /* the previous actions */
    /* Bits of the signals whose action was set while there were threads. */
    uint64_t has_setter;
    /* Clocks of these threads: their earlier operations happen before the handler. */
    rt_clock setters[64];
    uint64_t process_signals; /* sent to the process, and not taken by a thread */
    uint64_t sends;        /* bits of the signals that the program sends, by its calls */
    uint64_t signals_sent; /* ... that it has sent in this run */
    uint64_t signals_lost; /* ... of which one would have been queued */
    uint64_t timers,
        timers_made;             /* bits of the signals that armed timers send; timer.c */
    uint64_t timers_handled;     /* of them, those with a handler */
    uint32_t timer_site;         /* site that last armed a timer */
    struct itimerval itimers[3]; /* as the program set them */
    int concurrency;
    rt_key *keys; /* tls_keys.c */
    uint32_t n_keys, cap_keys;
    /* Granules written by atomic operations in this run, a bit for many of them. */
    uint64_t atomically[RT_ATOMICALLY / 64];
    rt_range known[RT_KNOWN_BLOCKS]; /* live blocks that were accessed last; watch.c */
    uint32_t next_known;             /* index of the entry to replace next */
    /* Address of the last access that was checked out of line. */
    uint64_t last_address;
    uint32_t last_site;
    /* Site of the last call of uninstrumented code or of the runtime. */
    uint32_t last_call;

    uint32_t n_joined; /* threads of this run that were joined */
    /* The last call of a replaced function came from uninstrumented code. */
    bool called_by_other;
    /* Uninstrumented code was called while self was the only thread; returns.c. */
    bool entered_alone;
    uint64_t return_slot; /* address of the return address of return_to; 0: none */
    uint32_t return_site;
    uint64_t main_sp; /* stack pointer of main's caller */

    /* detail: accesses still reported in this segment and in this run */
    uint32_t detail_segment, detail_run;
    /* detail: the last plain write, whose value is not known yet */
    uint64_t pending_write; /* position of its record + 1, 0: none */
    rt_touched touched;     /* footprint */

    /* the process */
    void *base_sp;
    uint64_t base_tp;
    bool fsgsbase, avx2; /* features of the processor */
    uint32_t carrier;
    uint32_t n_stacks, n_free_stacks;
    uint32_t free_stacks[RT_MAX_STACKS];
    rt_stack stacks[RT_MAX_STACKS];
    /* The real main thread's: only its futex is used. */
    rt_stack main_stack;
    uint64_t guarded[PLAN_N_SLOTS / 64]; /* slots whose stack has its guard page */
    uint64_t trace_at;                   /* position of the next record */
    rt_block *leak_todo; /* leak.c: reached blocks whose contents remain to be scanned */
    bool has_lists;      /* race.c: some granule had a list in this run */
    void *free_slots;    /* race.c: freed list entries */
    uint32_t n_races;
    rt_range large[RT_LARGE]; /* atomic objects of the run that no granule holds */
    bool keeps_stores;        /* WIRE_JOB_STORES */
    rt_laid laid;             /* store_list.c */
    rt_labelled labelled;     /* likewise */
    bool has_labelled;        /* likewise: a store has a label */
    uint32_t n_large;
    uint64_t races[RT_MAX_RACES]; /* pairs of sites reported in this run */
    uint32_t n_promoted;
    /* Promoted sites of this run, or of the previous one. */
    uint32_t promoted[WIRE_MAX_PROMOTED];
    bool labels_mapped;
    void (*spell)(uint64_t p,
                  uint64_t size); /* labels of the digits of a text; argv_inputs.c */
    uint64_t saved_at;            /* next free address for saved data; storage.c */
    rt_heap main_heap;            /* main's heap before a run; then at the snapshot */
    /* Heap of the pool's threads: its size does not affect other addresses. */
    rt_heap service_heap;
    bool preparing;   /* the pool is being created */
    rt_heap big_heap; /* blocks too large for a slot */
    uint64_t reusable
        [RT_CLASSES]; /* freed blocks of this run that any thread may get; the last one */
    void *main_heap_saved;
    uint64_t heap_used_at_start;
    char **argv, **envp;
    rt_words words[2]; /* arguments, environment */
    int argc;
    rt_given given[WIRE_MAX_SYM_ARGS];
    uint32_t n_given;
    int first_free_fd;
    /* Instrumented functions, by a hash of their address; foreign.c. */
    uint64_t *functions;
    uint64_t n_functions, cap_functions;
    uint32_t n_listed;      /* images whose functions are among them */
    struct rt_found *found; /* what is known about other functions */
    wire_main *user_main;
    void *own_base;    /* address of the executable */
    bool counts_tasks; /* at the end of every run; trap.c */

    uint32_t live[RT_MAX_THREADS]; /* sorted */
    /* Threads that wait and whose operation could be granted now, a bit each. */
    uint64_t enabled[RT_MAX_THREADS / 64];
    uint64_t were_enabled[RT_MAX_THREADS / 64]; /* scratch of the scheduler */
    uint64_t asleep[RT_MAX_THREADS / 64];       /* passed over by the policy; wire_step */
    uint32_t n_enabled, n_asleep;
    uint32_t slot_thread[PLAN_N_SLOTS]; /* thread + 1 */
    rt_thread threads[RT_MAX_THREADS];
};

#define rt ((struct rt_state *)PLAN_STATE)

/* True inside a run. Otherwise the program was started without treadle, or is not yet in main, and every
 * call goes to the C library. */
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
#define RT_SNAPSHOT_SIZE UINT64_C(0x400000)            /* of the head of the region */
#define RT_SAVED_END (PLAN_STATE + UINT64_C(0x5000000000))
#define RT_BLOCKS (PLAN_STATE + UINT64_C(0x5000000000))  /* block.c */
#define RT_OBJECTS (PLAN_STATE + UINT64_C(0x6000000000)) /* rt_object */
#define RT_OBJECT_TABLE (PLAN_STATE + UINT64_C(0x7000000000))
#define RT_SYMBOLS (PLAN_STATE + UINT64_C(0x7c00000000)) /* symbolic/nodes.h */
#define RT_NODES (PLAN_STATE + UINT64_C(0x7d00000000))
#define RT_MAX_SEGMENT UINT32_C(0x7ffff0)
#define RT_GAPS (PLAN_STATE + UINT64_C(0x7fd0000000))  /* gaps.c */
#define RT_NAMES (PLAN_STATE + UINT64_C(0x7fe0000000)) /* named.c */

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

/* The stack is the upper end of the slot; the heap ends PLAN_GUARD_SIZE below it. */
static inline uint64_t rt_stack_bottom(uint32_t slot)
{
    return rt_slot_base(slot) + PLAN_SLOT_SIZE - PLAN_STACK_SIZE;
}

static inline uint64_t rt_stack_top(uint32_t slot)
{
    return rt_slot_base(slot) + PLAN_SLOT_SIZE - rt_slot_colour(slot);
}

/* Regions lie one behind the other. */
static_assert(sizeof(struct rt_state) <= RT_SEGMENTS - PLAN_STATE,
              "the state comes first");
static_assert(RT_SEGMENTS + (RT_MAX_SEGMENT + 1) * sizeof(uint32_t) <= RT_PROMOTED,
              "a thread for each segment");
static_assert(RT_SAVED + RT_SNAPSHOT_SIZE < RT_SAVED_END, "room behind the head");
static_assert(RT_NAMES < PLAN_STATE + PLAN_STATE_SIZE, "all of them are mapped");
static_assert((RT_MAX_READS & (RT_MAX_READS - 1)) == 0 &&
                  (RT_MAX_WRITES & (RT_MAX_WRITES - 1)) == 0 &&
                  (RT_MAX_TIMES & (RT_MAX_TIMES - 1)) == 0,
              "rings");
