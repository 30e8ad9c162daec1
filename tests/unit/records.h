/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records, for tests of what reads them. */
#pragma once

#include "base/vec.h"
#include "trace/trace.h"

TD_VEC(wire_rec, rec_vec);

typedef struct recs {
    rec_vec v;
    uint32_t n_ops, n_choices, n_threads; /* n_threads: created, main is not counted */
    uint32_t n_inputs;
} recs;

/* An operation as a choice among one thread; sizes of accesses are 4. */
static inline wire_rec *rec_op(recs *r, uint8_t kind, uint32_t thread, uint64_t object,
                               uint64_t value)
{
    bool is_access = kind >= WIRE_LOAD && kind <= WIRE_CAS_FAIL;
    wire_rec rec = {.kind = kind, .size = is_access ? 4 : 0};
    rec.thread = thread;
    rec.count = 1;
    if (kind == WIRE_LOCK || kind == WIRE_TRYLOCK || kind == WIRE_ATOMIC_BEGIN)
        rec.flags = WIRE_F_CLOSED;
    rec.object = object;
    rec.value = value;
    rec_vec_push(&r->v, rec);
    r->n_ops++;
    r->n_choices++;
    return &r->v.at[r->v.len - 1];
}

static inline wire_rec *rec_forced(recs *r, uint8_t kind, uint32_t thread,
                                   uint64_t object, uint64_t value)
{
    wire_rec *rec = rec_op(r, kind, thread, object, value);
    rec->flags |= WIRE_F_FORCED;
    r->n_choices--;
    return rec;
}

static inline wire_rec *rec_note(recs *r, uint8_t kind, uint8_t size, uint32_t thread,
                                 uint64_t value)
{
    wire_rec rec = {.kind = kind, .size = size};
    rec.thread = thread;
    rec.value = value;
    rec_vec_push(&r->v, rec);
    return &r->v.at[r->v.len - 1];
}

static inline void rec_text(recs *r, const char *text)
{
    size_t len = strlen(text);
    do {
        wire_rec rec = {.kind = WIRE_NOTE_TEXT};
        rec.size = (uint8_t)(len < WIRE_TEXT_BYTES ? len : WIRE_TEXT_BYTES);
        memcpy(rec.text, text, rec.size);
        rec_vec_push(&r->v, rec);
        text += rec.size;
        len -= rec.size;
    } while (len > 0);
}

/* parent creates the next thread; its number. */
static inline uint32_t rec_create(recs *r, uint32_t parent)
{
    uint32_t made = ++r->n_threads;
    rec_op(r, WIRE_CREATE, parent, 0, made);
    rec_note(r, WIRE_NOTE_THREAD, 0, made, 0)->object = 0x1000 + made;
    return made;
}

static inline void rec_end(recs *r, uint32_t thread)
{
    rec_forced(r, WIRE_END, thread, 0, 0);
}

static inline void rec_done(recs *r, uint8_t done)
{
    wire_rec *rec = rec_note(r, WIRE_NOTE_DONE, done, 0, 0);
    rec->object = r->n_ops;
    rec->count = r->n_choices;
}

static inline void recs_clear(recs *r)
{
    rec_vec_clear(&r->v);
    r->n_ops = r->n_choices = r->n_threads = r->n_inputs = 0;
}

static inline void recs_fini(recs *r)
{
    rec_vec_fini(&r->v);
    *r = (recs){0};
}

/* Decodes all of it; t is cleared first. */
static inline td_status recs_decode(const recs *r, trc *t, td_diag *diag)
{
    size_t used;
    trc_clear(t);
    return trc_feed(t, r->v.at, r->v.len, &used, UINT32_MAX, diag);
}
