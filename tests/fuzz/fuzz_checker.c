/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a program that wrote over its records, for the checker of certificates. Bytes choose records that are mostly
 * well formed: the runs are closed, or a run is missing, or a sentence says why neither can be told. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "certify/certify.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_RECS = 120, MAX_RUNS = 12, MAX_OPS = 1000, CREATE_ONE = 200, WAKE_ONE = 220 };

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

typedef struct writer {
    wire_rec recs[MAX_RECS + 8];
    size_t n;
    uint32_t n_threads, n_ops, n_choices;
    uint32_t ended; /* bits */
} writer;

static uint8_t draw(input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

static wire_rec *put(writer *w, uint8_t kind)
{
    wire_rec *r = &w->recs[w->n++];
    *r = (wire_rec){.kind = kind};
    return r;
}

static void put_op(writer *w, uint8_t kind, uint32_t thread, uint8_t object, uint8_t more)
{
    wire_rec *r = put(w, kind);
    r->thread = thread;
    r->object = 0x1000 + 8 * (object % 4u) + (more & 64 ? 4 : 0);
    r->size = more & 32 ? 4 : 8;
    r->value = more & 3;
    r->flags = kind == WIRE_END ? WIRE_F_FORCED : more & 128 ? WIRE_F_CLOSED : 0;
    if (kind == WIRE_JOIN)
        r->value = object % w->n_threads;
    w->n_ops++;
    w->n_choices += !(r->flags & WIRE_F_FORCED);
    w->ended |= kind == WIRE_END ? 1u << thread : 0;
}

static void put_create(writer *w, uint32_t thread)
{
    put_op(w, WIRE_CREATE, thread, 0, 0);
    w->recs[w->n - 1].value = w->n_threads;
    put(w, WIRE_NOTE_THREAD)->thread = w->n_threads++;
}

static void put_end(writer *w, input *in)
{
    static const uint8_t ends[] = {WIRE_DONE_EXIT, WIRE_DONE_DEADLOCK, WIRE_DONE_STANDS};
    uint8_t how = draw(in);
    for (uint32_t i = 0; i < w->n_threads; i++) {
        uint8_t kind = draw(in);
        if (w->ended >> i & 1 || kind == 0)
            continue;
        wire_rec *r = put(w, WIRE_NOTE_NEXT);
        r->thread = i;
        r->size = kind % WIRE_N_OPS;
        r->count = 4;
        r->object = 0x1000 + 8 * (draw(in) % 4u);
        r->value = r->object / 8 % w->n_threads;
    }
    wire_rec *r = put(w, WIRE_NOTE_DONE);
    r->size = ends[how % 3];
    r->flags = how & 128 ? WIRE_ENDED_CUT : 0;
    r->object = w->n_ops;
    r->count = w->n_choices;
}

static void write_run(writer *w, input *in)
{
    *w = (writer){.n_threads = 1};
    for (uint8_t n = draw(in) % 24; n > 0 && w->n < MAX_RECS - 12; n--) {
        uint8_t what = draw(in), more = draw(in);
        uint32_t thread = draw(in) % w->n_threads;
        if (what >= WAKE_ONE && w->n > 0) {
            wire_rec *r = put(w, WIRE_NOTE_WOKEN);
            r->size = 1;
            r->ids[0] = thread;
        } else if (what >= CREATE_ONE && w->n_threads < 6) {
            put_create(w, thread);
        } else if (!(w->ended >> thread & 1)) {
            put_op(w, (uint8_t)(1 + what % (WIRE_N_OPS - 1)), thread, more / 4, more);
        }
    }
    put_end(w, in);
}

/* False: the checker stops here. */
static bool take_run(crt *c, trc *t, const writer *w)
{
    td_diag diag = {0};
    size_t used;
    uint32_t number;
    if (trc_feed(t, w->recs, w->n, &used, MAX_OPS, &diag) != TD_OK || !t->complete ||
        crt_take(c, t, &number, &diag) != TD_OK) {
        require(diag.text[0] != '\0');
        return false;
    }
    require(number == CRT_NONE || number < c->runs.len);
    return true;
}

static void conclude(crt *c)
{
    crt_steps steps = {0};
    crt_index_runs(c);
    for (int states = 0; states < 2; states++)
        if (!(states ? crt_states_closed(c) : crt_traces_closed(c))) {
            crt_schedule(c, &c->missing, c->missing_thread, &steps);
            require(steps.len > 0);
        }
    crt_steps_fini(&steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    crt c = {0};
    bool is_fine = true;
    for (int i = 0; is_fine && in.left > 0 && i < MAX_RUNS; i++) {
        writer w;
        trc t;
        trc_init(&t);
        write_run(&w, &in);
        is_fine = take_run(&c, &t, &w);
        trc_fini(&t);
    }
    if (is_fine)
        conclude(&c);
    crt_fini(&c);
    return 0;
}
