/* SPDX-License-Identifier: Apache-2.0 */
/* wire/wire.h - what treadle and the program under test say to each other.
 *
 * Purpose     A memory file, mapped by both: treadle writes jobs, the program writes the
 *             records of its runs. Nothing else is shared.
 * Words       operation: what other threads can notice. note: any other record. run: the
 *             records up to and including a NOTE_DONE.
 * Invariants  (W1) the reader trusts no byte: the program may have written over all of
 *             it; (W2) every run that was started ends with a NOTE_DONE, or its process
 *             ends; (W3) notes about an operation follow its record directly.
 * Threads     Each field has one writer, named beside it.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/virtual_repair.h"
#include "wire/weaker.h"

#define WIRE_MAGIC UINT32_C(0x6c647274) /* "trdl" */
#define WIRE_VERSION 35u                /* bump on any change of what is exchanged */

#define WIRE_ENV_SHM "TREADLE_SHM"   /* environment: number of the inherited descriptor */
#define WIRE_ENV_PIPE "TREADLE_PIPE" /* environment: descriptor of the zygote's socket */

/* Notes. The operations are in wire/ops.def. */
/* clang-format off */
#define WIRE_NOTES(X)                                                                      \
    X(NOTE_ENABLED) /* size thread numbers in ids[], rising: could have been chosen as well */\
    X(NOTE_OLD)     /* value: the object's value before the operation or access */         \
    X(NOTE_THREAD)  /* follows CREATE; thread: the new one; object: start; value: argument; */\
                    /* size: index in argv, if the argument is that of main, else 0 */     \
    X(NOTE_READ)    /* plain read, only with WIRE_JOB_DETAIL; value: what was read */      \
    X(NOTE_WRITE)   /* plain write, likewise; value: what was written; WIRE_WRITE_FREES */\
    X(NOTE_FAIL)    /* size: enum wire_fail; thread, site; object: address; value: see there; */\
                    /* count: site of the last call of a function of the runtime */         \
    X(NOTE_OTHER)   /* a race's earlier access: thread, site, size, object; value: 1 if a write */\
    X(NOTE_WAIT)    /* thread can never do size at site; object; value: holder or joined + 1 */\
    X(NOTE_HELD)    /* thread holds mutex object, taken at site */                         \
    X(NOTE_NEXT)    /* with WIRE_JOB_NEXT, before NOTE_DONE: thread waits to do size at site; */\
                    /* object; count: bytes; value: thread it wants to join */             \
    X(NOTE_TOUCH)   /* with WIRE_JOB_NEXT: thread, site; plain access of [object, value); */\
                    /* size: enum wire_touch */                                            \
    X(NOTE_GAP)     /* ledger; size: enum wire_gap; site; a NOTE_TEXT names the call */    \
    X(NOTE_TEXT)    /* size bytes of text[] for the note before; long text takes several */\
    X(NOTE_NODE)    /* a symbolic value, numbered 1.. in the run; wire/sym.h */            \
    X(NOTE_INPUT)   /* thread, site; size: bits 1..64; object: key; value; count: its number */\
                    /* in the run, 0..; order: enum wire_sign; a NOTE_TEXT names it */     \
    X(NOTE_WHY)     /* thread's last operation, a CAS, succeeded iff the node object is 1 */\
    X(NOTE_CASE)    /* before the first decision of the switch at site: value is a case */ \
    X(NOTE_WOKEN)   /* about an exclusive operation: size threads in ids[] that have been woken */\
                    /* at its object and may continue, all of them */                         \
    X(NOTE_DONE)    /* last; size: enum wire_done; value: exit code; object: ops; count: choices */\
    X(NOTE_CALL)    /* after a NOTE_FAIL of kind LINEAR: an operation of the history, in the order */\
                    /* in which they began; thread; site of the begin; size: arguments; order: 1 if */\
                    /* it gave a result; count: position of its begin in the history, 1..; */ \
                    /* object: of its end, 0: it has not ended; value: result; NOTE_TEXT: name */\
    X(NOTE_ARGS)    /* of the call before: two of its arguments, object and value */        \
    X(NOTE_ORDER)   /* size calls in ids[], in an order that explains all but the last one ended */\
    X(NOTE_SAYS)    /* after NOTE_ORDERs: what the last one does in that order by the */    \
                    /* specification: size 1: it returns value; 0: it cannot happen */       \
    X(NOTE_BLOCK)   /* of a memory failure; size: enum wire_block; thread, site; object: start; */\
                    /* value: bytes */                                                      \
    X(NOTE_SPIN)    /* follows a read, or an RMW that changed nothing, and what its thread touched */\
                    /* after it: the loop at site, by thread, would do the same again; count: */\
                    /* operations of the round that did nothing, 1..; the read is undone */  \
    X(NOTE_WROTE)   /* with WIRE_JOB_READS: what thread's last STORE, RMW or CAS wrote, or its result: node object */\
                    /* (0: none), value */                                                 \
    X(NOTE_SIDE)    /* with WIRE_JOB_SIDES: thread takes side value of the branch at site; once a run */\
    X(NOTE_USED)    /* with WIRE_JOB_FLOW: thread read value bytes at object after count */ \
                    /* operations of the run, and they had a say in where a thread went */ \
    X(NOTE_FRAMES)  /* with WIRE_JOB_STACKS, before records of thread: a return address on its */\
                    /* stack, innermost first, in object, and in value the frame pointer of the */\
                    /* function that it returns to; WIRE_FRAMES_INNERMOST */                                              \
    X(NOTE_FROM)    /* with WIRE_JOB_STORES, about a read: not the last store but the count-th of */\
                    /* thread, 1..; count 0: what was there at first */                       \
    X(NOTE_BEHIND)  /* likewise, about a STORE: it stands directly behind that store, not last */\
    X(NOTE_OPERAND) /* likewise, about an RMW, CAS or CAS_FAIL; size: enum wire_rmw; object: operand */\
                    /* or what is compared with; value: what a CAS writes; order: of a CAS or CAS_FAIL, */\
                    /* the one it has if it turns out the other way */                      \
    X(NOTE_LOOP)    /* with WIRE_JOB_FOLD: thread is at the header, site, of a loop; size: enum wire_loop_at; */\
                    /* object: which activation; count: iterations; value: hash of what may differ between */\
                    /* the ways on which it can have come here since it entered the loop *//* clang-format on */

enum wire_kind {
    WIRE_NONE,
#define OP(name, ...) WIRE_##name,
#include "wire/ops.def"
#undef OP
    WIRE_N_OPS,
    WIRE_NOTES_START = 96,
#define X(name) WIRE_##name,
    WIRE_NOTES(X)
#undef X
        WIRE_N_KINDS
};
static_assert((int)WIRE_N_OPS <= WIRE_NOTES_START, "operations come before notes");
static_assert((int)WIRE_N_KINDS <= UINT8_MAX, "a kind is a byte");

/* What operations are done to. */
enum wire_type {
    WIRE_TYPE_NOTHING,
    WIRE_TYPE_ANY, /* any type below */
    WIRE_TYPE_THREAD,
    WIRE_TYPE_PROCESS,
    WIRE_TYPE_INPUT,
    WIRE_TYPE_MEMORY,
    WIRE_TYPE_MUTEX, /* spin locks too */
    WIRE_TYPE_RWLOCK,
    WIRE_TYPE_SEM,
    WIRE_TYPE_COND,
    WIRE_TYPE_BARRIER,
    WIRE_TYPE_ONCE,
    WIRE_TYPE_FUTEX,
    WIRE_TYPE_SECTION, /* __VERIFIER_atomic */
    WIRE_TYPE_FD,
    WIRE_TYPE_SIGNALS,
    WIRE_TYPE_HISTORY, /* marks of a structure */
    WIRE_TYPE_NAME,    /* name of a semaphore */
    WIRE_TYPE_SETTING,
    WIRE_N_TYPES
};

/* What they do to it. Others: NO. */
enum wire_does {
    WIRE_DOES_NO,
    WIRE_DOES_TAKE,      /* the thread holds it, alone */
    WIRE_DOES_TAKE_READ, /* ... with other readers */
    WIRE_DOES_GIVE,      /* it no longer does */
    WIRE_DOES_GIVE_READ,
    WIRE_DOES_FINISH, /* likewise, and it cannot be acquired again */
    WIRE_DOES_DOWN,   /* counts down */
    WIRE_DOES_UP,
    WIRE_DOES_READ,
    WIRE_DOES_WRITE,
    WIRE_DOES_UPDATE, /* reads and writes in one */
    WIRE_DOES_SLEEP,  /* the thread may be woken there from now on */
    WIRE_DOES_ARRIVE, /* likewise, or it is the last and wakes the others */
    WIRE_DOES_WOKEN,  /* it was */
    WIRE_DOES_WAKE,   /* wakes some waiting threads */
    WIRE_DOES_WAKE_ALL,
    WIRE_DOES_ENTER,
    WIRE_DOES_LEAVE,
    WIRE_DOES_SEND,  /* something that another thread notices */
    WIRE_DOES_RESET, /* to what a new one is, or to nothing */
    WIRE_N_DOES
};

/* When an operation fails. */
enum wire_fails_if {
    WIRE_FAILS_NEVER,
    WIRE_FAILS_UNKNOWN, /* it has to be tried */
    WIRE_FAILS_CLOSED,
    WIRE_FAILS_READ, /* closed, or a thread reads it */
    WIRE_FAILS_OVER, /* the object was finished (WIRE_DOES_FINISH) */
    WIRE_N_FAILS_IF
};

/* What is decided by a symbolic value (DECIDE). */
enum wire_decide {
    WIRE_DECIDE_VALUE,  /* it is used as it is: an address, a length */
    WIRE_DECIDE_BRANCH, /* a branch: 1 bit */
    WIRE_DECIDE_SWITCH, /* which case; NOTE_CASE has the cases */
    WIRE_N_DECIDES
};

/* The one object of __VERIFIER_atomic sections. */
#define WIRE_OBJECT_ATOMIC UINT64_C(1)
/* The one object of all descriptors that lead from thread to thread; where the program never
 * waits for several, what flows through them has objects of its own. */
#define WIRE_OBJECT_FDS UINT64_C(2)
/* Sent to the process as a whole. */
#define WIRE_NO_THREAD UINT64_C(0xffffffff)
/* The one object of all signals; that of the number of threads that the program wants to run at once. */
#define WIRE_OBJECT_SIGNALS UINT64_C(3)
#define WIRE_OBJECT_CONCURRENCY UINT64_C(4)
/* The freed blocks of a size class, if a thread may reuse blocks that another one freed. */
#define WIRE_OBJECT_CLASS(i) (UINT64_C(6) + 8 * (uint64_t)(i))
#define WIRE_N_CLASSES 48
/* The one sequence of rand and its kin. */
#define WIRE_OBJECT_RANDOM UINT64_C(5)
/* Held by the thread that ends the process; handlers that are to be called then. */
#define WIRE_OBJECT_EXIT UINT64_C(7)
#define WIRE_OBJECT_HANDLERS UINT64_C(15)
/* A state that the system keeps for the process (wire/library.h). */
#define WIRE_OBJECT_STATE(i) (UINT64_C(23) + 8 * (uint64_t)(i))
#define WIRE_N_STREAMS 4096u
#define WIRE_OBJECT_STREAM(i) (WIRE_OBJECT_FDS + 8 * (1 + (uint64_t)(i)))
#define WIRE_IS_FDS(object)                                                              \
    ((object) % 8 == WIRE_OBJECT_FDS && (object) < WIRE_OBJECT_STREAM(WIRE_N_STREAMS))

/* What is done to descriptors (FD, FD_WAKE, FD_LOOK). */
#define WIRE_FD_CALLS(X)                                                                 \
    X(OPEN, "open") /* pipe, eventfd, ...: the result is the first new descriptor */     \
    X(CLOSE, "close")                                                                    \
    X(DUP, "dup")                                                                        \
    X(READ, "read")                                                                      \
    X(WRITE, "write")                                                                    \
    X(SHUTDOWN, "shutdown")                                                              \
    X(CONTROL, "control") /* fcntl, ioctl, epoll_ctl, bind, ... */                       \
    X(POLL, "poll")                                                                      \
    X(ACCEPT, "accept")                                                                  \
    X(CONNECT, "connect")

enum wire_fd_call {
#define X(name, text) WIRE_FD_CALL_##name,
    WIRE_FD_CALLS(X)
#undef X
        WIRE_N_FD_CALLS
};

/* The descriptor, and the result, below 0 an error number. */
#define WIRE_FD_WAITS INT32_MIN
#define WIRE_FD_OUTSIDE (INT32_MIN + 1) /* the kernel answers, behind the operation */
#define WIRE_FD_VALUE(fd, result) ((uint64_t)(uint32_t)(fd) | (uint64_t)(result) << 32)

/* The object of marks on the structure at an address. No mutex or other object of the C library
 * has such an address, so that it is not one with the first member of the structure. */
#define WIRE_OBJECT_HISTORY(address) ((uint64_t)(address) | 3)

/* How a run ended. */
#define WIRE_DONES(X)                                                                    \
    X(EXIT, "exit")            /* exit, return from main, or the last thread ended */    \
    X(FAIL, "failure")         /* a NOTE_FAIL has the failure */                         \
    X(DEADLOCK, "deadlock")    /* none is enabled; see NOTE_WAIT, NOTE_HELD */           \
    X(DEPTH, "depth limit")    /* more operations than the job allows */                 \
    X(REFUSED, "not modelled") /* a NOTE_GAP names the call */                           \
    X(DIVERGED, "diverged")    /* the schedule asked for thread value; NOTE_WAIT */      \
    X(IDLE, "waits")      /* like DEADLOCK, but some wait with a timeout, or for what */ \
                          /* was chosen to come (a cancellation), or in a loop for */    \
                          /* what has come since: no failure */                          \
    X(THREADS, "threads") /* too few stacks; the runner is started with more */          \
    X(ASLEEP,                                                                            \
      "asleep") /* only threads that sleep could continue; value: how many sleep */      \
    X(STANDS, "failed") /* like DEADLOCK, but some threads have failed and stopped */

/* What failed (NOTE_FAIL). */
#define WIRE_FAILS(X)                                                                    \
    X(ASSERT, "assert") /* NOTE_TEXT: the expression */                                  \
    X(ABORT, "abort")                                                                    \
    X(CRASH,                                                                             \
      "crash")      /* value: signal; site 0: NOTE_TEXT has addresses, nearest first */  \
    X(HANG, "hang") /* no operation for too long; NOTE_TEXT: as for crash */             \
    X(RACE, "race") /* NOTE_OTHER: the earlier access; value: 1 if a write */            \
    X(MUTEX, "mutex")    /* misuse; NOTE_TEXT: which; value: holder + 1 */               \
    X(THREAD, "thread")  /* misuse of join, detach; NOTE_TEXT: which */                  \
    X(MEMORY, "memory")  /* order: enum wire_memory; WIRE_FAILED_WRITE; value: bytes; */ \
                         /* NOTE_BLOCK has details */                                    \
    X(MISUSE, "misuse")  /* misuse of other objects; like MUTEX */                       \
    X(EXIT_CODE, "exit") /* value: non-zero exit code; only with WIRE_JOB_EXIT_CODE */   \
    X(LINEAR,                                                                            \
      "linear")     /* no order explains a history; object: address of the structure; */ \
                    /* value: operations in it; the last of them are NOTE_CALLs */       \
    X(MARK, "mark") /* misuse of marks; NOTE_TEXT: which */                              \
    X(LEAK,                                                                              \
      "leak") /* value: blocks of the site; NOTE_BLOCK: made, with the bytes of all; */  \
              /* only with WIRE_JOB_LEAKS */

/* Which memory failure (MEMORY). */
enum wire_memory {
    WIRE_MEMORY_ACCESS, /* access to bytes in no block, or in a freed one */
    /* Free of an address that is not the start of a block, or of a freed one. */
    WIRE_MEMORY_FREE,
    WIRE_MEMORY_STACK,  /* access of the stack of a thread that has ended */
    WIRE_MEMORY_FRAME,  /* access of a stack below where its thread is */
    WIRE_MEMORY_LOCALS, /* access of thread-local variables of a thread that has ended */
    WIRE_MEMORY_ENDS, /* access of the stack of a thread that ends, not ordered before that */
    WIRE_MEMORY_LEFT, /* access of a local of a function that returns, likewise */
    WIRE_N_MEMORIES
};

/* The contents of a NOTE_BLOCK. */
enum wire_block {
    WIRE_BLOCK_MADE,  /* by that thread at that site */
    WIRE_BLOCK_FREED, /* likewise */
    WIRE_BLOCK_OWNER, /* the stack is that thread's, which was created at that site */
    WIRE_N_BLOCKS
};

/* How bytes are touched (NOTE_TOUCH). */
enum wire_touch {
    WIRE_TOUCH_READ,
    WIRE_TOUCH_WRITE,
    WIRE_TOUCH_OPERATES, /* the thread's next operation is on an object there */
    WIRE_TOUCH_FREES,    /* by free, or by the end of the thread whose stack it is */
    WIRE_N_TOUCHES
};

/* Where a thread is in a loop (NOTE_LOOP). */
enum wire_loop_at { WIRE_LOOP_ENTERED, WIRE_LOOP_CAME_ROUND, WIRE_N_LOOP_ATS };

/* What was not covered (NOTE_GAP). */
#define WIRE_GAPS(X)                                                                     \
    X(REFUSED, "not modelled")                                                           \
    X(TAINTED, "cannot be undone") /* fork-per-run was used */                           \
    X(MEMORY, "memory limit")      /* malloc returned NULL because of our limit */       \
    X(THREADS, "thread limit")                                                           \
    X(FORKED, "new process")      /* the process was left behind for another reason */   \
    X(CONCRETE, "made concrete")  /* a symbolic value reached code that tracks none */   \
    X(SYMBOLIC, "symbolic limit") /* more symbolic values than are kept */               \
    X(HISTORY, "history limit")   /* a history was not checked from here on */           \
    X(UNWATCHED, "not watched")   /* code that accesses memory unseen was executed */    \
    X(LOOP, "plain loop")         /* a loop waits for plain memory that site accesses */ \
    X(TIME, "long loop")          /* a loop ends when years have passed */               \
    X(ALONE, "not watched, alone") /* the same while no other thread could notice */     \
    X(ORDERS, "not watched")       /* UNWATCHED, by code that may order threads */

enum wire_done {
#define X(name, text) WIRE_DONE_##name,
    WIRE_DONES(X)
#undef X
        WIRE_N_DONES
};
enum wire_fail {
#define X(name, text) WIRE_FAIL_##name,
    WIRE_FAILS(X)
#undef X
        WIRE_N_FAILS
};
enum wire_gap {
#define X(name, text) WIRE_GAP_##name,
    WIRE_GAPS(X)
#undef X
        WIRE_N_GAPS
};

#define WIRE_IDS 7
#define WIRE_TEXT_BYTES 28

/* Flags of an operation. All eight bits are used: WIRE_F_OF_KIND has another meaning, and another name, for
 * each group of kinds. No kind is in two of the groups. */
#define WIRE_F_FORCED 1u /* no choice was made: an END, DECIDE, or in an atomic section */
/* Another thread made the last choice and could continue, not to EXIT. */
#define WIRE_F_PREEMPTS 2u
/* Since its last operation the thread may have read, with plain accesses, what another
 * thread wrote in this run. */
#define WIRE_F_SAW 4u
#define WIRE_F_OF_KIND 8u
#define WIRE_F_CLOSED 16u /* E: the object is closed after it */
/* For operations that may have to wait, and for a NOTE_NEXT: the thread would not wait forever; it would not
 * once it is cancelled; it would not once a signal has come that it has not noticed. */
#define WIRE_F_PATIENT 32u
#define WIRE_F_CANCELLABLE 64u
#define WIRE_F_INTERRUPTIBLE 128u
#define WIRE_F_PATIENCE (WIRE_F_PATIENT | WIRE_F_CANCELLABLE | WIRE_F_INTERRUPTIBLE)

#define WIRE_JOIN_FETCHED WIRE_F_OF_KIND /* JOIN: the caller wanted the thread's result */
/* LOAD, STORE: a plain access of a promoted site. It synchronises nothing; the value of a STORE
 * is not known (0). */
#define WIRE_ACCESS_PLAIN WIRE_F_OF_KIND
/* ... of what a loop carries from round to round, in a place that no other thread has (runtime/core/fold.c). */
#define WIRE_ACCESS_SLOT WIRE_F_CLOSED
/* On an object of the threads library: misuse, which left the object as it was; the thread
 * fails. */
#define WIRE_SYNC_MISUSED WIRE_F_OF_KIND

static_assert((WIRE_F_FORCED ^ WIRE_F_PREEMPTS ^ WIRE_F_SAW ^ WIRE_F_OF_KIND ^
               WIRE_F_CLOSED ^ WIRE_F_PATIENT ^ WIRE_F_CANCELLABLE ^
               WIRE_F_INTERRUPTIBLE) == UINT8_MAX,
              "each flag has a bit of its own, and together they are a byte");

/* Flags of notes, by their kinds. */
#define WIRE_WRITE_FREES 1u    /* NOTE_WRITE: the block is freed */
#define WIRE_FAILED_WRITE 1u   /* NOTE_FAIL: of memory; it is a write */
#define WIRE_FAILED_GOES_ON 2u /* NOTE_FAIL: of misuse; the thread has continued */
#define WIRE_ENDED_CUT 1u      /* NOTE_DONE: another thread could have continued */
#define WIRE_ENDED_STORES 2u   /* NOTE_DONE: the job had WIRE_JOB_STORES */
/* NOTE_DONE: ... and inputs had a say in one of the stores. */
#define WIRE_ENDED_LABELS 4u
/* NOTE_DONE: thread and site are the halves of a hash of the final values of static data. */
#define WIRE_ENDED_OUTCOME 8u
#define WIRE_OLD_SEEDS 1u /* NOTE_OLD: its stores are counted from here on */
/* NOTE_FRAMES: a stack begins; else they follow those before. */
#define WIRE_FRAMES_INNERMOST 1u

/* For an access, in addition to its order: the object is the whole granule that it is in. Used in programs
 * with atomic accesses of 16 bytes, which accesses to parts of them overlap. */
#define WIRE_ORDER_WHOLE 128u
#define WIRE_GRANULE 16u

typedef struct __attribute__((aligned(8))) wire_rec {
    uint8_t kind;  /* enum wire_kind */
    uint8_t size;  /* bytes accessed; a note: see there */
    uint8_t order; /* C11 memory order, __ATOMIC_*; a failed exchange: its failure order;
                * WIRE_ORDER_WHOLE */
    uint8_t flags; /* WIRE_F_*; a note: see there */
    union {
        /* Packed, so that it starts at byte 4; each field is aligned all the same. */
        struct __attribute__((packed, aligned(4))) {
            uint32_t thread; /* by order of creation in this run; main is 0 */
            uint32_t site;   /* 0: unknown */
            uint32_t
                count; /* operation: threads that could have been chosen, this one too; 0 while
                        * the job's steps are followed */
            uint64_t object;
            uint64_t value;
        };
        uint32_t ids[WIRE_IDS];
        char text[WIRE_TEXT_BYTES];
    };
} wire_rec;

static_assert(sizeof(wire_rec) == 32, "wire_rec is part of the protocol");

/* How threads are chosen once the steps of a job are used up. */
enum wire_policy {
    WIRE_POLICY_FIRST,  /* the thread that ran last if it can and did not yield, else the
                         * next one in rising order; the process's exit comes last */
    WIRE_POLICY_RANDOM, /* uniform among the enabled threads */
    WIRE_POLICY_PCT,    /* probabilistic concurrency testing: random priorities,
                         * pct_depth - 1 change points among pct_length choices from the first
                         * create on */
    WIRE_POLICY_POS, /* partial order sampling: a random priority for each operation, drawn
                         * anew when one is done that depends on it; WIRE_STEP_WANTED,
                         * WIRE_STEP_UNWANTED */
    WIRE_POLICY_SURW, /* selectively uniform random walk: by how many of the operations that
                         * count are left in each thread (WIRE_STEP_LEFT) */
    WIRE_POLICY_LOWEST, /* the enabled thread with the lowest number; the process's exit comes last;
                         * threads that sleep do not wake; a step that is not possible ends the
                         * run ASLEEP */
    WIRE_N_POLICIES
};

#define WIRE_JOB_DETAIL 1u    /* report plain accesses and old values */
#define WIRE_JOB_ENABLED 2u   /* report NOTE_ENABLED for choices after the steps */
#define WIRE_JOB_EXIT_CODE 4u /* a non-zero exit code is a failure */
#define WIRE_JOB_NEXT 16u     /* report NOTE_TOUCH, and NOTE_NEXT at the end */
#define WIRE_JOB_LEAKS 64u    /* blocks that nothing points to at the end are a failure */
/* A thread whose loop did nothing continues whenever one of the values it read has changed; else
 * only if it read one. */
#define WIRE_JOB_WAKE 128u
/* Values read by operations are symbolic (READ nodes), and written values are recorded. */
#define WIRE_JOB_READS 512u
#define WIRE_JOB_SIDES 1024u /* report NOTE_SIDE */
/* Continue after a race; it is noted once per pair of sites. */
#define WIRE_JOB_RACE_ON 8u
/* An access is compared with others although its segment has touched the bytes before. Else
 * only the first one is. */
#define WIRE_JOB_RACE_ALL 32u
/* Follow what is read from memory that others may reach; report NOTE_USED. */
#define WIRE_JOB_FLOW 2048u
/* With the policy FIRST a thread that yields continues: to leave it would be a preemption. */
#define WIRE_JOB_STAY 4096u
/* Use the versions of functions that set marks (wire/site.h). */
#define WIRE_JOB_COVER 65536u

/* A thread that fails stops for the rest of the run, and others continue: while steps are left; to the
 * end of the run. Without these flags a failure ends the run. */
#define WIRE_JOB_STAND 8192u
#define WIRE_JOB_STAND_ON 16384u

#define WIRE_JOB_STACKS 32768u /* report NOTE_FRAMES */

/* An access to a freed block is compared with the free: a race if nothing orders them. */
#define WIRE_JOB_AFTER_FREE 262144u

/* At the end a NOTE_NEXT for each thread, as with WIRE_JOB_NEXT, but no NOTE_TOUCH. */
#define WIRE_JOB_PENDING 256u

/* Atomic objects keep all their stores; steps name those that are read, and notes record them. Fences are
 * operations. */
#define WIRE_JOB_STORES 131072u

/* With WIRE_JOB_READS: a thread whose loop iteration only read memory is blocked for the rest of the run, other
 * threads continue, and its NOTE_NEXT is FAIL, with the number of these operations as bytes. */
#define WIRE_JOB_ROUNDS 524288u

/* With WIRE_JOB_READS: report NOTE_LOOP. */
#define WIRE_JOB_FOLD 1048576u
/* ... and whatever a loop has changed is a slot, not only what depends on what was read. */
#define WIRE_JOB_SLOTS 4194304u

/* The NOTE_DONE has a hash of the program's static data (WIRE_ENDED_OUTCOME). */
#define WIRE_JOB_OUTCOME 2097152u

/* A step of a thread whose loop did nothing is passed over, where it would not be enabled. */
#define WIRE_JOB_PASS_SPINS 8388608u

static_assert((WIRE_JOB_DETAIL ^ WIRE_JOB_ENABLED ^ WIRE_JOB_EXIT_CODE ^
               WIRE_JOB_RACE_ON ^ WIRE_JOB_NEXT ^ WIRE_JOB_RACE_ALL ^ WIRE_JOB_LEAKS ^
               WIRE_JOB_WAKE ^ WIRE_JOB_PENDING ^ WIRE_JOB_READS ^ WIRE_JOB_SIDES ^
               WIRE_JOB_FLOW ^ WIRE_JOB_STAY ^ WIRE_JOB_STAND ^ WIRE_JOB_STAND_ON ^
               WIRE_JOB_STACKS ^ WIRE_JOB_COVER ^ WIRE_JOB_STORES ^ WIRE_JOB_AFTER_FREE ^
               WIRE_JOB_ROUNDS ^ WIRE_JOB_FOLD ^ WIRE_JOB_OUTCOME ^ WIRE_JOB_SLOTS ^
               WIRE_JOB_PASS_SPINS) == 0xffffff,
              "each flag of a job has a bit of its own");

/* One entry of a schedule: the thread makes this many choices in a row. Entries with count 0
 * behind all others: the thread sleeps. As soon as the last choice of the schedule is made, the
 * policy FIRST passes it over, until an operation is done that depends on the one it waits to do. */
typedef struct wire_step {
    uint32_t thread;
    uint32_t count;
} wire_step;

/* Entries behind the others, for the policies SURW and POS, which the others pass over. WIRE_STEP_LEFT + t:
 * the thread t is expected to make count choices that count. WIRE_STEP_MARK: count is the mark of
 * an object (wire_mark), and only operations on objects with such a mark count; without any, all do. */
#define WIRE_STEP_LEFT 0x80000000u
#define WIRE_STEP_MARK 0xffffffffu
/* A pair of places (wire_place), for the policy POS: the object of an operation at the second one was left as
 * it is by an operation at the first, 0: by none. FROM names the first, then one of the others the
 * second. Such a pair is to come about once, or is to be avoided, as far as that is possible. */
#define WIRE_STEP_FROM 0xfffffffeu
#define WIRE_STEP_WANTED 0xfffffffdu
#define WIRE_STEP_UNWANTED 0xfffffffcu
#define WIRE_MAX_TARGET_PAIRS 16u /* pairs; more are passed over */
#define WIRE_MAX_MARKS 16u        /* more are passed over */
#define WIRE_MAX_LEFT 1024u       /* threads from that number on are passed over */

static inline uint32_t wire_mark(uint64_t address)
{
    return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* A site in threads that start alike, main being one of its own (0); not 0. */
static inline uint32_t wire_place(uint32_t site, uint64_t start)
{
    return wire_mark(site + start * 31) | 1;
}

/* With WIRE_JOB_STORES a step may be about the choice that comes next: thread has one of these
 * bits, and the next choice reads, or writes directly behind, the count-th store of the thread,
 * 1..; count 0: what was there at first. */
#define WIRE_STEP_READS UINT32_C(0x40000000)
#define WIRE_STEP_BEHIND UINT32_C(0x20000000)
#define WIRE_STEP_STORE (WIRE_STEP_READS | WIRE_STEP_BEHIND)

static inline bool wire_names_store(wire_step step)
{
    return step.thread < WIRE_STEP_LEFT && (step.thread & WIRE_STEP_STORE) != 0;
}

/* Signedness of an input. */
enum wire_sign { WIRE_NO_SIGN /* not known */, WIRE_SIGNED, WIRE_UNSIGNED, WIRE_N_SIGNS };

/* The n-th input of a thread, from 1, has the key splitmix64(n * STEP + a number of the
 * thread), so that the keys of neighbours follow from each other. */
#define WIRE_INPUT_STEP UINT64_C(0x632be59bd9b4e019)

/* The value of an input, by the key of its NOTE_INPUT. */
typedef struct wire_input {
    uint64_t key;
    uint64_t value;
} wire_input;

/* A site whose plain accesses are operations in this run. */
enum wire_promotion {
    WIRE_PROMOTED = 1, /* each is a choice of the scheduler */
    WIRE_PASSING,      /* granted at once, WIRE_F_FORCED: recorded, but not a choice */
    WIRE_N_PROMOTIONS
};
typedef struct wire_promoted {
    uint32_t site;
    uint32_t how; /* enum wire_promotion */
} wire_promoted;

#define WIRE_MAX_PROMOTED 4096u /* sites of one job */

/* A job in the ring, followed by n_steps wire_step, n_inputs wire_input and n_promoted
 * wire_promoted. Treadle writes it. An input that is not named takes a fixed value, by its name in the program; with a policy
 * other than FIRST, a value by the seed. */
typedef struct wire_job {
    uint32_t n_words; /* words of 8 bytes, header and contents together */
    uint32_t n_steps;
    uint64_t id;
    uint64_t seed;
    uint32_t flags;     /* WIRE_JOB_* */
    uint32_t policy;    /* enum wire_policy */
    uint32_t depth;     /* most operations of the run, 1..; WIRE_DEPTH_FACTOR */
    uint32_t pct_depth; /* bug depth d, 1.. */
    /* Expected number of choices of a run from its first create on. */
    uint32_t pct_length;
    uint32_t n_inputs;
    uint32_t n_promoted; /* at most WIRE_MAX_PROMOTED */
    uint32_t threads;    /* one more ends the run as the depth does; 0: no bound */
} wire_job;

/* Ends of threads, decisions and reads that were undone do not count in the depth of a job; with them a run has
 * at most so many times the depth. */
#define WIRE_DEPTH_FACTOR 4u
static_assert(sizeof(wire_job) == 56, "wire_job is part of the protocol");
static_assert(sizeof(wire_step) == 8, "wire_step is part of the protocol");
static_assert(sizeof(wire_input) == 16, "wire_input is part of the protocol");
static_assert(sizeof(wire_promoted) == 8, "wire_promoted is part of the protocol");

#define WIRE_MAX_IMAGES 64
#define WIRE_PATH_BYTES 480

/* An instrumented image of the program. The zygote writes it before it answers. */
typedef struct wire_image {
    char path[WIRE_PATH_BYTES];
    uint64_t base;       /* what to subtract from an address to get the one in the file */
    uint64_t end;        /* first address after it */
    uint32_t first_site; /* number of its first site */
    uint32_t n_sites;
    uint64_t start; /* first address */
} wire_image;

static_assert(sizeof(wire_image) == 512, "wire_image is part of the protocol");

enum wire_restart { WIRE_RESTART_SNAPSHOT, WIRE_RESTART_FORK };
enum wire_carrier { WIRE_CARRIER_FIBERS, WIRE_CARRIER_THREADS };

/* An argument of main that is an input (--sym-arg). */
typedef struct wire_sym_arg {
    uint32_t index;     /* in argv, 1.. */
    uint32_t bytes;     /* bytes of a text */
    uint32_t bits;      /* bits of a number, 0: it is a text */
    uint32_t is_signed; /* a number */
} wire_sym_arg;

#define WIRE_MAX_SYM_ARGS 16u
#define WIRE_MAX_SYM_BYTES 4096u /* limit for a text, and for standard input */

#define WIRE_JOB_WORDS (1u << 21)  /* words of 8 bytes; a power of two */
#define WIRE_TRACE_RECS (1u << 15) /* a power of two */
static_assert((WIRE_JOB_WORDS & (WIRE_JOB_WORDS - 1)) == 0,
              "low bits index the ring of jobs");
static_assert((WIRE_TRACE_RECS & (WIRE_TRACE_RECS - 1)) == 0,
              "low bits index that of records");

/* Positions count up forever; their low bits index the ring. A ring is empty when head
 * equals tail. The waiting words are futexes: a side sets its own to 1 before it sleeps
 * and the other wakes it after moving a position. */
#define WIRE_BROKEN_BYTES 160
#define WIRE_EXIT_BROKEN 70

typedef struct wire_shm {
    uint32_t magic, version;

    /* treadle writes before the program starts */
    uint32_t restart;     /* enum wire_restart */
    uint32_t carrier;     /* enum wire_carrier */
    uint32_t n_stacks;    /* threads at once the runner prepares for */
    uint32_t keep_files;  /* what the program does to files is not undone */
    uint32_t keep_output; /* 0: the program's output is dropped */
    uint64_t heap_limit;  /* bytes a run may allocate */
    uint32_t
        /* Spurious wakeups that a thread may have in a run, plus 1; 0: one at each wait outside of a loop. */
        spurious;
    uint32_t reuse;       /* 1: a block that one thread frees may be reused by another */
    uint32_t every_round; /* 1: rounds of loops that could be left out are run */
    uint32_t sym_stdin;   /* bytes of standard input, all of them inputs; 0: as it is */
    uint32_t n_sym_args;
    wire_sym_arg sym_args[WIRE_MAX_SYM_ARGS];
    uint32_t n_weaker; /* at most WIRE_MAX_WEAKER */
    uint32_t pad_weaker;
    wire_weaker weaker[WIRE_MAX_WEAKER];

    /* ... and before the first run, when the addresses of code are known */
    uint32_t n_repairs; /* at most WIRE_MAX_REPAIRS */
    uint32_t n_parts;   /* at most WIRE_MAX_PARTS */
    wire_repair repairs[WIRE_MAX_REPAIRS];
    wire_part parts[WIRE_MAX_PARTS];

    /* the zygote writes */
    uint32_t n_images;
    uint32_t pad;
    wire_image images[WIRE_MAX_IMAGES];

    /* jobs: treadle writes head, the runner tail */
    _Alignas(64) uint64_t job_head;
    uint32_t job_waiting; /* the runner sleeps; runner sets, treadle clears */
    _Alignas(64) uint64_t job_tail;

    /* records: the runner writes head, treadle tail */
    _Alignas(64) uint64_t trace_head;
    uint32_t trace_waiting; /* treadle sleeps; treadle sets, runner clears */
    _Alignas(64) uint64_t trace_tail;
    uint32_t space_waiting; /* the runner sleeps for space; runner sets, treadle clears */

    /* the runner writes; treadle's watchdog reads */
    _Alignas(64) uint64_t heartbeat; /* grows with every run */
    uint32_t thread_now;             /* thread that runs */
    uint32_t want_stacks;            /* after WIRE_DONE_THREADS */

    /* in a debugger */
    /* Treadle writes: records are not taken, a full ring is overwritten. */
    uint32_t is_debugged;
    /* The debugger writes: __treadle_stop is called at this act; 0: at none. */
    uint64_t stop_at;
    /* The runner writes: operations and plain accesses of the run so far. */
    uint64_t acts;

    /* A failed assert of the runtime, before the runner ends with WIRE_EXIT_BROKEN; "": none. */
    char broken[WIRE_BROKEN_BYTES];

    _Alignas(64) uint64_t jobs[WIRE_JOB_WORDS];
    _Alignas(64) wire_rec trace[WIRE_TRACE_RECS];
} wire_shm;

/* In the same file: the marks of wire/layout.h, PLAN_COVER_SIZE bytes. */
#define WIRE_COVER_OFFSET ((sizeof(wire_shm) + 0xfff) & ~UINT64_C(0xfff))

/* Between treadle and the zygote, over a socket that the runner does not have. */
enum wire_message_kind {
    WIRE_MSG_READY, /* zygote: images are known; it is stopped before main */
    WIRE_MSG_SPAWN, /* treadle: start a runner */
    WIRE_MSG_PID,   /* zygote: value is the runner's process id */
    WIRE_MSG_DIED,  /* zygote: the runner ended; value is its wait status */
};

typedef struct wire_message {
    uint32_t kind;
    int32_t value;
} wire_message;
