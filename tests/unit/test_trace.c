/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "records.h"
#include "trace/site_table.h"
#include "trace/weaker_orders.h"
#include "wire/sym.h"

/* ---- decoding ---- */

static void decode(const recs *r, trc *t)
{
    td_diag diag = {0};
    td_status status = recs_decode(r, t, &diag);
    if (status != TD_OK)
        fail_msg("%s", diag.text);
    assert_true(t->complete);
}

/* The run of these records. */
static trc decoded(const recs *r)
{
    trc t;
    trc_init(&t);
    decode(r, &t);
    return t;
}

/* The run of what a function writes. */
static trc decoded_of(recs *r, void (*writes)(recs *r))
{
    writes(r);
    return decoded(r);
}

static void free_both(trc *t, recs *r)
{
    trc_fini(t);
    recs_fini(r);
}

static void test_decode_fields(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0), t2 = rec_create(&r, 0);
    wire_rec *op = rec_op(&r, WIRE_RMW, t1, 0x5000, 7);
    op->count = 3;
    op->order = 5;
    op->site = 12;
    wire_rec *note = rec_note(&r, WIRE_NOTE_ENABLED, 2, 0, 0);
    note->ids[0] = 0;
    note->ids[1] = t2;
    rec_note(&r, WIRE_NOTE_OLD, 0, 0, 6);
    rec_note(&r, WIRE_NOTE_WRITE, 4, t2, 99)->object = 0x6000;
    rec_note(&r, WIRE_NOTE_OLD, 0, 0, 98);
    rec_note(&r, WIRE_NOTE_GAP, WIRE_GAP_REFUSED, 0, 0)->site = 4;
    rec_text(&r, "pthread_cond_wait");
    rec_note(&r, WIRE_NOTE_FAIL, WIRE_FAIL_RACE, t2, 1)->object = 0x6000;
    note = rec_note(&r, WIRE_NOTE_OTHER, 4, t1, 1);
    note->site = 33;
    note->count = 2;
    rec_text(&r, "a text that is longer than what fits into one record\n");
    rec_note(&r, WIRE_NOTE_WAIT, WIRE_LOCK, t1, t2 + 1)->object = 0x7000;
    rec_note(&r, WIRE_NOTE_HELD, 0, t2, 0)->object = 0x7000;
    rec_end(&r, t1);
    rec_done(&r, WIRE_DONE_FAIL);

    trc t = decoded(&r);
    assert_int_equal(t.threads.len, 3);
    assert_int_equal(t.threads.at[2].nth, 1);
    assert_int_equal(t.threads.at[2].start, 0x1002);
    assert_int_equal(t.threads.at[1].end_op, 3);
    assert_int_equal(t.ops.len, 4);
    assert_int_equal(t.n_choices, 3);
    const trc_op *rmw = &t.ops.at[2];
    assert_int_equal(rmw->old, 6);
    assert_int_equal(rmw->site, 12);
    assert_int_equal(rmw->n_alternatives, 2);
    assert_int_equal(t.enabled.at[rmw->alternatives + 1], t2);
    assert_int_equal(t.accesses.len, 1);
    assert_int_equal(t.accesses.at[0].old, 98);
    assert_int_equal(t.accesses.at[0].before_op, 3);
    assert_true(t.accesses.at[0].is_write);
    assert_string_equal(t.texts.at + t.gaps.at[0].text, "pthread_cond_wait");
    assert_string_equal(t.texts.at + t.fails.at[0].text,
                        "a text that is longer than what fits into one record ");
    assert_int_equal(t.fails.at[0].other_site, 33);
    assert_int_equal(t.fails.at[0].after_op, 3);
    assert_int_equal(t.waits.at[0].other, t2);
    assert_int_equal(t.waits.at[1].kind, 0);
    assert_true(trc_valid(&t, NULL, 0));
    free_both(&t, &r);
}

static void test_decode_in_pieces(void **state)
{
    (void)state;
    recs r = {0};
    for (uint32_t i = 0; i < 150; i++)
        rec_op(&r, WIRE_STORE, 0, 0x5000 + 8 * (i % 5), i);
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    td_id whole = t.records;
    assert_false(td_id_zero(whole));
    for (size_t piece = 1; piece < 80; piece++) {
        trc_clear(&t);
        size_t at = 0, used;
        while (!t.complete) {
            size_t n = r.v.len - at < piece ? r.v.len - at : piece;
            assert_int_equal(trc_feed(&t, r.v.at + at, n, &used, 1000, NULL), TD_OK);
            assert_int_equal(used, n);
            at += n;
        }
        assert_true(td_id_equal(t.records, whole));
        assert_int_equal(t.ops.len, 150);
    }
    r.v.at[70].value++;
    decode(&r, &t);
    assert_false(td_id_equal(t.records, whole));
    free_both(&t, &r);
}

static td_id hash_with(uint8_t note, const char *text)
{
    recs r = {0};
    rec_op(&r, WIRE_STORE, 0, 0x5000, 1);
    rec_note(&r, note, note == WIRE_NOTE_FAIL ? WIRE_FAIL_CRASH : WIRE_GAP_UNWATCHED, 0,
             0);
    rec_text(&r, text);
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    td_id hash = t.records;
    free_both(&t, &r);
    return hash;
}

/* The stack after a crash is a guess; two runs that differ in it only are equal. */
static void test_text_of_failure_is_not_hashed(void **state)
{
    (void)state;
    td_id one = hash_with(WIRE_NOTE_FAIL, "0x1");
    assert_true(td_id_equal(
        one, hash_with(WIRE_NOTE_FAIL, "0x1 0x2 0x3, a text that takes two records")));
    assert_false(
        td_id_equal(hash_with(WIRE_NOTE_GAP, "a"), hash_with(WIRE_NOTE_GAP, "b")));
}

static td_id hash_with_old(uint8_t kind, uint64_t old)
{
    recs r = {0};
    rec_op(&r, kind, 0, 0x5000, 1);
    rec_note(&r, WIRE_NOTE_OLD, 0, 0, old);
    rec_note(&r, WIRE_NOTE_WRITE, 4, 0, 99)->object = 0x6000;
    rec_note(&r, WIRE_NOTE_OLD, 0, 0, kind == WIRE_STORE ? old : 0);
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    td_id hash = t.records;
    free_both(&t, &r);
    return hash;
}

/* What was on the stack before the first write may differ: the program has not read it. */
static void test_unread_values_are_not_hashed(void **state)
{
    (void)state;
    assert_true(td_id_equal(hash_with_old(WIRE_STORE, 1), hash_with_old(WIRE_STORE, 2)));
    assert_false(td_id_equal(hash_with_old(WIRE_RMW, 1), hash_with_old(WIRE_RMW, 2)));
}

/* Stops at the NOTE_DONE: what follows is the next run. */
static void test_decode_stops(void **state)
{
    (void)state;
    recs r = {0};
    rec_op(&r, WIRE_EXIT, 0, 0, 3);
    rec_done(&r, WIRE_DONE_EXIT);
    rec_op(&r, WIRE_EXIT, 77, 0, 0);
    trc t;
    trc_init(&t);
    size_t used;
    assert_int_equal(trc_feed(&t, r.v.at, r.v.len, &used, 10, NULL), TD_OK);
    assert_int_equal(used, 2);
    assert_true(t.complete);
    free_both(&t, &r);
}

/* A good stream to spoil. */
static void good(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0);                      /* 0, 1 */
    wire_rec *op = rec_op(r, WIRE_STORE, t1, 0x5000, 1); /* 2 */
    op->count = 2;
    rec_note(r, WIRE_NOTE_ENABLED, 1, 0, 0)->ids[0] = 0; /* 3 */
    rec_end(r, t1);                                      /* 4 */
    rec_op(r, WIRE_JOIN, 0, 0, t1);                      /* 5 */
    rec_note(r, WIRE_NOTE_FAIL, WIRE_FAIL_ASSERT, 0, 0); /* 6 */
    rec_text(r, "x > 0");                                /* 7 */
    rec_op(r, WIRE_EXIT, 0, 0, 0);                       /* 8 */
    rec_done(r, WIRE_DONE_EXIT);                         /* 9 */
}

/* Another one, with what is only there on request. */
static void good_next(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0), t2 = rec_create(r, 0);          /* 0 .. 3 */
    rec_note(r, WIRE_NOTE_TOUCH, 0, t1, 0x6008)->object = 0x6000;   /* 4 */
    rec_note(r, WIRE_NOTE_TOUCH, 1, t1, 0x6004)->object = 0x6004;   /* 5 */
    rec_forced(r, WIRE_END, t1, 0, 0)->flags |= WIRE_F_SAW;         /* 6 */
    rec_op(r, WIRE_JOIN, 0, 0, t1)->flags = WIRE_JOIN_FETCHED;      /* 7 */
    rec_note(r, WIRE_NOTE_TOUCH, 2, 0, 0);                          /* 8 */
    rec_note(r, WIRE_NOTE_NEXT, WIRE_JOIN, 0, t2)->site = 9;        /* 9 */
    wire_rec *next = rec_note(r, WIRE_NOTE_NEXT, WIRE_CAS, t2, 77); /* 10 */
    next->object = 0x5000;
    next->count = 4;
    rec_done(r, WIRE_DONE_DEPTH); /* 11 */
}

static void refused(const recs *r, trc *t, const char *why)
{
    td_diag diag = {0};
    if (recs_decode(r, t, &diag) == TD_OK)
        fail_msg("expected '%s', got a run", why);
    if (!strstr(diag.text, why))
        fail_msg("expected '%s', got '%s'", why, diag.text);
}

static void rejected(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good(r);
}

/* Many ranges of one part, in another order than their bytes: no byte is lost or added, and those
 * of one site and way become one. */
static void test_decode_touches(void **state)
{
    (void)state;
    enum { N = 1 << 14 };
    recs r = {0};
    recs_clear(&r);
    uint32_t t1 = rec_create(&r, 0);
    for (uint32_t i = 0; i < N; i++) {
        uint64_t k = i * UINT64_C(7919) % N, at = 0x6000 + 8 * k;
        wire_rec *x = rec_note(&r, WIRE_NOTE_TOUCH, k < N / 2, t1, at + 8);
        x->object = at;
        x->site = 1 + (k < N / 2);
    }
    rec_done(&r, WIRE_DONE_DEPTH);
    trc t = decoded(&r);
    unsigned char *seen = calloc(N, 1);
    assert_true(t.touches.len < N / 2);
    for (size_t i = 0; i < t.touches.len; i++) {
        const trc_touch *x = &t.touches.at[i];
        assert_int_equal(x->site, 1 + x->how);
        for (uint64_t at = x->start; at < x->end; at += 8)
            seen[(at - 0x6000) / 8] |= (unsigned char)(1 << x->how);
    }
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(seen[i], i < N / 2 ? 2 : 1);
    assert_true(trc_valid(&t, NULL, 0));
    free(seen);
    free_both(&t, &r);
}

static void test_decode_next(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_next);
    assert_int_equal(t.ops.at[2].flags, WIRE_F_FORCED | WIRE_F_SAW);
    assert_int_equal(t.ops.at[3].flags, WIRE_JOIN_FETCHED);
    assert_int_equal(t.touches.len, 3);
    const trc_touch *read = &t.touches.at[0], *more = &t.touches.at[2];
    assert_int_equal(read->thread, 1);
    assert_int_equal(read->how, 0);
    assert_int_equal(read->before_op, 2);
    assert_int_equal(read->start, 0x6000);
    assert_int_equal(read->end, 0x6008);
    assert_int_equal(more->how, 2);
    assert_int_equal(more->before_op, 4);
    assert_int_equal(t.nexts.len, 2);
    const trc_next *join = &t.nexts.at[0], *cas = &t.nexts.at[1];
    assert_int_equal(join->kind, WIRE_JOIN);
    assert_int_equal(join->site, 9);
    assert_int_equal(join->other, 2);
    assert_int_equal(cas->thread, 2);
    assert_int_equal(cas->object, 0x5000);
    assert_int_equal(cas->size, 4);
    assert_int_equal(cas->other, UINT32_MAX);
    assert_true(trc_valid(&t, NULL, 0));

    good(&r);
    decode(&r, &t);
    assert_int_equal(t.nexts.len + t.touches.len, 0);
    free_both(&t, &r);
}

static void rejected_block(recs *r, trc *t, const char *why);

/* A use after free. */
static void good_block(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0);                                       /* 0, 1 */
    rec_note(r, WIRE_NOTE_WRITE, 8, t1, 0)->flags = 1;                    /* 2 */
    wire_rec *fail = rec_note(r, WIRE_NOTE_FAIL, WIRE_FAIL_MEMORY, 0, 4); /* 3 */
    fail->order = WIRE_MEMORY_ACCESS;
    fail->flags = 1;
    fail->object = 0x6004;
    wire_rec *made = rec_note(r, WIRE_NOTE_BLOCK, WIRE_BLOCK_MADE, 0, 16); /* 4 */
    made->object = 0x6000;
    made->site = 7;
    rec_note(r, WIRE_NOTE_BLOCK, WIRE_BLOCK_FREED, t1, 0)->site = 8; /* 5 */
    rec_done(r, WIRE_DONE_FAIL);                                     /* 6 */
}

static void test_decode_block(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_block);
    const trc_fail *f = &t.fails.at[0];
    assert_true(t.accesses.at[0].is_free);
    assert_true(f->is_write);
    assert_int_equal(f->value, 4);
    assert_int_equal(f->block, 0x6000);
    assert_int_equal(f->block_bytes, 16);
    assert_int_equal(f->parties[WIRE_BLOCK_MADE].site, 7);
    assert_int_equal(f->parties[WIRE_BLOCK_FREED].thread, 1);
    assert_false(f->parties[WIRE_BLOCK_OWNER].is_known);

    wire_rec *v = r.v.at; /* never grows again */
    v[3].order = WIRE_N_MEMORIES, rejected_block(&r, &t, "failure");
    v[3].size = WIRE_FAIL_ASSERT, rejected_block(&r, &t, "a block without a failure");
    v[4].size = WIRE_N_BLOCKS, rejected_block(&r, &t, "a block without a failure");
    v[5].size = WIRE_BLOCK_MADE, rejected_block(&r, &t, "a block without a failure");
    v[5].thread = 2, rejected_block(&r, &t, "does not exist");
    v[3] = v[2], rejected_block(&r, &t, "a block without a failure");
    decode(&r, &t);
    free_both(&t, &r);
}

/* A load that takes its thread round a loop. */
static void good_spin(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0);                         /* 0, 1 */
    rec_op(r, WIRE_STORE, 0, 0x6000, 1);                    /* 2 */
    rec_op(r, WIRE_LOAD, t1, 0x6000, 1);                    /* 3 */
    wire_rec *spin = rec_note(r, WIRE_NOTE_SPIN, 0, t1, 0); /* 4 */
    spin->site = 9;
    spin->count = 2;
    rec_op(r, WIRE_STORE, 0, 0x6000, 2); /* 5 */
    rec_done(r, WIRE_DONE_EXIT);         /* 6 */
}

static void rejected_spin(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_spin(r);
}

static void add_frame(recs *r, uint32_t thread, uint64_t address, bool inner)
{
    wire_rec *f = rec_note(r, WIRE_NOTE_FRAMES, 0, thread, address + 100);
    f->object = address;
    f->flags = inner;
}

static void good_frames(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0);      /* 0, 1 */
    add_frame(r, 0, 11, true);           /* 2 */
    add_frame(r, 0, 12, false);          /* 3 */
    rec_op(r, WIRE_STORE, 0, 0x6000, 1); /* 4 */
    rec_op(r, WIRE_LOAD, t1, 0x6000, 1); /* 5 */
    rec_op(r, WIRE_LOAD, 0, 0x6000, 1);  /* 6 */
    rec_done(r, WIRE_DONE_EXIT);         /* 7 */
}

/* A stack is that of all that its thread does until another one is told. */
static void test_decode_frames(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_frames);
    assert_int_equal(t.ops.at[0].stack, 0);
    assert_int_equal(t.ops.at[1].stack, 1);
    assert_int_equal(t.ops.at[2].stack, 0);
    assert_int_equal(t.ops.at[3].stack, 1);
    assert_int_equal(t.stacks.at[1].n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(t.frames.at[t.stacks.at[1].first + i], 11 + i);
        assert_int_equal(t.bases.at[t.stacks.at[1].first + i], 111 + i);
    }
    r.v.at[3].flags = 2;
    refused(&r, &t, "frames of thread 0");
    good_frames(&r);
    r.v.at[2].flags = 0;
    refused(&r, &t, "enclosing frames without inner ones");
    good_frames(&r);
    r.v.at[3].thread = 1;
    refused(&r, &t, "enclosing frames without inner ones");
    good_frames(&r);
    r.v.at[2].thread = 9;
    refused(&r, &t, "frames of thread 9");
    recs_fini(&r);
    trc_fini(&t);
}

/* It is known as it turned out, and no event: the name of the run is that without it. */
static void test_decode_spin(void **state)
{
    (void)state;
    recs r = {0}, without = {0};
    trc t = decoded_of(&r, good_spin);
    const trc_op *op = &t.ops.at[2];
    assert_int_equal(op->kind, WIRE_SPIN);
    assert_int_equal(trc_turned(op), WIRE_LOAD);
    assert_int_equal(op->loop, 9);
    assert_int_equal(op->old, 2);
    trc_namer *namer = trc_namer_new(NULL, 0);
    trc_identify(&t, namer);
    td_id sum = t.sum;
    uint32_t t1 = rec_create(&without, 0);
    assert_int_equal(t1, 1);
    rec_op(&without, WIRE_STORE, 0, 0x6000, 1);
    rec_op(&without, WIRE_STORE, 0, 0x6000, 2);
    rec_done(&without, WIRE_DONE_EXIT);
    trc_clear(&t);
    decode(&without, &t);
    trc_identify(&t, namer);
    assert_true(td_id_equal(sum, t.sum));

    wire_rec *v = r.v.at;
    v[3].kind = WIRE_SPIN, rejected_spin(&r, &t, "a spin as an operation");
    v[3].kind = WIRE_STORE, rejected_spin(&r, &t, "a spin that is not a read");
    v[4].thread = 0, rejected_spin(&r, &t, "a spin that is not a read");
    v[4].thread = 7, rejected_spin(&r, &t, "a spin that is not a read");
    v[4].count = 0, rejected_spin(&r, &t, "a spin of 0 operations");
    v[4].count = 4, rejected_spin(&r, &t, "a spin of 4 operations");
    v[5] = v[4], rejected_spin(&r, &t, "a spin that is not a read");
    trc_namer_free(namer);
    free_both(&t, &r);
    recs_fini(&without);
}

static void rejected_block(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_block(r);
}

/* A call of a descriptor: which, and an object of descriptors. */
static void descriptor(recs *r, uint8_t kind, uint8_t call, uint64_t object)
{
    recs_clear(r);
    rec_op(r, kind, 0, object, WIRE_FD_VALUE(3, -1))->size = call;
    rec_done(r, WIRE_DONE_EXIT);
}

static void test_decode_descriptors(void **state)
{
    (void)state;
    recs r = {0};
    trc t;
    trc_init(&t);
    descriptor(&r, WIRE_FD, WIRE_FD_CALL_POLL, WIRE_OBJECT_FDS);
    decode(&r, &t);
    assert_int_equal(t.ops.at[0].value, UINT64_C(0xffffffff00000003));
    descriptor(&r, WIRE_FD_WAKE, 0, WIRE_OBJECT_STREAM(WIRE_N_STREAMS - 1));
    decode(&r, &t);
    descriptor(&r, WIRE_FD, WIRE_N_FD_CALLS, WIRE_OBJECT_FDS);
    refused(&r, &t, "of a descriptor");
    descriptor(&r, WIRE_FD_LOOK, 0, WIRE_OBJECT_FDS + 1);
    refused(&r, &t, "of a descriptor");
    descriptor(&r, WIRE_FD_WAKE, 0, WIRE_OBJECT_STREAM(WIRE_N_STREAMS));
    refused(&r, &t, "of a descriptor");
    free_both(&t, &r);
}

/* main cancels T1, sends it a signal, and one to the process; T1 waits for a semaphore. */
static void good_sent(recs *r)
{
    recs_clear(r);
    uint32_t t1 = rec_create(r, 0);                               /* 0, 1 */
    rec_op(r, WIRE_CANCEL, 0, 0x1000, t1);                        /* 2 */
    rec_op(r, WIRE_KILL, 0, WIRE_OBJECT_SIGNALS, t1);             /* 3 */
    rec_op(r, WIRE_KILL, 0, WIRE_OBJECT_SIGNALS, WIRE_NO_THREAD); /* 4 */
    rec_note(r, WIRE_NOTE_NEXT, WIRE_SEM_WAIT, t1, 0)->flags =
        WIRE_F_CANCELLABLE | WIRE_F_INTERRUPTIBLE; /* 5 */
    rec_done(r, WIRE_DONE_IDLE);                   /* 6 */
}

static void rejected_sent(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_sent(r);
}

static void test_decode_sent(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_sent);
    assert_int_equal(t.nexts.at[0].patience, WIRE_F_CANCELLABLE | WIRE_F_INTERRUPTIBLE);
    wire_rec *v = r.v.at; /* never grows again: good_sent() writes as many */
    v[2].value = 2, rejected_sent(&r, &t, "sent to thread 2");
    v[2].value = WIRE_NO_THREAD, rejected_sent(&r, &t, "sent to thread");
    v[3].value = 2, rejected_sent(&r, &t, "sent to thread 2");
    v[4].flags = WIRE_F_CANCELLABLE, rejected_sent(&r, &t, "flags");
    free_both(&t, &r);
}

static void rejected_next(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_next(r);
}

static void test_decode_rejects_next(void **state)
{
    (void)state;
    recs r = {0};
    trc t;
    trc_init(&t);
    good_next(&r);
    wire_rec *v = r.v.at; /* never grows again: good_next() writes as many */
    v[4].size = WIRE_N_TOUCHES, rejected_next(&r, &t, "touched");
    v[4].value = 0x5fff, rejected_next(&r, &t, "touched");
    v[4].thread = 3, rejected_next(&r, &t, "does not exist");
    v[6].flags = WIRE_F_FORCED | WIRE_JOIN_FETCHED, rejected_next(&r, &t, "flags");
    v[7].flags = WIRE_F_CLOSED, rejected_next(&r, &t, "flags");
    v[1].kind = WIRE_NOTE_TOUCH, rejected_next(&r, &t, "was not named");
    v[1].kind = WIRE_NOTE_NEXT, rejected_next(&r, &t, "was not named");
    v[9].thread = 1, rejected_next(&r, &t, "thread 1 cannot");
    v[9].thread = 3, rejected_next(&r, &t, "thread 3 cannot");
    v[9].thread = 2, rejected_next(&r, &t, "thread 2 cannot");
    v[9].value = 3, rejected_next(&r, &t, "thread 3 to be joined");
    v[9].size = WIRE_NONE, rejected_next(&r, &t, "operation 0 cannot");
    v[9].size = WIRE_END, rejected_next(&r, &t, "cannot be next");
    v[9].size = WIRE_N_OPS, rejected_next(&r, &t, "cannot be next");
    v[10].size = WIRE_CAS_FAIL, rejected_next(&r, &t, "cannot be next");
    v[10].size = WIRE_TRYLOCK_BUSY, rejected_next(&r, &t, "cannot be next");
    v[10].count = 0, rejected_next(&r, &t, "0 bytes");
    v[10].count = 256, rejected_next(&r, &t, "256 bytes");
    v[10] = v[7], rejected_next(&r, &t, "after what would be next");
    v[7].kind = WIRE_FAIL, rejected_next(&r, &t, "a failure as an operation");
    v[10].size = WIRE_FAIL, v[10].count = 0; /* the thread has failed */
    decode(&r, &t);
    free_both(&t, &r);
}

static wire_rec *rec_node(recs *r, uint8_t op, uint8_t bits, uint32_t a, uint32_t b)
{
    wire_rec *rec = rec_note(r, WIRE_NOTE_NODE, op, a, 0);
    rec->order = bits;
    rec->site = b;
    return rec;
}

static void rec_decide(recs *r, enum wire_decide how, uint32_t node, uint64_t value)
{
    rec_op(r, WIRE_DECIDE, 0, node, value)->flags = WIRE_F_FORCED;
    r->v.at[r->v.len - 1].size = (uint8_t)how;
    r->n_choices--;
}

/* if (x + 5 < 0x100000001) with an input x of 32 bits, extended; and its low byte. */
static void good_symbolic(recs *r)
{
    recs_clear(r);
    rec_note(r, WIRE_NOTE_INPUT, 32, 0, 7)->object = 77;      /* 0 */
    rec_text(r, "x");                                         /* 1 */
    rec_node(r, WIRE_SYM_INPUT, 32, 0, 0);                    /* 2: node 1 */
    rec_node(r, WIRE_SYM_ZEXT, 64, 1, 0);                     /* 3: node 2 */
    rec_node(r, WIRE_SYM_ADD, 64, 2, 0)->object = 5;          /* 4: node 3 */
    rec_node(r, WIRE_SYM_ULT, 1, 3, 0)->object = 0x100000001; /* 5: node 4 */
    rec_decide(r, WIRE_DECIDE_BRANCH, 4, 1);                  /* 6 */
    rec_node(r, WIRE_SYM_EXTRACT, 8, 3, 0)->flags = 56;       /* 7: node 5 */
    rec_node(r, WIRE_SYM_CONCAT, 72, 5, 2);                   /* 8: node 6 */
    rec_node(r, WIRE_SYM_ITE, 8, 4, 5)->value = 9;            /* 9: node 7 */
    rec_note(r, WIRE_NOTE_CASE, 0, 0, 3);                     /* 10 */
    rec_note(r, WIRE_NOTE_CASE, 0, 0, 0);                     /* 11 */
    rec_decide(r, WIRE_DECIDE_SWITCH, 7, 0);                  /* 12 */
    rec_op(r, WIRE_EXIT, 0, 0, 0);                            /* 13 */
    rec_done(r, WIRE_DONE_EXIT);                              /* 14 */
}

static void rejected_symbolic(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_symbolic(r);
}

static void test_decode_symbolic(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_symbolic);
    assert_int_equal(t.inputs.len, 1);
    assert_int_equal(t.inputs.at[0].key, 77);
    assert_int_equal(t.inputs.at[0].value, 7);
    assert_string_equal(t.texts.at + t.inputs.at[0].text, "x");
    assert_int_equal(t.nodes.len, 8);
    assert_int_equal(t.nodes.at[4].op, WIRE_SYM_ULT);
    assert_int_equal(t.nodes.at[4].immediate[0], 0x100000001);
    assert_int_equal(t.nodes.at[5].offset, 56);
    assert_int_equal(t.ops.len, 3);
    assert_int_equal(t.ops.at[0].object, 4);
    assert_int_equal(t.ops.at[0].old, 1);
    assert_int_equal(t.ops.at[1].old, 2);
    assert_int_equal(t.cases.len, 2);
    trc_namer *namer = trc_namer_new(NULL, 0);
    trc_identify(&t, namer);
    assert_true(trc_valid(&t, NULL, 0));
    trc_namer_free(namer);
    free_both(&t, &r);
}

static void test_decode_rejects_symbolic(void **state)
{
    (void)state;
    recs r = {0};
    trc t;
    trc_init(&t);
    good_symbolic(&r);
    wire_rec *v = r.v.at;
    v[0].size = 0, rejected_symbolic(&r, &t, "input of 0 bits");
    v[0].size = 65, rejected_symbolic(&r, &t, "input of 65 bits");
    v[0].size = 2, rejected_symbolic(&r, &t, "input of 2 bits");
    v[0].count = 1, rejected_symbolic(&r, &t, "input 1");
    v[0].thread = 1, rejected_symbolic(&r, &t, "does not exist");
    v[2].size = WIRE_SYM_N_OPS, rejected_symbolic(&r, &t, "unknown operation");
    v[2].order = 0, rejected_symbolic(&r, &t, "width");
    v[2].order = 129, rejected_symbolic(&r, &t, "width");
    v[2].order = 31, rejected_symbolic(&r, &t, "do not fit");
    v[2].object = 1, rejected_symbolic(&r, &t, "do not fit");
    v[3].order = 32, rejected_symbolic(&r, &t, "do not fit");
    v[3].thread = 0, rejected_symbolic(&r, &t, "do not fit");
    v[3].thread = 2, rejected_symbolic(&r, &t, "before its operands");
    v[4].thread = 1, rejected_symbolic(&r, &t, "do not fit");
    v[4].thread = 0, rejected_symbolic(&r, &t, "do not fit");
    v[4].count = 1, rejected_symbolic(&r, &t, "do not fit");
    v[5].order = 64, rejected_symbolic(&r, &t, "do not fit");
    v[5].site = 1, rejected_symbolic(&r, &t, "do not fit");
    v[7].flags = 57, rejected_symbolic(&r, &t, "do not fit");
    v[8].order = 73, rejected_symbolic(&r, &t, "do not fit");
    v[9].thread = 3, rejected_symbolic(&r, &t, "do not fit");
    v[9].site = 3, rejected_symbolic(&r, &t, "do not fit");
    v[6].object = 0, rejected_symbolic(&r, &t, "decision by node 0");
    v[6].object = 5, rejected_symbolic(&r, &t, "decision by node 5");
    v[6].value = 2, rejected_symbolic(&r, &t, "more than 1 bits");
    v[12].object = 6, rejected_symbolic(&r, &t, "more than 72 bits");
    v[6].thread = 1, rejected_symbolic(&r, &t, "does not exist");
    v[6].flags = 0, rejected_symbolic(&r, &t, "as a choice");
    v[6].size = WIRE_N_DECIDES, rejected_symbolic(&r, &t, "in way 3");
    v[12].size = WIRE_DECIDE_BRANCH, rejected_symbolic(&r, &t, "a branch by 8 bits");
    decode(&r, &t);
    free_both(&t, &r);
}

/* A store whose value is told with a node of what the thread read before, and a branch side. */
static void good_reads(recs *r)
{
    rec_vec_clear(&r->v);
    r->n_ops = r->n_choices = 0;
    rec_op(r, WIRE_LOAD, 0, 64, 5);
    wire_rec read = {.kind = WIRE_NOTE_NODE, .size = WIRE_SYM_READ, .order = 32};
    rec_vec_push(&r->v, read);
    rec_op(r, WIRE_STORE, 0, 64, 0);
    wire_rec wrote = {.kind = WIRE_NOTE_WROTE};
    wrote.object = 1;
    wrote.value = 5;
    rec_vec_push(&r->v, wrote);
    wire_rec side = {.kind = WIRE_NOTE_SIDE};
    side.site = 3;
    side.value = 1;
    rec_vec_push(&r->v, side);
    wire_rec done = {.kind = WIRE_NOTE_DONE, .size = WIRE_DONE_EXIT};
    done.object = r->n_ops;
    done.count = r->n_choices;
    rec_vec_push(&r->v, done);
}

static void rejected_reads(recs *r, trc *t, const char *why)
{
    td_diag diag = {0};
    size_t n_used = 0;
    trc_clear(t);
    td_status status = trc_feed(t, r->v.at, r->v.len, &n_used, 1000, &diag);
    assert_int_equal(status, TD_E_FORMAT);
    assert_non_null(strstr(diag.text, why));
    good_reads(r);
}

static void test_decode_reads(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_reads);
    assert_true(t.ops.at[1].is_told);
    assert_int_equal(t.ops.at[1].written, 1);
    assert_int_equal(t.ops.at[1].value, 5);
    assert_int_equal(t.sides.len, 1);
    assert_int_equal(t.sides.at[0].site, 3);
    assert_int_equal(t.sides.at[0].before_op, 2);
    wire_rec *v = r.v.at;
    v[1].object = 1, rejected_reads(&r, &t, "do not fit");
    v[1].order = 31, rejected_reads(&r, &t, "do not fit");
    v[3].object = 2, rejected_reads(&r, &t, "a written value with node 2");
    v[1].order = 64, rejected_reads(&r, &t, "a written value with node 1");
    v[3].thread = 1, rejected_reads(&r, &t, "a written value without an operation");
    v[2].kind = WIRE_LOAD, rejected_reads(&r, &t, "a written value without an operation");
    v[4].thread = 1, rejected_reads(&r, &t, "does not exist");
    free_both(&t, &r);
}

/* ---- histories ---- */

/* push(1) of main, then pop() = 1 of T1, which cannot be explained. */
static void good_history(recs *r)
{
    recs_clear(r);
    rec_create(r, 0);
    rec_note(r, WIRE_NOTE_FAIL, WIRE_FAIL_LINEAR, 1, 2)->object = 0x5000;
    wire_rec *c = rec_note(r, WIRE_NOTE_CALL, 3, 0, 0);
    c->count = 1;
    c->object = 3;
    c->site = 7;
    rec_note(r, WIRE_NOTE_ARGS, 0, 0, 12)->object = 11;
    rec_note(r, WIRE_NOTE_ARGS, 0, 0, 99)->object = 13;
    rec_text(r, "push");
    c = rec_note(r, WIRE_NOTE_CALL, 0, 1, 5);
    c->count = 2;
    c->object = 4;
    c->order = 1;
    rec_text(r, "pop");
    c = rec_note(r, WIRE_NOTE_ORDER, 2, 0, 0);
    c->ids[0] = 1;
    c->ids[1] = 0;
    rec_note(r, WIRE_NOTE_SAYS, 0, 0, 0);
    rec_note(r, WIRE_NOTE_ORDER, 1, 0, 0)->ids[0] = 1;
    rec_note(r, WIRE_NOTE_SAYS, 1, 0, 11);
    rec_done(r, WIRE_DONE_FAIL);
}

static void test_decode_history(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_history);
    assert_int_equal(t.calls.len, 2);
    const trc_call *push = &t.calls.at[0], *pop = &t.calls.at[1];
    assert_string_equal(t.texts.at + push->text, "push");
    assert_int_equal(push->site, 7);
    assert_int_equal(push->n_args, 3);
    assert_int_equal(push->args[0], 11);
    assert_int_equal(push->args[1], 12);
    assert_int_equal(push->args[2], 13);
    assert_int_equal(push->args[3], 0); /* only what was announced is kept */
    assert_int_equal(push->begin, 1);
    assert_int_equal(push->end, 3);
    assert_false(push->has_result);
    assert_true(pop->has_result);
    assert_int_equal(pop->result, 5);
    assert_int_equal(t.sayings.len, 2);
    assert_int_equal(t.sayings.at[0].n, 2);
    assert_false(t.sayings.at[0].possible);
    assert_int_equal(t.sayings.at[1].first, 2);
    assert_int_equal(t.sayings.at[1].n, 1);
    assert_int_equal(t.sayings.at[1].result, 11);
    assert_true(trc_valid(&t, NULL, 0));
    good(&r);
    decode(&r, &t);
    assert_int_equal(t.calls.len + t.sayings.len + t.order.len, 0);
    free_both(&t, &r);
}

static void rejected_history(recs *r, trc *t, const char *why)
{
    refused(r, t, why);
    good_history(r);
}

static void test_decode_rejects_history(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good_history);
    wire_rec *v = r.v.at; /* never grows again */
    v[2].size = WIRE_FAIL_ASSERT, rejected_history(&r, &t, "without a history");
    v[3].thread = 2, rejected_history(&r, &t, "thread 2");
    v[3].size = 5, rejected_history(&r, &t, "5 arguments");
    v[3].size = 2, rejected_history(&r, &t, "more than 2 arguments");
    v[3].count = 0, rejected_history(&r, &t, "from 0 to 3");
    v[3].count = 3, rejected_history(&r, &t, "from 3 to 3");
    v[3].object = UINT64_C(1) << 32, rejected_history(&r, &t, "from 1 to");
    v[7].count = 1, rejected_history(&r, &t, "from 1 to 4 after 1");
    v[3].kind = WIRE_NOTE_HELD,
    rejected_history(&r, &t, "arguments without an operation");
    v[3].kind = WIRE_NOTE_SAYS,
    rejected_history(&r, &t, "arguments without an operation");
    v[9].ids[0] = 2, rejected_history(&r, &t, "operation 2 of a history of 2");
    v[9].size = WIRE_IDS + 1, rejected_history(&r, &t, "without a history");
    v[9].kind = WIRE_NOTE_HELD, rejected_history(&r, &t, "without a history");
    v[10] = v[3], rejected_history(&r, &t, "without a history");
    free_both(&t, &r);
}

static void test_decode_rejects(void **state)
{
    (void)state;
    recs r = {0};
    trc t = decoded_of(&r, good);
    wire_rec *v = r.v.at; /* never grows again: good() writes as many */
    v[0].kind = 0, rejected(&r, &t, "kind 0");
    v[0].kind = WIRE_N_OPS, rejected(&r, &t, "unknown");
    v[0].kind = WIRE_NOTES_START, rejected(&r, &t, "unknown");
    v[0].kind = WIRE_N_KINDS, rejected(&r, &t, "unknown");
    v[2].thread = 2, rejected(&r, &t, "thread 2 does not exist");
    v[5].thread = 1, rejected(&r, &t, "thread 1 has ended");
    v[5].value = 0, rejected(&r, &t, "join of thread 0");
    v[5].value = 9, rejected(&r, &t, "join of thread 9");
    v[0].value = 2, rejected(&r, &t, "thread 2 created");
    v[1].thread = 0, rejected(&r, &t, "thread 0 named");
    v[0].kind = WIRE_EXIT, rejected(&r, &t, "not created");
    v[1].kind = WIRE_NOTE_OLD, rejected(&r, &t, "old value");
    v[1].kind = WIRE_NOTE_HELD, rejected(&r, &t, "was not named");
    v[2].order = 6, rejected(&r, &t, "memory order");
    v[2].flags = WIRE_F_PATIENT, rejected(&r, &t, "flags");
    v[2].flags = 128, rejected(&r, &t, "flags");
    v[2].size = 0, rejected(&r, &t, "0 bytes");
    v[2].count = 3, rejected(&r, &t, "3 threads enabled");
    v[2].count = 1, rejected(&r, &t, "alternatives");
    v[3].size = 8, rejected(&r, &t, "alternatives");
    v[3].ids[0] = 1, rejected(&r, &t, "cannot be an alternative");
    v[3].ids[0] = 7, rejected(&r, &t, "cannot be an alternative");
    v[4].flags = 0, rejected(&r, &t, "end of a thread");
    v[6].size = WIRE_N_FAILS, rejected(&r, &t, "failure");
    v[6].kind = WIRE_NOTE_HELD,
    rejected(&r, &t, "text without a record that it belongs to");
    v[7].size = 29, rejected(&r, &t, "29 bytes");
    v[7].kind = WIRE_NOTE_OTHER, rejected(&r, &t, "does not exist");
    v[9].size = WIRE_N_DONES, rejected(&r, &t, "end of the run");
    v[9].object = 3, rejected(&r, &t, "operations announced");
    v[9].count = 3, rejected(&r, &t, "choices announced");
    decode(&r, &t);

    size_t used;
    trc_clear(&t);
    assert_int_equal(trc_feed(&t, r.v.at, r.v.len, &used, 4, NULL), TD_E_FORMAT);
    assert_int_equal(used, 9);
    free_both(&t, &r);
}

/* Whatever is in the bytes: a run that holds together, or a sentence. */
static void test_decode_noise(void **state)
{
    (void)state;
    recs r = {0};
    trc t;
    trc_init(&t);
    trc_namer *n = trc_namer_new(NULL, 0);
    td_rng rng = {1};
    for (int round = 0; round < 20000; round++) {
        round % 2 ? good(&r) : good_next(&r);
        for (uint64_t flips = 1 + td_rng_below(&rng, 4); flips > 0; flips--) {
            uint64_t bit = td_rng_below(&rng, r.v.len * sizeof(wire_rec) * 8);
            ((uint8_t *)r.v.at)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        td_diag diag = {0};
        bool ok = recs_decode(&r, &t, &diag) == TD_OK;
        assert_true(ok || diag.text[0]);
        if (!ok || !t.complete)
            continue;
        trc_identify(&t, n);
        char why[100];
        if (!trc_valid(&t, why, sizeof why))
            fail_msg("%s", why);
    }
    trc_namer_free(n);
    free_both(&t, &r);
}

/* ---- identity ---- */

typedef struct step {
    uint32_t thread; /* 1.. */
    uint8_t kind, size;
    uint64_t object;
} step;

/* main creates three threads, then the steps, then the ends in the order of ends[]. */
static void run_steps(const step *steps, size_t n, const uint32_t ends[3], trc *t,
                      trc_namer *namer)
{
    recs r = {0};
    for (int i = 0; i < 3; i++)
        rec_create(&r, 0);
    for (size_t i = 0; i < n; i++) {
        wire_rec *rec = rec_op(&r, steps[i].kind, steps[i].thread, steps[i].object, 0);
        if (steps[i].size)
            rec->size = steps[i].size;
    }
    for (int i = 0; i < 3; i++)
        rec_end(&r, ends[i]);
    for (uint32_t i = 1; i <= 3; i++)
        rec_op(&r, WIRE_JOIN, 0, 0, i);
    rec_done(&r, WIRE_DONE_EXIT);
    decode(&r, t);
    trc_identify(t, namer);
    assert_true(trc_valid(t, NULL, 0));
    recs_fini(&r);
}

static td_id sum_of(const step *steps, size_t n, const uint32_t ends[3])
{
    trc t;
    trc_init(&t);
    const trc_module module = {0x400000, 0x500000, 1};
    trc_namer *namer = trc_namer_new(&module, 1);
    run_steps(steps, n, ends, &t, namer);
    td_id sum = t.sum;
    trc_namer_free(namer);
    trc_fini(&t);
    return sum;
}

static const uint32_t rising[3] = {1, 2, 3}, mixed[3] = {3, 1, 2};

/* Do two operations of different threads commute? */
static bool commute(step a, step b)
{
    step ab[2] = {a, b}, ba[2] = {b, a};
    return td_id_equal(sum_of(ab, 2, rising), sum_of(ba, 2, mixed));
}

static void test_identity_commutes(void **state)
{
    (void)state;
    const uint64_t x = 0x401000, y = 0x401010, h = 0x10000000000;
    assert_true(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_STORE, 4, y}));
    assert_true(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_STORE, 4, h}));
    assert_true(commute((step){1, WIRE_LOAD, 4, x}, (step){2, WIRE_LOAD, 4, x}));
    assert_true(commute((step){1, WIRE_LOAD, 4, x}, (step){2, WIRE_CAS_FAIL, 4, x}));
    assert_true(commute((step){1, WIRE_LOCK, 0, x}, (step){2, WIRE_LOCK, 0, y}));
    assert_true(commute((step){1, WIRE_LOCK, 0, x}, (step){2, WIRE_STORE, 4, x}));
    assert_true(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_STORE, 4, x + 4}));
    assert_true(commute((step){1, WIRE_STORE, 1, x}, (step){2, WIRE_STORE, 1, x + 1}));
    assert_true(commute((step){1, WIRE_STORE, 16, x}, (step){2, WIRE_STORE, 8, x + 16}));

    assert_false(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_STORE, 4, x}));
    assert_false(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_LOAD, 4, x}));
    assert_false(commute((step){1, WIRE_RMW, 4, x}, (step){2, WIRE_CAS_FAIL, 4, x}));
    assert_false(commute((step){1, WIRE_LOCK, 0, x}, (step){2, WIRE_LOCK, 0, x}));
    assert_false(commute((step){1, WIRE_LOCK, 0, x}, (step){2, WIRE_TRYLOCK_BUSY, 0, x}));
    assert_false(commute((step){1, WIRE_STORE, 8, x}, (step){2, WIRE_STORE, 4, x + 4}));
    assert_false(commute((step){1, WIRE_STORE, 4, x}, (step){2, WIRE_LOAD, 8, x}));
    assert_false(commute((step){1, WIRE_STORE, 16, x}, (step){2, WIRE_LOAD, 1, x + 15}));
    assert_false(commute((step){1, WIRE_ATOMIC_BEGIN, 0, WIRE_OBJECT_ATOMIC},
                         (step){2, WIRE_ATOMIC_BEGIN, 0, WIRE_OBJECT_ATOMIC}));
}

static void test_identity_reads(void **state)
{
    (void)state;
    const uint64_t x = 0x401000;
    step a[3] = {{1, WIRE_LOAD, 4, x}, {2, WIRE_LOAD, 4, x}, {3, WIRE_STORE, 4, x}};
    step b[3] = {a[1], a[0], a[2]}, c[3] = {a[0], a[2], a[1]};
    assert_true(td_id_equal(sum_of(a, 3, rising), sum_of(b, 3, mixed)));
    assert_false(td_id_equal(sum_of(a, 3, rising), sum_of(c, 3, rising)));
}

/* The load addresses of the program and of its libraries do not matter. */
static void test_identity_moves(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    td_id sums[2];
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t start = 0x400000 + i * 0x10000, library = 0x7f0000000000 + i * 0x3000;
        const trc_module modules[2] = {{start, start + 4096, 1},
                                       {library, library + 4096, 7}};
        step steps[3] = {{1, WIRE_STORE, 4, start + 16},
                         {2, WIRE_LOCK, 0, start + 32},
                         {2, WIRE_LOCK, 0, library + 48}};
        trc_namer *namer = trc_namer_new(modules, 2);
        run_steps(steps, 3, rising, &t, namer);
        sums[i] = t.sum;
        trc_namer_free(namer);
    }
    assert_true(td_id_equal(sums[0], sums[1]));
    trc_fini(&t);
}

static void test_identity_threads(void **state)
{
    (void)state;
    /* T1 and T2 create a thread each; the order numbers them, but does not name them. */
    td_id sums[2], names[2];
    for (uint32_t i = 0; i < 2; i++) {
        recs r = {0};
        rec_create(&r, 0);
        rec_create(&r, 0);
        uint32_t of_first, of_second;
        if (i == 0) {
            of_first = rec_create(&r, 1);
            of_second = rec_create(&r, 2);
        } else {
            of_second = rec_create(&r, 2);
            of_first = rec_create(&r, 1);
        }
        rec_op(&r, WIRE_STORE, of_first, 0x5000, 0);
        rec_op(&r, WIRE_STORE, of_second, 0x6000, 0);
        rec_done(&r, WIRE_DONE_EXIT);
        trc t;
        trc_init(&t);
        decode(&r, &t);
        trc_namer *namer = trc_namer_new(NULL, 0);
        trc_identify(&t, namer);
        sums[i] = t.sum;
        names[i] = t.threads.at[of_first].name;
        assert_false(td_id_equal(t.threads.at[3].name, t.threads.at[4].name));
        trc_namer_free(namer);
        trc_fini(&t);
        recs_fini(&r);
    }
    assert_true(td_id_equal(sums[0], sums[1]));
    assert_true(td_id_equal(names[0], names[1]));
}

static void test_identity_digest_kinds(void **state)
{
    (void)state;
    for (uint8_t kind = 1; kind < WIRE_N_OPS; kind++)
        assert_int_equal(mdl_in_digest(kind),
                         kind != WIRE_JOIN && kind != WIRE_END && kind != WIRE_EXIT &&
                             kind != WIRE_SPIN && kind != WIRE_FENCE);
}

/* ---- identity against a naive one ----
 * Random programs of three threads; two random schedules of the same program. An event
 * has the same id in both exactly if its cone is the same: the same operations with the
 * same order between dependent ones. */

enum { PER_THREAD = 5, N_STEPS = 3 * PER_THREAD };

typedef struct program {
    step steps[3][PER_THREAD];
} program;

static bool step_shared(const step *s)
{
    return s->kind == WIRE_LOAD || s->kind == WIRE_CAS_FAIL ||
           s->kind == WIRE_TRYLOCK_BUSY;
}

static bool steps_depend(const step *a, const step *b)
{
    if (a->thread == b->thread)
        return true;
    if (step_shared(a) && step_shared(b))
        return false;
    bool a_memory = a->kind >= WIRE_LOAD && a->kind <= WIRE_CAS_FAIL;
    bool b_memory = b->kind >= WIRE_LOAD && b->kind <= WIRE_CAS_FAIL;
    if (a_memory != b_memory)
        return false;
    if (!a_memory)
        return a->object == b->object;
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

static void random_program(td_rng *rng, program *p)
{
    static const uint8_t kinds[] = {WIRE_LOAD,     WIRE_STORE, WIRE_RMW,
                                    WIRE_CAS_FAIL, WIRE_LOCK,  WIRE_TRYLOCK_BUSY};
    static const uint8_t sizes[] = {1, 2, 4, 8, 16};
    bool odd = td_rng_below(rng, 3) == 0;
    for (uint32_t i = 0; i < N_STEPS; i++) {
        step *s = &p->steps[i / PER_THREAD][i % PER_THREAD];
        s->thread = 1 + i / PER_THREAD;
        s->kind = kinds[td_rng_below(rng, 6)];
        s->size = odd ? sizes[td_rng_below(rng, 5)] : 4;
        s->object = 0x5000 + (odd ? td_rng_below(rng, 20) : 4 * td_rng_below(rng, 3));
        if (s->kind == WIRE_LOCK || s->kind == WIRE_TRYLOCK_BUSY) {
            s->size = 1;
            s->object = 0x5000 + 8 * td_rng_below(rng, 2);
        }
    }
}

/* where[t][i]: position of the i-th step of thread t in the schedule. */
typedef struct schedule {
    step steps[N_STEPS];
    uint32_t where[3][PER_THREAD];
} schedule;

static void random_schedule(td_rng *rng, const program *p, schedule *out)
{
    uint32_t next[3] = {0};
    for (uint32_t n = 0; n < N_STEPS; n++) {
        uint64_t t;
        do
            t = td_rng_below(rng, 3);
        while (next[t] == PER_THREAD);
        out->where[t][next[t]] = n;
        out->steps[n] = p->steps[t][next[t]++];
    }
}

/* The cone of position e as a matrix of dependent pairs in it, in terms of the program:
 * order[a][b] is true if a is before b, both are in the cone, and they depend. */
typedef struct cone {
    bool in[N_STEPS];
    bool order[N_STEPS][N_STEPS];
} cone;

static void naive_cone(const program *p, const schedule *s, uint32_t e, cone *out)
{
    memset(out, 0, sizeof *out);
    bool in[N_STEPS] = {0};
    in[e] = true;
    for (uint32_t i = e; i-- > 0;)
        for (uint32_t j = i + 1; j <= e && !in[i]; j++)
            in[i] = in[j] && steps_depend(&s->steps[i], &s->steps[j]);
    for (uint32_t a = 0; a < N_STEPS; a++) {
        uint32_t wa = s->where[a / PER_THREAD][a % PER_THREAD];
        out->in[a] = in[wa];
        for (uint32_t b = 0; b < N_STEPS; b++) {
            uint32_t wb = s->where[b / PER_THREAD][b % PER_THREAD];
            out->order[a][b] = in[wa] && in[wb] && wa < wb &&
                               steps_depend(&p->steps[a / PER_THREAD][a % PER_THREAD],
                                            &p->steps[b / PER_THREAD][b % PER_THREAD]);
        }
    }
}

static void compare_schedules(const program *p, const schedule *a, const trc *ta,
                              const schedule *b, const trc *tb)
{
    for (uint32_t i = 0; i < N_STEPS; i++) {
        uint32_t wa = a->where[i / PER_THREAD][i % PER_THREAD];
        uint32_t wb = b->where[i / PER_THREAD][i % PER_THREAD];
        cone ca, cb;
        naive_cone(p, a, wa, &ca);
        naive_cone(p, b, wb, &cb);
        bool same = memcmp(&ca, &cb, sizeof ca) == 0;
        /* Three CREATEs come first. */
        assert_int_equal(td_id_equal(ta->ops.at[3 + wa].id, tb->ops.at[3 + wb].id), same);
    }
}

static void test_identity_naive(void **state)
{
    (void)state;
    td_rng rng = {7};
    trc ta, tb;
    trc_init(&ta);
    trc_init(&tb);
    trc_namer *reuse = trc_namer_new(NULL, 0);
    for (int round = 0; round < 1500; round++) {
        program p;
        schedule a, b;
        random_program(&rng, &p);
        random_schedule(&rng, &p, &a);
        run_steps(a.steps, N_STEPS, rising, &ta, reuse);
        for (int again = 0; again < 4; again++) {
            random_schedule(&rng, &p, &b);
            run_steps(b.steps, N_STEPS, mixed, &tb, reuse);
            compare_schedules(&p, &a, &ta, &b, &tb);
        }
    }
    trc_namer_free(reuse);
    trc_fini(&ta);
    trc_fini(&tb);
}

/* What is taken over from the run before is what would have been computed. */
static void test_identity_reuse(void **state)
{
    (void)state;
    td_rng rng = {11};
    trc ta, tb;
    trc_init(&ta);
    trc_init(&tb);
    trc_namer *reuse = trc_namer_new(NULL, 0), *fresh = trc_namer_new(NULL, 0);
    program p = {0};
    schedule s = {0};
    for (int round = 0; round < 20000; round++) {
        if (round % 50 == 0) {
            random_program(&rng, &p);
            random_schedule(&rng, &p, &s);
        }
        /* Keep the beginning, shuffle the rest by swaps of neighbours. */
        uint64_t from = td_rng_below(&rng, N_STEPS);
        for (uint64_t i = from; i + 1 < N_STEPS; i++) {
            step first = s.steps[i];
            if (first.thread == s.steps[i + 1].thread || td_rng_below(&rng, 2))
                continue;
            s.steps[i] = s.steps[i + 1];
            s.steps[i + 1] = first;
        }
        size_t n = N_STEPS - td_rng_below(&rng, 4);
        run_steps(s.steps, n, rising, &ta, reuse);
        trc_namer_forget(fresh);
        run_steps(s.steps, n, rising, &tb, fresh);
        assert_true(td_id_equal(ta.sum, tb.sum));
        for (size_t i = 0; i < ta.ops.len; i++)
            assert_true(td_id_equal(ta.ops.at[i].id, tb.ops.at[i].id));
        for (size_t i = 0; i < ta.threads.len; i++)
            assert_true(td_id_equal(ta.threads.at[i].name, tb.threads.at[i].name));
    }
    trc_namer_free(reuse);
    trc_namer_free(fresh);
    trc_fini(&ta);
    trc_fini(&tb);
}

/* Many objects: the table grows in the middle of a run that is then taken back. */
static void test_identity_many_objects(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    trc_namer *reuse = trc_namer_new(NULL, 0), *fresh = trc_namer_new(NULL, 0);
    for (uint32_t round = 0; round < 12; round++) {
        recs r = {0};
        uint32_t n = 100 + round % 3 * 4000;
        for (uint32_t i = 0; i < n; i++)
            rec_op(&r, WIRE_STORE, 0, 0x5000 + (i < 90 ? i : i * (round + 1)) * 8, 0);
        for (uint32_t i = 0; i < n; i++)
            rec_op(&r, WIRE_LOAD, 0, 0x5000 + (i < 90 ? i : i * (round + 1)) * 8, 0);
        rec_done(&r, WIRE_DONE_EXIT);
        decode(&r, &t);
        trc_identify(&t, reuse);
        td_id sum = t.sum;
        trc_namer_forget(fresh);
        trc_identify(&t, fresh);
        assert_true(td_id_equal(sum, t.sum));
        recs_fini(&r);
    }
    trc_namer_free(reuse);
    trc_namer_free(fresh);
    trc_fini(&t);
}

/* ---- schedules ---- */

static void test_schedule(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0), t2 = rec_create(&r, 0);
    rec_op(&r, WIRE_LOCK, t1, 0x5000, 0);
    rec_op(&r, WIRE_STORE, t2, 0x5008, 0)->flags = WIRE_F_PREEMPTS;
    rec_op(&r, WIRE_UNLOCK, t1, 0x5000, 0);
    rec_op(&r, WIRE_LOCK, t2, 0x5000, 0)->flags = WIRE_F_PREEMPTS;
    rec_op(&r, WIRE_UNLOCK, t2, 0x5000, 0);
    rec_end(&r, t2);
    rec_op(&r, WIRE_STORE, t1, 0x5008, 0);
    rec_end(&r, t1);
    rec_op(&r, WIRE_JOIN, 0, 0, t1);
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    trc_step_vec steps = {0};
    trc_schedule(&t, &steps);
    static const wire_step expected[] = {{0, 2}, {1, 1}, {2, 1}, {1, 1},
                                         {2, 2}, {1, 1}, {0, 1}};
    assert_int_equal(steps.len, 7);
    assert_memory_equal(steps.at, expected, sizeof expected);
    trc_schedule_prefix(&t, 6, &steps);
    assert_int_equal(steps.len, 5);
    assert_int_equal(steps.at[4].count, 1);
    assert_int_equal(trc_preemptions(&t), 2);
    trc_step_vec_fini(&steps);
    free_both(&t, &r);
}

/* A lock that was undone is no step: a replay may not undo it. */
static void test_schedule_undone_lock(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0), t2 = rec_create(&r, 0);
    rec_op(&r, WIRE_LOCK, t1, 0x5000, 0);
    rec_op(&r, WIRE_UNLOCK, t1, 0x5000, 0);
    rec_op(&r, WIRE_LOCK, t1, 0x5000, 0);
    rec_note(&r, WIRE_NOTE_SPIN, 0, t1, 0)->count = 1;
    rec_op(&r, WIRE_LOCK, t2, 0x5000, 0);
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    trc_step_vec steps = {0};
    trc_schedule(&t, &steps);
    static const wire_step expected[] = {{0, 2}, {1, 2}, {2, 1}};
    assert_int_equal(steps.len, 3);
    assert_memory_equal(steps.at, expected, sizeof expected);
    trc_step_vec_fini(&steps);
    free_both(&t, &r);
}

static void check_near(const trc *t, uint32_t first, uint32_t second, trc_nearness how,
                       const wire_step *expected, size_t n)
{
    trc_step_vec steps = {0};
    assert_true(trc_schedule_near(t, first, second, how, &steps));
    assert_int_equal(steps.len, n);
    assert_memory_equal(steps.at, expected, n * sizeof *expected);
    trc_step_vec_fini(&steps);
}

/* Two accesses that race, with a third thread that nobody needs. */
static void test_near(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0), t2 = rec_create(&r, 0), t3 = rec_create(&r, 0);
    rec_op(&r, WIRE_LOCK, t1, 0x5000, 0);                                  /* 3 */
    rec_forced(&r, WIRE_STORE, t1, 0x6000, 0)->flags |= WIRE_ACCESS_PLAIN; /* 4 */
    rec_op(&r, WIRE_UNLOCK, t1, 0x5000, 0);                                /* 5 */
    rec_op(&r, WIRE_STORE, t2, 0x7000, 0);                                 /* 6 */
    rec_op(&r, WIRE_LOCK, t3, 0x5010, 0);                                  /* 7 */
    rec_forced(&r, WIRE_LOAD, t3, 0x6000, 0)->flags |= WIRE_ACCESS_PLAIN;  /* 8 */
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    /* t2 is created because t3 is created after it, but does nothing. */
    static const wire_step near[] = {{0, 3}, {1, 1}, {3, 1}, {1, 1}, {3, 1}};
    check_near(&t, 4, 8, TRC_SAME_EVENTS, near, 5);
    check_near(&t, 4, 8, TRC_FEWER_EVENTS, near, 5);
    trc_step_vec steps = {0};
    assert_false(trc_schedule_near(&t, 3, 5, TRC_SAME_EVENTS, &steps));
    free_both(&t, &r);
}

/* A thread is not created, and the others have other numbers. */
static void test_near_numbers(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0);
    uint32_t t2 = rec_create(&r, t1), t3 = rec_create(&r, 0);
    rec_op(&r, WIRE_STORE, t2, 0x7000, 0); /* 3 */
    rec_op(&r, WIRE_STORE, 0, 0x6000, 0);  /* 4 */
    rec_op(&r, WIRE_STORE, t3, 0x6000, 0); /* 5 */
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    static const wire_step near[] = {{0, 3}, {2, 1}};
    check_near(&t, 4, 5, TRC_SAME_EVENTS, near, 2);
    free_both(&t, &r);
}

/* The second needs the first: what depends on neither comes before both. A read that a later
 * write of what was read follows is left out if it may be. */
static void test_near_needed(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0), t2 = rec_create(&r, 0);
    rec_op(&r, WIRE_STORE, t1, 0x6000, 0); /* 2: the first */
    rec_op(&r, WIRE_STORE, t1, 0x7000, 0); /* 3 */
    rec_op(&r, WIRE_LOAD, t2, 0x8000, 0);  /* 4: of nobody's business */
    rec_op(&r, WIRE_LOAD, t2, 0x7000, 0);  /* 5: sees 3 */
    rec_op(&r, WIRE_LOAD, t2, 0x6000, 0);  /* 6: the second */
    rec_op(&r, WIRE_LOAD, t1, 0x9000, 0);  /* 7 */
    rec_op(&r, WIRE_STORE, t2, 0x9000, 0); /* 8 */
    rec_op(&r, WIRE_STORE, t2, 0xa000, 0); /* 9 */
    rec_done(&r, WIRE_DONE_EXIT);
    trc t = decoded(&r);
    static const wire_step near[] = {{0, 2}, {2, 1}, {1, 2}, {2, 2}};
    check_near(&t, 2, 6, TRC_SAME_EVENTS, near, 4);
    static const wire_step careful[] = {{0, 2}, {2, 1}, {1, 2}, {2, 2}, {1, 1}, {2, 2}};
    check_near(&t, 2, 9, TRC_SAME_EVENTS, careful, 6);
    static const wire_step bold[] = {{0, 2}, {2, 1}, {1, 2}, {2, 4}};
    check_near(&t, 2, 9, TRC_FEWER_EVENTS, bold, 4);
    free_both(&t, &r);
}

static wire_rec *rec_plain(recs *r, uint32_t thread, uint32_t site, uint64_t object)
{
    wire_rec *rec = rec_note(r, WIRE_NOTE_WRITE, 4, thread, 1);
    rec->site = site;
    rec->object = object;
    return rec;
}

/* The runtime named the site of the variable beside the one that is raced on. */
static void test_name_races(void **state)
{
    (void)state;
    recs r = {0};
    uint32_t t1 = rec_create(&r, 0);
    rec_plain(&r, t1, 4, 0x6000); /* before an operation: of another part */
    rec_op(&r, WIRE_LOAD, t1, 0x9000, 0);
    rec_plain(&r, t1, 7, 0x6000);
    rec_plain(&r, t1, 8, 0x6004);
    wire_rec *f = rec_note(&r, WIRE_NOTE_FAIL, WIRE_FAIL_RACE, 0, 0);
    f->site = 9;
    f->object = 0x6000;
    wire_rec *other = rec_note(&r, WIRE_NOTE_OTHER, 4, t1, 1);
    other->site = 8;
    rec_done(&r, WIRE_DONE_FAIL);
    trc t = decoded(&r);
    trc_name_races(&t);
    assert_int_equal(t.fails.at[0].other_site, 7);
    trc_name_races(&t);
    assert_int_equal(t.fails.at[0].other_site, 7);
    t.fails.at[0].other_site = 4; /* it was there, but long ago */
    trc_name_races(&t);
    assert_int_equal(t.fails.at[0].other_site, 7);
    t.accesses.len = 0;
    t.fails.at[0].other_site = 8;
    trc_name_races(&t);
    assert_int_equal(t.fails.at[0].other_site, 8);
    free_both(&t, &r);
}

/* ---- sites: the tables of this very program ---- */

__asm__(".pushsection treadle_strings,\"a\",@progbits\n"
        "test_file: .asciz \"dir/some.c\"\n"
        "test_function: .asciz \"worker\"\n"
        "test_name: .asciz \"queue->head\"\n"
        "test_empty: .asciz \"\"\n"
        ".popsection\n"
        ".pushsection treadle_sites,\"a\",@progbits\n"
        ".balign 4\n"
        "1: .long 3f - 1b\n"
        ".long test_function - test_file\n"
        ".long test_name - test_file\n"
        ".long test_empty - test_file\n"
        ".long 42, 7\n"
        ".short 2, 8\n"
        ".long 3\n"
        "2: .long 0x7fffffff, -0x7fffffff, 100000, -4, 1, 1, 0, 0\n"
        "3: .long test_file - 3b, 0, 0, 0, 0, 0\n"
        ".short 14, 0\n"
        ".long 0\n"
        "4: .long 3b - 4b, 0x7fffffff, -1, -0x7fffffff, 2, 1, 0, 0\n"
        ".long -32, 0, 0, 0, 3, 1, 0, 0\n"
        ".long 0, 0, 0, 0, 4, 1, 14, 0\n"
        ".long -64, 0, 0, 0, 5, 1, 0, 0\n"
        ".popsection\n");

extern const wire_site __start_treadle_sites[], __stop_treadle_sites[];

static struct ring {
    int used;
    pthread_mutex_t lock;
    struct {
        char tag;
        long key;
    } slots[4];
} global_rings[2];
static int global_table[10];

static int first_image(struct dl_phdr_info *info, size_t size, void *out)
{
    (void)size;
    wire_image *im = out;
    im->base = info->dlpi_addr;
    im->start = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + ph->p_vaddr, end = start + ph->p_memsz;
        if (ph->p_type != PT_LOAD)
            continue;
        im->start = start < im->start ? start : im->start;
        im->end = end > im->end ? end : im->end;
    }
    return 1;
}

static wire_image own_image(void)
{
    wire_image im = {.path = "/proc/self/exe", .first_site = 5};
    im.n_sites = (uint32_t)(__stop_treadle_sites - __start_treadle_sites);
    dl_iterate_phdr(first_image, &im);
    return im;
}

static __attribute__((noinline)) void bad_image(wire_image im, const char *why)
{
    trc_sites *s;
    td_diag diag = {0};
    assert_int_not_equal(trc_sites_open(&im, 1, &s, &diag), TD_OK);
    assert_null(s);
    if (!strstr(diag.text, why))
        fail_msg("expected '%s', got '%s'", why, diag.text);
}

static void test_sites(void **state)
{
    (void)state;
    wire_image im = own_image();
    static_assert(WIRE_SITE_FILE == 14, "the records above say so");
    assert_int_equal(im.n_sites, 7);
    trc_sites *s;
    td_diag diag = {0};
    if (trc_sites_open(&im, 1, &s, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    trc_site site = trc_site_at(s, 5);
    assert_string_equal(site.file, "dir/some.c");
    assert_string_equal(site.function, "worker");
    assert_string_equal(site.name, "queue->head");
    assert_string_equal(site.callee, "");
    assert_int_equal(site.line, 42);
    assert_int_equal(site.column, 7);
    assert_int_equal(site.kind, 2);
    assert_int_equal(site.size, 8);
    assert_int_equal(site.type, 3);
    assert_string_equal(trc_site_at(s, 6).file, "?");
    assert_int_equal(trc_site_at(s, 6).line, 1);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(trc_site_at(s, i).line, 0);
    assert_string_equal(trc_site_at(s, 7).file,
                        "dir/some.c"); /* that of the file itself */
    assert_int_equal(trc_site_at(s, 7).line, 0);
    assert_string_equal(trc_site_at(s, 8).file,
                        "dir/some.c"); /* texts beyond the section */
    assert_string_equal(trc_site_at(s, 8).function, "?");
    assert_string_equal(trc_site_at(s, 8).callee, "");
    assert_string_equal(trc_site_at(s, 9).file, "?");  /* names a record of no file */
    assert_string_equal(trc_site_at(s, 10).file, "?"); /* a file without a path */
    assert_string_equal(trc_site_at(s, 11).file, "?"); /* names a file without a path */
    assert_string_equal(trc_site_at(s, 12).file, "?"); /* beyond the table */

    assert_string_equal(trc_object_name(s, (uint64_t)&global_table[0]),
                        "global_table[0]");
    assert_string_equal(trc_object_name(s, (uint64_t)&global_table[3]),
                        "global_table[3]");
    assert_string_equal(trc_object_name(s, (uint64_t)&global_rings[1].lock),
                        "global_rings[1].lock");
    assert_string_equal(trc_object_name(s, (uint64_t)&global_rings[1].slots[2].key),
                        "global_rings[1].slots[2].key");
    assert_string_equal(trc_object_name(s, 0), "");
    assert_string_equal(trc_object_name(s, (uint64_t)&im), "");
    site = trc_site_of_address(s, (uint64_t)bad_image);
    assert_string_equal(site.function, "bad_image");
    if (site.line > 0) /* with debug information */
        assert_non_null(strstr(site.file, "test_trace.c"));
    assert_string_equal(trc_site_of_address(s, 1).function, "?");
    trc_sites_free(s);
}

static void test_source_lines(void **state)
{
    (void)state;
    char path[] = "/tmp/treadle-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    const char text[] = "int x;\n\n   return 0;\t\r\nlast";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    trc_sites *s;
    assert_int_equal(trc_sites_open(NULL, 0, &s, NULL), TD_OK);
    assert_string_equal(trc_source_line(s, path, 1), "int x;");
    assert_string_equal(trc_source_line(s, path, 2), "");
    assert_string_equal(trc_source_line(s, path, 3), "   return 0;");
    assert_string_equal(trc_source_line(s, path, 4), "last");
    assert_null(trc_source_line(s, path, 5));
    assert_null(trc_source_line(s, path, 0));
    assert_null(trc_source_line(s, "/does/not/exist.c", 1));
    assert_string_equal(trc_build_id(s), "");
    trc_sites_free(s);
    unlink(path);
}

static void test_sites_bad(void **state)
{
    (void)state;
    wire_image im = own_image();
    im.n_sites++;
    bad_image(im, "was it rebuilt");
    im.n_sites--;
    im.first_site = 0;
    bad_image(im, "no numbers");
    im.first_site = 1;
    strcpy(im.path, "/does/not/exist");
    bad_image(im, "cannot open");
    strcpy(im.path, "/tmp");
    bad_image(im, "not a regular file");
    strcpy(im.path, "/etc/passwd");
    bad_image(im, "not an ELF file");
    im.path[0] = 0;
    bad_image(im, "names no file");
    memset(im.path, 'a', sizeof im.path);
    bad_image(im, "names no file");
}

/* This program's own file, spoiled in many ways. */
static void test_sites_noise(void **state)
{
    (void)state;
    td_text whole = {0};
    assert_int_equal(td_file_read("/proc/self/exe", 256 << 20, &whole, NULL), TD_OK);
    char path[] = "/tmp/treadle-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    td_rng rng = {3};
    wire_image im = own_image();
    strcpy(im.path, path);
    char *copy = td_alloc(whole.len);
    for (int round = 0; round < 60; round++) {
        memcpy(copy, whole.at, whole.len);
        size_t len = round % 3 ? whole.len : td_rng_below(&rng, whole.len);
        for (uint64_t i = td_rng_below(&rng, 20); i > 0; i--) /* the header */
            copy[16 + td_rng_below(&rng, 48)] ^= (char)td_rng_next(&rng);
        for (uint64_t i = td_rng_below(&rng, 400); i > 0; i--) /* section headers */
            copy[whole.len - 1 - td_rng_below(&rng, 2500)] ^= (char)td_rng_next(&rng);
        assert_int_equal(td_file_write(path, copy, len, NULL), TD_OK);
        trc_sites *s;
        td_diag diag = {0};
        if (trc_sites_open(&im, 1, &s, &diag) != TD_OK) {
            assert_true(diag.text[0] != 0);
            continue;
        }
        trc_site_at(s, 5);
        trc_object_name(s, (uint64_t)&global_table[3]);
        trc_site_of_address(s, (uint64_t)test_sites_noise);
        trc_sites_free(s);
    }
    unlink(path);
    td_free(copy);
    td_text_fini(&whole);
}

/* ---- memory orders ---- */

static const char *steps_of(uint8_t kind, uint8_t order, char out[64])
{
    uint8_t next[TRC_MAX_WEAKER];
    size_t n = trc_weaker_orders(kind, order, next);
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        strcat(out, i > 0 ? " " : "");
        strcat(out, trc_order_name(kind, next[i]));
    }
    return out;
}

static void test_weaker(void **state)
{
    (void)state;
    char text[64];
    assert_string_equal(steps_of(WIRE_LOAD, __ATOMIC_SEQ_CST, text), "acquire");
    assert_string_equal(steps_of(WIRE_LOAD, __ATOMIC_ACQUIRE, text), "relaxed");
    assert_string_equal(steps_of(WIRE_LOAD, __ATOMIC_CONSUME, text), "relaxed");
    assert_string_equal(steps_of(WIRE_CAS_FAIL, __ATOMIC_SEQ_CST, text), "acquire");
    assert_string_equal(steps_of(WIRE_STORE, __ATOMIC_SEQ_CST, text), "release");
    assert_string_equal(steps_of(WIRE_STORE, __ATOMIC_RELEASE, text), "relaxed");
    assert_string_equal(steps_of(WIRE_RMW, __ATOMIC_SEQ_CST, text), "acq_rel");
    assert_string_equal(steps_of(WIRE_CAS, __ATOMIC_ACQ_REL, text), "acquire release");
    assert_string_equal(steps_of(WIRE_FENCE, __ATOMIC_SEQ_CST, text), "acq_rel");
    assert_string_equal(steps_of(WIRE_FENCE, __ATOMIC_ACQ_REL, text), "acquire release");
    assert_string_equal(steps_of(WIRE_FENCE, __ATOMIC_RELEASE, text), "none");
    assert_string_equal(steps_of(WIRE_RMW, __ATOMIC_RELAXED, text), "");
}

static void test_order_names(void **state)
{
    (void)state;
    static const uint8_t kinds[] = {WIRE_LOAD, WIRE_STORE,    WIRE_RMW,
                                    WIRE_CAS,  WIRE_CAS_FAIL, WIRE_FENCE};
    for (size_t i = 0; i < sizeof kinds; i++) {
        uint8_t kind = 0, order = 0;
        assert_true(trc_ordered_named(trc_ordered_name(kinds[i]), &kind));
        assert_int_equal(kind, kinds[i]);
        assert_int_equal(trc_ordered_index(kind), i);
        for (uint8_t k = __ATOMIC_RELAXED; k <= __ATOMIC_SEQ_CST; k++) {
            assert_true(trc_order_named(kind, trc_order_name(kind, k), &order));
            assert_int_equal(order, k);
        }
        assert_false(trc_order_named(kind, "strong", &order));
    }
    assert_null(trc_ordered_name(WIRE_LOCK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_fields),
        cmocka_unit_test(test_decode_in_pieces),
        cmocka_unit_test(test_text_of_failure_is_not_hashed),
        cmocka_unit_test(test_unread_values_are_not_hashed),
        cmocka_unit_test(test_decode_stops),
        cmocka_unit_test(test_decode_next),
        cmocka_unit_test(test_decode_touches),
        cmocka_unit_test(test_decode_rejects),
        cmocka_unit_test(test_decode_history),
        cmocka_unit_test(test_decode_rejects_history),
        cmocka_unit_test(test_decode_symbolic),
        cmocka_unit_test(test_decode_rejects_symbolic),
        cmocka_unit_test(test_decode_reads),
        cmocka_unit_test(test_decode_rejects_next),
        cmocka_unit_test(test_decode_block),
        cmocka_unit_test(test_decode_spin),
        cmocka_unit_test(test_decode_frames),
        cmocka_unit_test(test_decode_sent),
        cmocka_unit_test(test_decode_descriptors),
        cmocka_unit_test(test_decode_noise),
        cmocka_unit_test(test_identity_commutes),
        cmocka_unit_test(test_identity_reads),
        cmocka_unit_test(test_identity_moves),
        cmocka_unit_test(test_identity_threads),
        cmocka_unit_test(test_identity_digest_kinds),
        cmocka_unit_test(test_identity_naive),
        cmocka_unit_test(test_identity_reuse),
        cmocka_unit_test(test_identity_many_objects),
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_schedule_undone_lock),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_near_numbers),
        cmocka_unit_test(test_near_needed),
        cmocka_unit_test(test_name_races),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_sites_bad),
        cmocka_unit_test(test_sites_noise),
        cmocka_unit_test(test_weaker),
        cmocka_unit_test(test_order_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
