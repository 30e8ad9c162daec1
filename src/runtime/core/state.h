/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/state.h - the state of the runtime linked into the program under test.
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
/* A function taken over; a program that defines its own of that name is not. */
#define RT_API __attribute__((visibility("default"), weak))
#define RT_NONE UINT32_MAX
#define RT_MISUSE UINT64_MAX /* result of an operation the object does not allow */

/* True once this process is under treadle's control (start.c). */
extern RT_HIDDEN bool rt_controlled;

typedef struct rt_above rt_above; /* above.h */

/* ---- clocks ---- */

/* For each thread, the last segment of it that happened before; 0 beyond len. len and cap are
 * multiples of RT_CLOCK_STEP, what lies between is zero. */
#define RT_CLOCK_STEP 8u

typedef struct rt_clock {
    uint32_t *at;
    uint32_t len, cap;
} rt_clock;

/* ---- objects ---- */

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

/* After the owner's death EOWNERDEAD goes to the next locker; without pthread_mutex_consistent() the mutex then
 * becomes ENOTRECOVERABLE. */
enum rt_robust { RT_ROBUST_WELL, RT_ROBUST_DEAD, RT_ROBUST_TOLD, RT_ROBUST_LOST };

#define RT_FRAMES 24u /* of a stack that are told */

/* What operations are done to, made when it is first used in a run. */
typedef struct rt_store_list rt_store_list;

typedef struct rt_object {
    uint64_t address;
    uint8_t state;                 /* enum rt_object_state; atomics stay FREE */
    uint8_t type;                  /* enum rt_object_type */
    bool is_made;                  /* by an init, or used without one */
    uint32_t owner;                /* of what is HELD, or RT_NONE */
    uint32_t depth;                /* of a recursive mutex */
    uint32_t count;                /* of a semaphore; threads that a barrier waits for */
    uint32_t n_states;             /* exclusive operations on it so far */
    uint32_t last_place;           /* of the last of them; 0: there was none */
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
    rt_when_done done;     /* when it was last operated on */
    void *history;         /* op_marks.c */
    rt_store_list *stores; /* of an atomic, with WIRE_JOB_STORES: store_list.c */
} rt_object;

/* ---- release sequences of atomics ---- */

/* rt_object.head: 0 none, thread + 1 of the only one, or this. */
#define RT_SEVERAL UINT32_MAX

/* What rt_release_save keeps. */
typedef struct rt_released {
    uint32_t head, n;
    bool is_head;
    rt_clock clock, own;
} rt_released;

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
    /* The thread would not wait forever: it has a timeout, or waits for what was chosen to
     * come. If no thread can continue this is not a deadlock. */
    bool patient;
    bool cancellable;   /* likewise, once the thread is cancelled */
    bool interruptible; /* likewise, once it gets a signal; set by rt_operation */
    bool has_value;     /* KILL: b is sent with it */
    const char *wrong;  /* set by the grant with the result RT_MISUSE: what is wrong */
    bool spins;         /* it was done, and undone: spin.c */
} rt_op;

#define RT_CLASSES WIRE_N_CLASSES

/* The head that stands before each block of the heap. */
typedef struct rt_block {
    uint64_t size : 40; /* as asked for */
    uint64_t class : 8; /* RT_CLASSES: too large for one */
    uint64_t align : 6; /* its first byte is a multiple of 1 << align */
    uint64_t mark : 10; /* RT_LIVE or RT_FREED; else the program wrote over it */
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
    uint64_t n_own;     /* operations it has done */
    uint64_t changes;   /* things it has changed */
    uint64_t n_writes;  /* plain writes that were noticed */
    uint64_t n_decided; /* n_own when it decided last, and 1; 0: never */
    uint32_t n_idle;    /* it stands behind a round of so many reads; 0: it does not */
    rt_read *reads;     /* RT_MAX_READS, by n_own; NULL: it has passed no loop */
    rt_write *writes;   /* RT_MAX_WRITES, by n_writes */
    uint64_t n_asked;   /* it has asked for the time */
    uint64_t n_times;
    rt_time times[RT_MAX_TIMES]; /* by n_times */
    rt_clock clock, seen;        /* before its last operation */
    rt_released object;          /* likewise, of what an exchange may change */
    uint64_t heard_ns;           /* likewise */
    rt_when_done done;           /* likewise, of its object */
    bool saw;                    /* the record of its last operation said so */
    uint32_t armed;           /* its next plain write is to be noticed, if it comes after
                                   * fewer plain accesses than this */
    uint32_t n_renewed;       /* segments that were started since its last operation to
                                   * notice writes, and no more than this: */
    uint32_t most_renewed;    /* 0: RT_RENEWED */
    bool gave_up;             /* there were to be more */
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

    rt_stores stores;
} rt_spin;

typedef struct rt_specific rt_specific; /* tls_keys.c */
typedef struct rt_local rt_local;       /* cxx_objects.c */

/* What signals have to do with a thread; bit n - 1 is signal n. Those that were sent and not
 * taken differ in sent and taken. */
typedef struct rt_signals {
    uint64_t mask; /* it blocks */
    uint64_t sent, taken;
    uint64_t wants;   /* it waits for one of these; 0: it does not wait */
    uint64_t awaited; /* ... of which one lets it continue; 0: or a timeout does */
    uint64_t value;   /* that a signal was sent with */
    int value_of;     /* which one; 0: none */
    bool is_masked; /* by rt_signal_blocks: a handler that runs meanwhile ends the call */
    bool let_in;    /* one did */
    stack_t stack;  /* that it has for handlers */
} rt_signals;

/* Nobody but the program sends one of those that are awaited. */
static inline bool rt_signals_own(uint64_t awaited, uint64_t sends)
{
    return awaited != 0 && (awaited & ~sends) == 0;
}

/* What came for a thread, and was not taken; a handler would run. */
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
    uint32_t ended_segment; /* the one that its last operation ended */
    uint8_t did;            /* what that operation turned out to be */
    void *sp;               /* saved stack pointer (fibers) */
    uint64_t tp;            /* thread pointer */
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
    bool gave_stack;  /* its thread-local storage may be lent again */
    bool faulted;     /* its last access was announced and not made; ... */
    uint64_t fault;   /* ... there */
    void *(*start)(void *);
    void *arg, *value;
    uint32_t parent, n_created, create_site;
    struct rt_use *handle_uses;      /* by other threads; thread_life.c */
    rt_clock detach_clock;           /* of who detached it */
    uint32_t n_stores;               /* atomic ones, with WIRE_JOB_STORES */
    bool by_step;                    /* its last choice was one of the job's steps */
    uint32_t foreign_site;           /* its last call of code that is not instrumented */
    uint32_t cxx_end;                /* where it threw last, or called std::terminate */
    uint32_t cxx_site;               /* the call of libstdc++ that it is in; 0: none */
    uint64_t path;                   /* hash of its ancestry */
    uint64_t priority, own_priority; /* PCT: given back at back_at; POS: of pending */
    uint32_t back_at;
    uint64_t fenv;      /* floating-point control words when it last made a thread */
    uint64_t now_ns;    /* virtual time */
    uint64_t heard_ns;  /* the latest time of others that it knows of */
    uint64_t random;    /* state of rand() and friends */
    uint32_t held;      /* first object it holds */
    uint64_t stack_low; /* lowest stack pointer seen */
    uint64_t called_at; /* where the program's part of the stack ended at its last call */
    uint64_t stack_at;  /* the same while another thread runs */
    uint64_t shown_start, shown_end; /* what others touched of its stack; watch.c */
    rt_left *left;                   /* rising, apart from each other; left.c */
    uint32_t n_left, cap_left;
    uint64_t
        let_go; /* the object that it was woken at, if that was destroyed before it left; queue.c */
    uint64_t frames_told; /* hash of the stack that was told last; frames.c */
    uint32_t n_inputs;    /* it has made */
    uint32_t n_reads;     /* READ nodes it has made */
    uint32_t arg_label, value_label;
    uint32_t
        unclaimed; /* label of its last read, while no label was asked for (reads.c) */
    uint64_t unclaimed_at;
    bool returns_int;              /* C11 */
    bool cancelled;                /* a cancellation was sent */
    bool cancel_off, cancel_async; /* its state and type */
    void *cleanup;                 /* newest __pthread_unwind_buf_t */
    void *leaving;                 /* the value it ends with, while handlers run */
    rt_local *locals;       /* thread-local objects with destructors, newest first */
    rt_specific *specifics; /* by key, rising */
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
#define RT_SIGNAL_STACK (UINT64_C(64) << 10) /* bytes, of one real thread */
#define RT_MAX_RACES 512u
#define RT_ATOMICALLY 4096u /* bits; a power of two */
#define RT_RANGES 256u      /* open at a time; a power of two */
#define RT_RANGE_BUCKETS 64u
#define RT_LARGE 32u
#define RT_KNOWN_BLOCKS 4u
#define RT_DETAIL_RUN                                                                    \
    1000000u /* plain accesses of a run that are told with WIRE_JOB_DETAIL */
#define RT_PROMOTED_BYTES 8u      /* of an access that can be an operation */
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
    bool following;       /* steps are left */
    rt_store_choice next; /* of the first choice of the step */
    rt_store_choice now;  /* of the operation that is granted */
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

/* A range that may still grow. */
typedef struct rt_open {
    rt_range range;
    uint64_t older; /* the next older one of its bucket, as in rt_touched.newest */
} rt_open;

/* What the running part has touched: ranges numbered first to next - 1 are open. */
typedef struct rt_touched {
    rt_open open[RT_RANGES];           /* by number modulo RT_RANGES */
    uint64_t newest[RT_RANGE_BUCKETS]; /* number + 1; at most first: none */
    uint64_t first, next;
    uint32_t thread;     /* whose they are */
    struct pages *pages; /* what closed ranges touched; touched_pages.c */
} rt_touched;

/* What the operation that was granted last reads or writes, with WIRE_JOB_READS; shared_reads.c. */
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
    uint32_t site; /* where it was registered */
    rt_clock
        clock; /* of the thread that registered it: the handler knows what that one did before */
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
    const rt_above *above; /* what core calls of the folders above it */
    wire_shm *shm;
    int pipe;
    bool direct; /* run one job in this process, for a debugger */

    /* the run */
    rt_thread *self;
    rt_thread *starter; /* waits for a new thread to reach its first operation */
    rt_job job;
    uint32_t n_threads, n_live;
    uint32_t n_ops, n_choices;
    uint32_t most_ops;   /* that the depth of the job may grow to (rt_depth_forgive) */
    uint32_t last;       /* thread of the last choice */
    uint32_t run_length; /* choices it made in a row */
    uint32_t atomic;     /* depth of the atomic section of self */
    bool active;         /* a run is under way */
    bool checking;       /* ... but a specification is asked, and all stands aside */
    uint32_t run;        /* its number in this process */
    bool exiting;        /* operations are granted at once */
    bool detail;
    uint32_t stacks_left; /* stacks still told in this run (frames.c) */
    uint64_t
        frames[2 *
               RT_FRAMES]; /* return addresses that are being told, and frame pointers */
    bool footprint;        /* plain accesses are told as ranges */
    bool promoting;        /* plain accesses of some sites are operations */
    bool flow;   /* what is read is followed to where it affects the run (reads.c) */
    bool every;  /* no check passes inline */
    bool exact;  /* each access of a segment keeps its own site */
    bool ending; /* a signal ends the run */
    int hang_signal;
    void (*crash_handler)(int, siginfo_t *, void *); /* crash.c */
    bool tainted;      /* this process is not to be used again */
    bool regroups;     /* the run may have changed its supplementary groups; groups.c */
    bool makes_inputs; /* the program does */
    bool symbolic; /* it does, or reads of this run are symbolic; labels are followed */
    bool reads;    /* what operations read is symbolic in this run */
    bool rounds;   /* a thread whose loop iteration only read is blocked there */
    rt_visible reading, writing;
    bool has_wide; /* some image has atomic accesses of 16 bytes */
    uint32_t uses; /* enum wire_uses: what some image of the program calls */
    uint32_t n_inputs,
        input_at; /* made in this run; where the job's next one is expected */
    uint32_t stdin_at,
        stdin_thread;        /* next byte of a given standard input; who read last */
    uint32_t n_typed;        /* objects of the threads library that the run has used */
    struct rt_share *shares; /* streams and files that were used (posix/shares.h) */
    struct rt_fds *fds; /* descriptors between threads (fd.c); NULL: there were none */
    bool alone;         /* the program makes no threads */
    struct rt_mapping *mappings; /* of the run (posix/mapping.c) */
    struct rt_overlay *overlay;  /* files of the run (posix/overlay.h) */
    bool fds_seen;               /* the program can notice numbers of descriptors */
    bool fds_apart;   /* every stream is an object of its own (fd.h): nobody polls, or: */
    bool fds_watched; /* a stream that is polled says so, and is no longer one */
    int null_fd;      /* what their numbers are reserved with, of the process; 0: none */
    uint32_t
        n_cut; /* threads that stopped since the rest is seen elsewhere (left_out.c) */
    uint64_t storing;    /* threads that have stored in a loop, by id modulo 64 */
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
    uint32_t n_pct_points, pct_start; /* pct_start: choices before they are counted */
    uint64_t pct_low;                 /* next priority below all others */
    rt_walk walk;
    rt_target_pairs targets;
    rt_handler *exits, *quick_exits;               /* newest first */
    rt_handler *exits_before, *quick_exits_before; /* of these, what stands before main */
    rt_finis *finis, *finis_left;
    rt_constructor *constructors; /* in the order of their calls */
    bool registers;               /* instrumented code registers handlers of exit */
    uint64_t has_handler; /* bits of the signals that have one of these; signal.c */
    struct sigaction handlers[64];
    uint64_t has_kernels; /* bits of the signals whose action in the kernel the run set */
    struct sigaction kernels[64]; /* as they were */
    uint64_t
        has_setter; /* bits of the signals whose action was set while there were threads */
    rt_clock setters[64]; /* of who did; the handler knows what that thread did before */
    uint64_t process_signals; /* sent to nobody in particular; no thread has taken them */
    uint64_t sends;        /* bits of the signals that the program sends, by its calls */
    uint64_t signals_sent; /* ... that it has sent in this run */
    uint64_t signals_lost; /* ... of which one would be in a queue */
    uint64_t timers,
        timers_made;             /* bits of the signals that armed timers send; timer.c */
    uint64_t timers_handled;     /* of them, those with a handler */
    uint32_t timer_site;         /* that armed one last */
    struct itimerval itimers[3]; /* as the program set them */
    int concurrency;
    rt_key *keys; /* tls_keys.c */
    uint32_t n_keys, cap_keys;
    /* Granules written by atomic operations in this run, a bit for many of them. */
    uint64_t atomically[RT_ATOMICALLY / 64];
    rt_range known[RT_KNOWN_BLOCKS]; /* live blocks that were accessed last; watch.c */
    uint32_t next_known;             /* the one that the next takes the place of */
    uint64_t last_address;           /* of the last access that was checked out of line */
    uint32_t last_site;
    uint32_t
        last_call; /* site of the last call of what is not instrumented, or the runtime */

    uint32_t n_joined;    /* threads of this run that were joined */
    bool called_by_other; /* the last call of a replaced function: not instrumented */
    bool entered_alone;   /* such code was called while self was alone; returns.c */
    uint64_t return_slot; /* where the return address of return_to was; 0: nowhere */
    uint32_t return_site;
    uint64_t main_sp; /* of what called main */

    /* detail: accesses still reported in this segment and in this run */
    uint32_t detail_segment, detail_run;
    /* detail: the last plain write, whose value is not known yet */
    uint64_t pending_write; /* position of its record + 1, 0: none */
    rt_touched touched;     /* footprint */

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
    bool has_lists;      /* race.c: some granule had one in this run */
    void *free_slots;    /* race.c: of lists that are no longer needed */
    uint32_t n_races;
    rt_range large[RT_LARGE]; /* atomic objects of the run that no granule holds */
    bool keeps_stores;        /* WIRE_JOB_STORES */
    rt_laid laid;             /* store_list.c */
    rt_labelled labelled;     /* likewise */
    bool has_labelled;        /* likewise: a store has a label */
    uint32_t n_large;
    uint64_t races[RT_MAX_RACES]; /* pairs of sites reported in this run */
    uint32_t n_promoted;
    uint32_t promoted[WIRE_MAX_PROMOTED]; /* sites of this run, or the last one */
    bool labels_mapped;
    void (*spell)(uint64_t p,
                  uint64_t size); /* labels of the digits of a text; argv_inputs.c */
    uint64_t saved_at;            /* next free place for what is kept; storage.c */
    rt_heap main_heap;            /* before a run; then at the snapshot */
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
    wire_main *user_main;
    void *own_base;    /* where the executable is */
    bool counts_tasks; /* at the end of every run; trap.c */

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
