/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/detect.h"
#include "detect/suppression_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <link.h>
#include <signal.h>
#include <stdlib.h>

#include "base/rng.h"
#include "records.h"

/* Sites of this program: 1.. in this order. */
#define SITES(X)                                                                         \
    X(1, "src/bank.c", "main", "", 39)                                                   \
    X(2, "src/ring.c", "producer", "ring.tail", 31)                                      \
    X(3, "src/ring.c", "consumer", "ring.tail", 44)                                      \
    X(4, "src/xfer.c", "move", "b->lock", 18)                                            \
    X(5, "src/xfer.c", "main", "", 40)                                                   \
    X(6, "src/xfer.c", "move", "a->lock", 17)

#define STRINGS(i, file, function, name, line)                                           \
    "file_" #i ": .asciz \"" file "\"\nfunction_" #i ": .asciz \"" function              \
    "\"\nname_" #i ": .asciz \"" name "\"\n"
#define RECORD(i, file, function, name, line)                                            \
    "1: .long of_" #i " - 1b, function_" #i " - file_" #i ", name_" #i " - file_" #i     \
    ", name_1 - file_" #i ", " #line ", 1\n .short 0, 4\n .long 1\n"
#define OF_FILE(i, file, function, name, line)                                           \
    "of_" #i ": .long file_" #i " - of_" #i ", 0, 0, 0, 0, 0\n .short 14, 0\n .long 0\n"
static_assert(WIRE_SITE_FILE == 14, "OF_FILE says so");

__asm__(".pushsection treadle_strings,\"a\",@progbits\n" SITES(
    STRINGS) ".popsection\n"
             ".pushsection treadle_sites,\"a\",@progbits\n .balign 4\n" SITES(RECORD)
                 SITES(OF_FILE) ".popsection\n");

static int shared_counter;

static int own_addresses(struct dl_phdr_info *info, size_t size, void *out)
{
    (void)size;
    wire_image *im = out;
    im->base = info->dlpi_addr;
    im->start = info->dlpi_addr;
    im->end = (uint64_t)&shared_counter + 4096;
    return 1;
}

static trc_sites *open_sites(void)
{
    wire_image im = {.path = "/proc/self/exe", .first_site = 1, .n_sites = 12};
    dl_iterate_phdr(own_addresses, &im);
    trc_sites *s;
    td_diag diag = {0};
    if (trc_sites_open(&im, 1, &s, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    return s;
}

enum { FOUND_MAX = 8 };

typedef struct fixture {
    trc t;
    trc_sites *sites;
    recs r;
    det_finding found[FOUND_MAX];
} fixture;

static int setup(void **state)
{
    fixture *f = td_alloc(sizeof *f);
    trc_init(&f->t);
    f->sites = open_sites();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    trc_fini(&f->t);
    trc_sites_free(f->sites);
    recs_fini(&f->r);
    td_free(f);
    return 0;
}

/* main and threads T1..Tn, all created at the start. */
static void start(fixture *f, uint32_t n)
{
    recs_clear(&f->r);
    for (uint32_t i = 0; i < n; i++)
        rec_create(&f->r, 0);
}

static size_t finish(fixture *f, uint8_t done)
{
    rec_done(&f->r, done);
    td_diag diag = {0};
    if (recs_decode(&f->r, &f->t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    det_finding_vec found = {0};
    det_findings(&f->t, f->sites, &found);
    size_t n = found.len;
    assert_true(n <= FOUND_MAX);
    for (size_t i = 0; i < n; i++)
        f->found[i] = found.at[i];
    det_finding_vec_fini(&found);
    return n;
}

static wire_rec *note_fail(fixture *f, uint8_t kind, uint32_t thread, uint32_t site,
                           uint64_t value)
{
    wire_rec *r = rec_note(&f->r, WIRE_NOTE_FAIL, kind, thread, value);
    r->site = site;
    return r;
}

/* One finding with this message; the caller looks at the rest and drops it. */
static det_finding *one(fixture *f, const char *message)
{
    assert_int_equal(finish(f, WIRE_DONE_FAIL), 1);
    assert_string_equal(f->found[0].message, message);
    return &f->found[0];
}

static void test_assert(void **state)
{
    fixture *f = *state;
    start(f, 1);
    rec_op(&f->r, WIRE_STORE, 1, 0x5000, 0)->flags = WIRE_F_PREEMPTS;
    note_fail(f, WIRE_FAIL_ASSERT, 0, 1, 0);
    rec_text(&f->r, "balance >= 0");
    det_finding *d = one(f, "assertion 'balance >= 0' failed");
    assert_int_equal(d->kind, DET_ASSERT);
    assert_string_equal(d->file, "src/bank.c");
    assert_string_equal(d->function, "main");
    assert_int_equal(d->line, 39);
    assert_int_equal(d->preemptions, 1);
    assert_null(d->other_file);
    /* Part of what users keep: never changes. */
    assert_string_equal(d->id, "assert-85d5");
    det_finding_fini(d);
}

static void test_crash(void **state)
{
    fixture *f = *state;
    start(f, 0);
    note_fail(f, WIRE_FAIL_CRASH, 0, 2, SIGSEGV)->object = 8;
    det_finding_fini(one(f, "segmentation fault at address 0x8 (null pointer), SIGSEGV, "
                            "accessing 'ring.tail'"));
    start(f, 0);
    note_fail(f, WIRE_FAIL_CRASH, 0, 1, SIGFPE);
    det_finding_fini(one(f, "arithmetic error (division by zero?), SIGFPE"));
    start(f, 0);
    note_fail(f, WIRE_FAIL_CRASH, 0, 1, 77);
    det_finding_fini(one(f, "signal 77"));

    /* The program counter tells the place. */
    start(f, 0);
    note_fail(f, WIRE_FAIL_CRASH, 0, 0, SIGILL);
    char pc[40];
    snprintf(pc, sizeof pc, "0x%llx", (unsigned long long)(uintptr_t)qsort);
    rec_text(&f->r, pc);
    det_finding_fini(one(f, "illegal instruction, SIGILL"));
    start(f, 0);
    note_fail(f, WIRE_FAIL_HANG, 0, 0, 64);
    snprintf(pc, sizeof pc, "0x%llx", (unsigned long long)(uintptr_t)teardown);
    rec_text(&f->r, pc);
    det_finding *d = one(f, "no operation within the timeout, in teardown: infinite loop "
                            "or blocking call?");
    assert_string_equal(d->function, "teardown");
    det_finding_fini(d);
}

static void test_others(void **state)
{
    fixture *f = *state;
    start(f, 0);
    note_fail(f, WIRE_FAIL_ABORT, 0, 1, 6);
    det_finding_fini(one(f, "the program called abort"));
    start(f, 0);
    note_fail(f, WIRE_FAIL_EXIT_CODE, 0, 1, 3);
    det_finding *d = one(f, "exit code 3");
    assert_int_equal(d->kind, DET_EXIT);
    det_finding_fini(d);
    start(f, 0);
    note_fail(f, WIRE_FAIL_MUTEX, 0, 6, 0);
    rec_text(&f->r, "unlock of a mutex that another thread holds");
    det_finding_fini(one(f, "unlock of a mutex that another thread holds: 'a->lock'"));
    start(f, 0);
    note_fail(f, WIRE_FAIL_MEMORY, 0, 1, 0);
    det_finding_fini(one(f, "read in the heap, not near any block"));
    start(f, 0);
    assert_int_equal(finish(f, WIRE_DONE_EXIT), 0);
}

static wire_rec *note_call(fixture *f, uint32_t thread, uint32_t from, uint32_t to,
                           const char *name)
{
    size_t at = f->r.v.len;
    wire_rec *r = rec_note(&f->r, WIRE_NOTE_CALL, 0, thread, 0);
    r->count = from;
    r->object = to;
    rec_text(&f->r, name);
    return &f->r.v.at[at];
}

static void note_order(fixture *f, uint32_t n, const uint32_t *ids)
{
    wire_rec *r = rec_note(&f->r, WIRE_NOTE_ORDER, (uint8_t)n, 0, 0);
    memcpy(r->ids, ids, n * sizeof *ids);
}

static void test_linear(void **state)
{
    fixture *f = *state;
    start(f, 2);
    note_fail(f, WIRE_FAIL_LINEAR, 2, 2, 5)->object = 0x5000;
    wire_rec *c = note_call(f, 1, 5, 0, "put");
    c->size = 2;
    c[1] = (wire_rec){.kind = WIRE_NOTE_ARGS};
    c[1].object = (uint64_t)-1;
    c[1].value = (uint64_t)&shared_counter;
    rec_text(&f->r, "put");
    c = note_call(f, 2, 6, 8, "get");
    c->order = 1;
    c->value = 1;
    c = note_call(f, 0, 7, 9, "get");
    c->order = 1;
    c->value = UINT64_C(0x123456789ab);
    note_order(f, 3, (uint32_t[]){1, 2, 0});
    rec_note(&f->r, WIRE_NOTE_SAYS, 1, 0, 1);
    note_order(f, 1, (uint32_t[]){2});
    rec_note(&f->r, WIRE_NOTE_SAYS, 0, 0, 0);
    det_finding *d = one(f, "no order of the operations on 'ring.tail' explains get() = "
                            "0x123456789ab of main");
    assert_int_equal(d->kind, DET_LINEAR);
    assert_int_equal(d->line, 31);
    assert_int_equal(d->n_calls, 3);
    assert_int_equal(d->n_earlier, 2);
    assert_string_equal(d->calls[0].text, "put(-1, &shared_counter)");
    assert_int_equal(d->calls[0].end, 0);
    assert_string_equal(d->calls[1].text, "get() = 1");
    assert_false(d->calls[1].fails);
    assert_true(d->calls[2].fails);
    assert_string_equal(d->why,
                        "main's get() returned 0x123456789ab. In orders that explain the "
                        "other operations, it returns\n"
                        "  1 after T2 get() = 1 and before T1 put(-1, &shared_counter)\n"
                        "  not at all as the first");
    det_finding_fini(d);
    start(f, 0);
    note_fail(f, WIRE_FAIL_LINEAR, 0, 1, 0);
    d = one(f, "no order of the operations explains the last one");
    assert_string_equal(d->why, "");
    det_finding_fini(d);
    start(f, 0);
    note_fail(f, WIRE_FAIL_MARK, 0, 2, 0);
    rec_text(&f->r, "treadle_op_end without treadle_op_begin");
    det_finding_fini(one(f, "treadle_op_end without treadle_op_begin: 'ring.tail'"));
}

enum { BLOCK = 0x6000, BLOCK_BYTES = 16 };

/* An error of main at site 2, about a block that T1 made at site 5. */
static void note_memory(fixture *f, enum wire_memory what, uint64_t object,
                        uint64_t bytes)
{
    start(f, 2);
    wire_rec *r = note_fail(f, WIRE_FAIL_MEMORY, 0, 2, bytes);
    r->order = (uint8_t)what;
    r->object = object;
    wire_rec *made = rec_note(&f->r, WIRE_NOTE_BLOCK, WIRE_BLOCK_MADE, 1, BLOCK_BYTES);
    made->object = BLOCK;
    made->site = 5;
}

static void note_freed(fixture *f)
{
    rec_note(&f->r, WIRE_NOTE_BLOCK, WIRE_BLOCK_FREED, 2, 0)->site = 4;
}

static void test_memory_access(void **state)
{
    fixture *f = *state;
    static const struct {
        uint64_t object, bytes;
        const char *message;
    } cases[] = {
        {BLOCK + 16, 4,
         "read of 4 bytes (ring.tail), 0 bytes after the end of the 16 bytes"
         " allocated at xfer.c:40 by T1"},
        {BLOCK - 1, 1,
         "read of 1 byte (ring.tail), 1 byte before the start of the 16 bytes"
         " allocated at xfer.c:40 by T1"},
        {BLOCK + 9, 8,
         "read of 8 bytes (ring.tail), of which 1 byte beyond the end of the"
         " 16 bytes allocated at xfer.c:40 by T1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        note_memory(f, WIRE_MEMORY_ACCESS, cases[i].object, cases[i].bytes);
        det_finding *d = one(f, cases[i].message);
        assert_string_equal(d->other_file, "src/xfer.c");
        assert_int_equal(d->other_line, 40);
        assert_int_equal(d->allocated.thread, 1);
        assert_null(d->freed.file);
        det_finding_fini(d);
    }
}

static void test_memory_freed(void **state)
{
    fixture *f = *state;
    note_memory(f, WIRE_MEMORY_ACCESS, BLOCK + 8, 8);
    note_freed(f);
    det_finding *d = one(f, "read of 8 bytes (ring.tail) in a block of 16 bytes freed at"
                            " xfer.c:18 by T2, allocated at xfer.c:40 by T1");
    assert_int_equal(d->other_line, 18);
    assert_int_equal(d->freed.line, 18);
    assert_int_equal(d->freed.thread, 2);
    assert_int_equal(d->allocated.line, 40);
    det_finding_fini(d);
    note_memory(f, WIRE_MEMORY_FREE, BLOCK, 0);
    note_freed(f);
    det_finding_fini(one(f,
                         "free of a block of 16 bytes that was freed at xfer.c:18 by T2,"
                         " allocated at xfer.c:40 by T1: 'ring.tail'"));
    note_memory(f, WIRE_MEMORY_FREE, BLOCK + 3, 0);
    det_finding_fini(one(f, "free of an address 3 bytes into the 16 bytes allocated at"
                            " xfer.c:40 by T1: 'ring.tail'"));
}

static void test_memory_stack(void **state)
{
    fixture *f = *state;
    static const struct {
        enum wire_memory what;
        const char *message;
    } cases[] = {
        {WIRE_MEMORY_STACK,
         "read of 4 bytes (ring.tail) on the stack of T1, which has exited"},
        {WIRE_MEMORY_FRAME,
         "read of 4 bytes (ring.tail) on the stack of T1, in a function"
         " that has returned"},
        {WIRE_MEMORY_LOCALS,
         "read of 4 bytes (ring.tail) in a thread-local variable of T1,"
         " which has exited"},
        {WIRE_MEMORY_ENDS,
         "read of 4 bytes (ring.tail) on the stack of T1, which then exits:"
         " nothing orders the two"},
        {WIRE_MEMORY_FREE, "free of an address on the stack of T1: 'ring.tail'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start(f, 2);
        note_fail(f, WIRE_FAIL_MEMORY, 0, 2, 4)->order = (uint8_t)cases[i].what;
        rec_note(&f->r, WIRE_NOTE_BLOCK, WIRE_BLOCK_OWNER, 1, 0)->site = 1;
        det_finding_fini(one(f, cases[i].message));
    }
}

static void test_leak(void **state)
{
    fixture *f = *state;
    start(f, 1);
    note_fail(f, WIRE_FAIL_LEAK, 0, 5, 3);
    rec_note(&f->r, WIRE_NOTE_BLOCK, WIRE_BLOCK_MADE, 1, 48)->site = 5;
    det_finding *d =
        one(f, "3 blocks, 48 bytes, allocated at xfer.c:40 by T1, unreachable at exit");
    assert_int_equal(d->kind, DET_LEAK);
    assert_int_equal(d->line, 40);
    det_finding_fini(d);
}

/* Writes the id of a race between two sites. */
static void race_id(fixture *f, uint32_t site, uint32_t other, char id[32])
{
    start(f, 2);
    note_fail(f, WIRE_FAIL_RACE, 2, site, 0)->object = (uint64_t)&shared_counter;
    rec_note(&f->r, WIRE_NOTE_OTHER, 4, 1, 1)->site = other;
    assert_int_equal(finish(f, WIRE_DONE_FAIL), 1);
    memcpy(id, f->found[0].id, 32);
}

static void test_race(void **state)
{
    fixture *f = *state;
    char a[32], b[32], c[32];
    race_id(f, 2, 3, a);
    assert_string_equal(f->found[0].message, "data race on 'ring.tail'");
    assert_int_equal(f->found[0].line, 31);
    assert_int_equal(f->found[0].other_line, 44);
    assert_string_equal(f->found[0].other_function, "consumer");
    det_finding_fini(&f->found[0]);
    race_id(f, 3, 2, b);
    assert_int_equal(f->found[0].line, 44);
    det_finding_fini(&f->found[0]);
    assert_string_equal(a, b);
    race_id(f, 1, 5, c);
    assert_string_equal(f->found[0].message, "data race on 'shared_counter'");
    det_finding_fini(&f->found[0]);
    assert_string_not_equal(a, c);
}

static void test_several(void **state)
{
    fixture *f = *state;
    start(f, 2);
    for (int i = 0; i < 6; i++) {
        note_fail(f, WIRE_FAIL_RACE, 2, 2, 0);
        rec_note(&f->r, WIRE_NOTE_OTHER, 4, 1, 1)->site = 3;
    }
    assert_int_equal(finish(f, WIRE_DONE_EXIT), 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(f->found[i].fail, i);
        det_finding_fini(&f->found[i]);
    }
}

static void note_wait(fixture *f, uint32_t thread, uint8_t kind, uint32_t site,
                      uint64_t other_plus_1)
{
    rec_note(&f->r, WIRE_NOTE_WAIT, kind, thread, other_plus_1)->site = site;
}

static void dead(fixture *f, const char *message)
{
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 1);
    assert_string_equal(f->found[0].message, message);
    assert_int_equal(f->found[0].kind, DET_DEADLOCK);
    assert_int_equal(f->found[0].fail, UINT32_MAX);
    if (f->found[0].line == 0)
        fail_msg("no place");
}

static void test_deadlock(void **state)
{
    fixture *f = *state;
    char id[32];
    start(f, 2);
    note_wait(f, 0, WIRE_JOIN, 5, 2);
    note_wait(f, 1, WIRE_LOCK, 4, 3);
    rec_note(&f->r, WIRE_NOTE_HELD, 0, 1, 0)->site = 6;
    note_wait(f, 2, WIRE_LOCK, 4, 2);
    dead(f, "deadlock: 2 threads wait for each other, main waits in join");
    memcpy(id, f->found[0].id, sizeof id);
    assert_string_equal(f->found[0].file, "src/xfer.c");
    assert_int_equal(f->found[0].line, 18);
    assert_int_equal(f->found[0].thread, 1);
    det_finding_fini(&f->found[0]);

    /* A victim does not make it another bug. */
    start(f, 3);
    note_wait(f, 0, WIRE_JOIN, 5, 2);
    note_wait(f, 3, WIRE_LOCK, 6, 2);
    note_wait(f, 2, WIRE_LOCK, 4, 2);
    note_wait(f, 1, WIRE_LOCK, 4, 3);
    dead(f, "deadlock: 2 threads wait for each other, T3 waits for 'a->lock' held by T1, "
            "main waits in join");
    assert_string_equal(f->found[0].id, id);
    det_finding_fini(&f->found[0]);

    start(f, 1);
    note_wait(f, 1, WIRE_LOCK, 4, 2);
    dead(f, "deadlock: T1 waits for 'b->lock', which it holds itself");
    assert_string_equal(f->found[0].id, id);
    det_finding_fini(&f->found[0]);

    start(f, 2);
    rec_end(&f->r, 1);
    note_wait(f, 0, WIRE_JOIN, 5, 3);
    note_wait(f, 2, WIRE_LOCK, 4, 2);
    dead(f,
         "deadlock: T2 waits for 'b->lock' held by T1, which has exited, main waits in "
         "join");
    det_finding_fini(&f->found[0]);

    start(f, 1);
    note_wait(f, 0, WIRE_JOIN, 5, 2);
    note_wait(f, 1, WIRE_JOIN, 5, 1);
    dead(f, "deadlock: 2 threads wait for each other in join");
    assert_string_not_equal(f->found[0].id, id);
    det_finding_fini(&f->found[0]);

    /* Nobody says what it waits for. */
    start(f, 1);
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 1);
    assert_string_equal(f->found[0].message, "deadlock: no thread is enabled");
    det_finding_fini(&f->found[0]);
}

/* The id of a deadlocked run with one cause. */
static void only_id(fixture *f, char id[32])
{
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 1);
    memcpy(id, f->found[0].id, 32);
    det_finding_fini(&f->found[0]);
}

static void check_cause(const det_finding *d, const char *id, const char *message)
{
    assert_string_equal(d->id, id);
    assert_string_equal(d->message, message);
}

static void done_with(fixture *f, size_t n)
{
    for (size_t i = 0; i < n; i++)
        det_finding_fini(&f->found[i]);
}

/* Every cause has the id it has alone, whatever else is stuck in the same run. */
static void test_deadlock_causes(void **state)
{
    fixture *f = *state;
    char cycle[32], self[32], left[32];
    start(f, 2);
    note_wait(f, 1, WIRE_LOCK, 4, 3);
    note_wait(f, 2, WIRE_LOCK, 6, 2);
    only_id(f, cycle);
    start(f, 1);
    note_wait(f, 1, WIRE_LOCK, 4, 2);
    only_id(f, self);
    start(f, 2);
    rec_end(&f->r, 1);
    note_wait(f, 2, WIRE_LOCK, 4, 2);
    only_id(f, left);
    assert_string_not_equal(cycle, self);
    assert_string_not_equal(cycle, left);
    assert_string_not_equal(self, left); /* the same place */

    /* All three, and main and T6 as victims of two of them. */
    start(f, 6);
    rec_end(&f->r, 1);
    note_wait(f, 0, WIRE_JOIN, 5, 3);
    note_wait(f, 2, WIRE_LOCK, 4, 2);
    note_wait(f, 3, WIRE_LOCK, 6, 5);
    note_wait(f, 4, WIRE_LOCK, 4, 4);
    note_wait(f, 5, WIRE_LOCK, 4, 6);
    note_wait(f, 6, WIRE_LOCK, 6, 5);
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 3);
    check_cause(
        &f->found[0], left,
        "deadlock: T2 waits for 'b->lock' held by T1, which has exited, main waits "
        "in join");
    check_cause(&f->found[1], cycle,
                "deadlock: 2 threads wait for each other, T6 waits for 'a->lock' held by "
                "T4");
    check_cause(&f->found[2], self,
                "deadlock: T5 waits for 'b->lock', which it holds itself");
    assert_int_equal(f->found[0].thread, 2);
    assert_int_equal(f->found[1].thread, 3);
    assert_int_equal(f->found[2].thread, 5);
    done_with(f, 3);
}

static void test_deadlock_same_places(void **state)
{
    fixture *f = *state;
    char id[32];
    /* Two cycles at the same places are one bug. */
    start(f, 4);
    note_wait(f, 1, WIRE_LOCK, 4, 3);
    note_wait(f, 2, WIRE_LOCK, 6, 2);
    note_wait(f, 3, WIRE_LOCK, 6, 5);
    note_wait(f, 4, WIRE_LOCK, 4, 4);
    only_id(f, id);

    /* Two threads want mutexes of one that has ended, at two places: two bugs. */
    start(f, 3);
    rec_end(&f->r, 1);
    note_wait(f, 2, WIRE_LOCK, 6, 2);
    note_wait(f, 3, WIRE_LOCK, 4, 2);
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 2);
    assert_string_equal(f->found[0].message,
                        "deadlock: T2 waits for 'a->lock' held by T1, which has exited");
    assert_int_equal(f->found[0].line, 17);
    assert_int_equal(f->found[1].line, 18);
    done_with(f, 2);

    /* A thread that waits for a thread that cannot wait, and nobody to wait for. */
    start(f, 2);
    note_wait(f, 0, WIRE_JOIN, 5, 2);
    note_wait(f, 2, WIRE_LOCK, 4, 0);
    assert_int_equal(finish(f, WIRE_DONE_DEADLOCK), 2);
    assert_string_equal(f->found[0].message, "deadlock: main waits in join");
    assert_string_equal(f->found[1].message, "deadlock: T2 waits for 'b->lock'");
    done_with(f, 2);
}

enum { N_WAITING = 9 };

/* Of each thread: one more than the one it waits for, 0: nobody; UINT32_MAX: it does not
 * wait. */
typedef struct waits {
    uint32_t other[N_WAITING];
} waits;

static void note_waits(fixture *f, const waits *w)
{
    start(f, N_WAITING - 1);
    for (uint32_t i = 0; i < N_WAITING; i++)
        if (w->other[i] != UINT32_MAX)
            note_wait(f, i, i % 2 ? WIRE_LOCK : WIRE_JOIN, 4 + i % 3, w->other[i]);
}

/* Only those that thread waits for, over any number of others. */
static waits behind(const waits *w, uint32_t thread)
{
    waits out;
    memset(&out, 0xff, sizeof out);
    while (w->other[thread] != UINT32_MAX && out.other[thread] == UINT32_MAX) {
        out.other[thread] = w->other[thread];
        if (w->other[thread] == 0)
            break;
        thread = w->other[thread] - 1;
    }
    return out;
}

/* Random waits: each finding shows alone when all that does not belong to it is away. */
static void test_deadlock_random(void **state)
{
    fixture *f = *state;
    td_rng rng = {5};
    for (int round = 0; round < 500; round++) {
        waits all;
        for (uint32_t i = 0; i < N_WAITING; i++)
            all.other[i] = td_rng_below(&rng, 5) == 0
                               ? UINT32_MAX
                               : (uint32_t)td_rng_below(&rng, N_WAITING + 1);
        note_waits(f, &all);
        size_t n = finish(f, WIRE_DONE_DEADLOCK);
        assert_true(n >= 1 && n <= FOUND_MAX);
        char ids[FOUND_MAX][32], alone[32];
        uint32_t threads[FOUND_MAX];
        for (size_t i = 0; i < n; i++) {
            memcpy(ids[i], f->found[i].id, sizeof ids[i]);
            threads[i] = f->found[i].thread;
        }
        done_with(f, n);
        for (size_t i = 0; i < n; i++) {
            waits one = behind(&all, threads[i]);
            note_waits(f, &one);
            only_id(f, alone);
            assert_string_equal(alone, ids[i]);
        }
    }
}

static void test_nondet(void **state)
{
    fixture *f = *state;
    trc other;
    trc_init(&other);
    start(f, 1);
    rec_op(&f->r, WIRE_LOAD, 1, 0x5000, 1)->site = 3;
    rec_done(&f->r, WIRE_DONE_EXIT);
    assert_int_equal(recs_decode(&f->r, &other, NULL), TD_OK);
    f->r.v.at[2].value = 2;
    assert_int_equal(recs_decode(&f->r, &f->t, NULL), TD_OK);
    det_finding d;
    det_nondet(&other, &f->t, f->sites, &d);
    assert_string_equal(
        d.message,
        "nondeterministic at event 2: expected load of 'ring.tail' (value 1) by T1 at "
        "ring.c:44, saw load of 'ring.tail' (value 2) by T1 at ring.c:44; the value may "
        "come from uninitialised memory, an address, or the environment");
    assert_int_equal(d.kind, DET_NONDET);
    assert_int_equal(d.line, 44);
    det_finding_fini(&d);

    start(f, 1);
    rec_done(&f->r, WIRE_DONE_DEADLOCK);
    assert_int_equal(recs_decode(&f->r, &f->t, NULL), TD_OK);
    det_nondet(&other, &f->t, f->sites, &d);
    assert_non_null(strstr(d.message, "saw the end of the run (deadlock); the program"));
    det_finding_fini(&d);
    det_nondet(&f->t, &f->t, f->sites, &d);
    assert_non_null(strstr(d.message, "event 2: expected the end of the run"));
    det_finding_fini(&d);
    trc_fini(&other);
}

/* By the name that people read, and trusted by either. */
static void test_ledger_names(void **state)
{
    (void)state;
    static const char symbol[] = "_ZN4bank4takeEi (libbank.so)";
    const char *names[] = {"bank::take"}, *symbols[] = {"_ZN4bank4takeEi"};
    det_trust by_name = {.names = names, .n_names = 1};
    det_trust by_symbol = {.names = symbols, .n_names = 1};
    const det_trust *trusts[] = {NULL, &by_name, &by_symbol};
    for (int i = 0; i < 3; i++) {
        det_ledger l = {.trust = trusts[i]};
        det_ledger_add(&l, "not watched", "b.cc", 3, symbol);
        det_ledger_add(&l, "not watched", "b.cc", 3, "bank::take (libbank.so)");
        assert_string_equal(l.gaps.at[0].text, "bank::take (libbank.so)");
        assert_string_equal(l.gaps.at[0].kind, i == 0 ? "not watched" : "trusted");
        assert_int_equal(l.gaps.at[0].count, i == 2 ? 1 : 2);
        det_ledger_fini(&l);
    }
}

static void test_ledger(void **state)
{
    fixture *f = *state;
    det_ledger l = {0};
    assert_null(det_ledger_first(&l));
    start(f, 0);
    rec_note(&f->r, WIRE_NOTE_GAP, WIRE_GAP_TAINTED, 0, 0)->site = 1;
    rec_text(&f->r, "write");
    finish(f, WIRE_DONE_EXIT);
    det_ledger_run(&l, &f->t, f->sites);
    det_ledger_run(&l, &f->t, f->sites);
    assert_int_equal(l.gaps.len, 1);
    assert_int_equal(l.gaps.at[0].count, 2);
    assert_string_equal(l.gaps.at[0].file, "src/bank.c");
    assert_string_equal(l.gaps.at[0].text, "write");
    assert_null(det_ledger_first(&l));

    start(f, 0);
    rec_note(&f->r, WIRE_NOTE_GAP, WIRE_GAP_REFUSED, 0, 0)->site = 4;
    rec_text(&f->r, "pthread_cond_wait");
    finish(f, WIRE_DONE_REFUSED);
    det_ledger_run(&l, &f->t, f->sites);
    assert_int_equal(l.gaps.len, 2);
    assert_string_equal(l.gaps.at[1].kind, "not modelled");
    assert_string_equal(l.gaps.at[1].text, "pthread_cond_wait");
    assert_int_equal(l.gaps.at[1].line, 18);
    assert_ptr_equal(det_ledger_first(&l), &l.gaps.at[1]);
    det_ledger_fini(&l);

    start(f, 0);
    finish(f, WIRE_DONE_DEPTH);
    det_ledger_run(&l, &f->t, f->sites);
    assert_string_equal(l.gaps.at[0].kind, "depth");
    assert_string_equal(l.gaps.at[0].file, "");
    det_ledger_add_many(&l, "depth", "runs truncated at the depth limit", 7);
    assert_int_equal(l.gaps.len, 1);
    assert_int_equal(l.gaps.at[0].count, 8);
    det_ledger_add_many(&l, "preemptions", "at most 2 preemptions", 5);
    assert_int_equal(l.gaps.at[1].count, 5);
    det_ledger_fini(&l);
}

/* A failure that ended its run although others could have gone on, unless they could not. */
static void test_ledger_cut(void **state)
{
    fixture *f = *state;
    det_ledger l = {0};
    for (int how = 0; how < 4; how++) {
        start(f, 1);
        if (how == 2)
            rec_op(&f->r, WIRE_ATOMIC_BEGIN, 1, WIRE_OBJECT_ATOMIC, 0);
        else if (how == 3)
            rec_op(&f->r, WIRE_EXIT, 0, 0, 0);
        rec_note(&f->r, WIRE_NOTE_FAIL, WIRE_FAIL_CRASH, 1, 0)->site = 4;
        assert_int_equal(finish(f, WIRE_DONE_FAIL), 1);
        det_finding_fini(&f->found[0]);
        f->t.is_stopped = how > 0;
        det_ledger_cut(&l, &f->t, f->sites);
        assert_int_equal(l.gaps.len, how > 0);
    }
    assert_string_equal(l.gaps.at[0].kind, "cut short");
    assert_int_equal(l.gaps.at[0].line, 18);
    assert_int_equal(l.gaps.at[0].count, 1);
    assert_ptr_equal(det_ledger_first(&l), &l.gaps.at[0]);
    det_ledger_fini(&l);
}

/* Both sides of a race: who, what, and the locks held there and then. */
static void test_race_sides(void **state)
{
    fixture *f = *state;
    start(f, 2);
    rec_op(&f->r, WIRE_LOCK, 1, 0x5000, 0)->site = 6;
    rec_op(&f->r, WIRE_LOCK, 1, 0x5000, 0)->site =
        4; /* recursive: held from the first on */
    rec_op(&f->r, WIRE_WRLOCK, 1, 0x5040, 0)->site = 4;
    rec_op(&f->r, WIRE_UNLOCK, 1, 0x5000, 0);
    wire_rec *x = rec_note(&f->r, WIRE_NOTE_WRITE, 2, 1, 0);
    x->site = 2, x->object = 0x7002;
    rec_op(&f->r, WIRE_UNLOCK, 1, 0x5000, 0);
    rec_op(&f->r, WIRE_TRYLOCK, 2, 0x5080, 0)->site = 4;
    rec_op(&f->r, WIRE_UNLOCK, 2, 0x5080, 0);
    wire_rec *fail = note_fail(f, WIRE_FAIL_RACE, 2, 3, 0);
    fail->object = 0x7000;
    rec_note(&f->r, WIRE_NOTE_OTHER, 4, 1, 1)->site = 2;
    det_finding *d = one(f, "data race on 'ring.tail'");
    const det_side *earlier = &d->sides[0], *later = &d->sides[1];
    assert_int_equal(earlier->thread, 1);
    assert_true(earlier->is_write && !earlier->is_atomic && earlier->locks_known);
    assert_int_equal(earlier->size, 2);
    assert_int_equal(earlier->line, 31);
    assert_string_equal(earlier->name, "ring.tail");
    assert_int_equal(earlier->locks.len, 2);
    assert_string_equal(earlier->locks.at[0].name, "a->lock");
    assert_int_equal(earlier->locks.at[0].line, 17);
    assert_string_equal(earlier->locks.at[1].name, "b->lock");
    assert_int_equal(later->thread, 2);
    assert_true(!later->is_write && !later->is_atomic);
    assert_int_equal(later->size, 4);
    assert_string_equal(later->function, "consumer");
    assert_int_equal(later->locks.len, 0);
    assert_non_null(later->created_file);
    det_finding_fini(d);
}

/* An atomic access against a plain one that no run told: nothing is said of its locks. */
static void test_race_atomic_side(void **state)
{
    fixture *f = *state;
    start(f, 1);
    rec_op(&f->r, WIRE_STORE, 0, 0x7000, 0)->site = 5;
    note_fail(f, WIRE_FAIL_RACE, 0, 5, 1)->object = 0x7000;
    rec_note(&f->r, WIRE_NOTE_OTHER, 4, 1, 0)->site = 2;
    det_finding *d = one(f, "data race on 'ring.tail'");
    assert_false(d->sides[0].locks_known || d->sides[0].is_atomic);
    assert_true(d->sides[1].locks_known && d->sides[1].is_atomic);
    assert_null(d->sides[1].created_file);
    det_finding_fini(d);
}

/* ---- suppressions ---- */

static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        {"foo", "foo", true},
        {"foo", "a foo b", true},
        {"^foo", "a foo", false},
        {"^foo", "food", true},
        {"foo$", "food", false},
        {"foo$", "a foo", true},
        {"^foo$", "foo", true},
        {"^foo$", "foofoo", false},
        {"f*o", "f o", true},
        {"^f*o$", "fo o", true},
        {"^f*o$", "fop", false},
        {"*", "", true},
        {"^$", "", true},
        {"^$", "x", false},
        {"a*b*c", "xaybzc", true},
        {"a*b*c", "xacb", false},
        {"^a*ab$", "aaab", true},
        {"^a**b$", "ab", true},
        {"x$y", "x$y", true},
        {"a^", "a^b", true},
        {"lib/*.c$", "lib/x.c", true},
        {"lib/*.c$", "lib/x.cc", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (det_pattern_matches(cases[i].pattern, cases[i].text) != cases[i].matches)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].text);
}

static void refused(const char *text, const char *why)
{
    det_suppressions s;
    td_diag diag = {0};
    assert_int_equal(det_suppressions_parse(text, strlen(text), &s, &diag), TD_E_FORMAT);
    assert_string_equal(diag.text, why);
    assert_int_equal(s.at.len, 0);
}

static void test_suppressions_refused(void **state)
{
    (void)state;
    refused("race:a\nfoo\n",
            "line 2: a suppression is TYPE:PATTERN, for example race:foo");
    refused(":foo", "line 1: a suppression is TYPE:PATTERN, for example race:foo");
    refused("\n\nrace:", "line 3: the pattern is missing");
    refused("race:a\001b", "line 1: control character");
}

static void test_suppressions(void **state)
{
    (void)state;
    static const char text[] = "# ours\r\n\n  race:^ring.\t\nsignal:x\n"
                               "deadlock:move\nrace_top:consume*r$\nmutex:*";
    det_suppressions s;
    td_diag diag = {0};
    assert_int_equal(det_suppressions_parse(text, sizeof text - 1, &s, &diag), TD_OK);
    assert_int_equal(s.at.len, 4);
    assert_string_equal(s.at.at[0].text, "race:^ring.");
    assert_non_null(strstr(s.notes.at, "line 4: unknown type 'signal'"));
    assert_true(det_suppresses_kind(&s, DET_RACE));
    assert_false(det_suppresses_kind(&s, DET_THREAD));
    char consumer[] = "consumer", other[] = "other", file[] = "x.c", name[] = "ring.tail";
    det_side sides[2] = {{.name = other}, {.name = name}};
    det_finding f = {.kind = DET_RACE, .function = other, .file = file};
    assert_null(det_suppressed(&s, &f));
    f.other_function = consumer;
    assert_string_equal(det_suppressed(&s, &f)->text, "race_top:consume*r$");
    f.sides = sides;
    assert_string_equal(det_suppressed(&s, &f)->text, "race:^ring.");
    f.kind = DET_DEADLOCK;
    assert_null(det_suppressed(&s, &f));
    f.kind = DET_MUTEX;
    assert_non_null(det_suppressed(&s, &f));
    det_suppressions_fini(&s);
}

/* Texts for every kind. */
static void test_kinds(void **state)
{
    (void)state;
    for (unsigned k = 0; k < DET_N_KINDS; k++) {
        assert_true(det_kind_id((det_kind)k)[0] != 0);
        assert_true(det_kind_title((det_kind)k)[0] != 0);
    }
}

/* Freed memory has titles of its own, whatever the kind is. */
static void test_titles(void **state)
{
    (void)state;
    char file[] = "a.c";
    static const struct {
        det_kind kind;
        bool freed;
        const char *message, *title;
    } cases[] = {
        {DET_RACE, false,
         "use after free: the free and an access to the block are unordered",
         "use after free"},
        {DET_RACE, false, "data race on 'x'", "data race"},
        {DET_MEMORY, true, "read of 4 bytes in a block of 8 bytes freed at a.c:3 by main",
         "use after free"},
        {DET_MEMORY, true, "free of a block of 8 bytes that was freed at a.c:3 by main",
         "double free"},
        {DET_MEMORY, false, "read of 4 bytes, 0 bytes after the end of the 8 bytes",
         "memory error"},
        {DET_ASSERT, true, "use after free", "assertion failed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        det_finding f = {.kind = cases[i].kind,
                         .message = (char *)(uintptr_t)cases[i].message,
                         .freed = {.file = cases[i].freed ? file : NULL}};
        assert_string_equal(det_finding_title(&f), cases[i].title);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_titles),
        TEST(test_assert),
        TEST(test_crash),
        TEST(test_others),
        TEST(test_race),
        TEST(test_several),
        TEST(test_deadlock),
        TEST(test_deadlock_causes),
        TEST(test_deadlock_same_places),
        TEST(test_deadlock_random),
        TEST(test_nondet),
        TEST(test_ledger),
        TEST(test_ledger_names),
        TEST(test_kinds),
        TEST(test_ledger_cut),
        TEST(test_linear),
        TEST(test_race_sides),
        TEST(test_race_atomic_side),
        TEST(test_patterns),
        TEST(test_suppressions),
        TEST(test_suppressions_refused),
        TEST(test_memory_access),
        TEST(test_memory_freed),
        TEST(test_memory_stack),
        TEST(test_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
