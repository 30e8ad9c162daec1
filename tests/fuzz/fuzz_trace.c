/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as records: each run in them is decoded and holds together, or gives a
 * sentence; a decoded one has ids, a schedule, findings and ledger lines. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "detect/detect.h"
#include "trace/trace.h"
#include "wire/sym.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_OPS = 1000 };

/* The ids taken over from the run before are those computed from scratch. */
static void identify(trc *t, trc_namer *n)
{
    trc_identify(t, n);
    td_id sum = t->sum;
    trc_namer_forget(n);
    trc_identify(t, n);
    require(td_id_equal(sum, t->sum));
    require(trc_valid(t, NULL, 0));
}

static void use(trc *t)
{
    trc_step_vec steps = {0};
    trc_schedule(t, &steps);
    uint64_t n_choices = 0;
    for (size_t i = 0; i < steps.len; i++)
        n_choices += wire_names_store(steps.at[i]) ? 0 : steps.at[i].count;
    require(n_choices == t->n_choices);
    trc_step_vec_fini(&steps);

    for (size_t i = 0; i < t->nexts.len; i++)
        require(mdl_kind_text(t->nexts.at[i].kind)[0] != '?');
    for (size_t i = 0; i < t->touches.len; i++)
        require(t->touches.at[i].start <= t->touches.at[i].end);

    for (size_t i = 1; i < t->nodes.len; i++) {
        const trc_node *node = &t->nodes.at[i];
        require(node->bits > 0 && node->bits <= WIRE_SYM_MAX_BITS);
        require(node->op != WIRE_SYM_INPUT || node->immediate[0] < t->inputs.len);
        require(node->op != WIRE_SYM_READ || node->immediate[0] < t->threads.len);
    }
    for (size_t i = 0; i < t->ops.len; i++)
        require(t->ops.at[i].written < t->nodes.len);
    for (size_t i = 0; i < t->sides.len; i++)
        require(t->sides.at[i].before_op <= t->ops.len);
    for (size_t i = 0; i < t->inputs.len; i++)
        require(strlen(t->texts.at + t->inputs.at[i].text) <= TRC_MAX_TEXT);

    trc_stores stores = {0};
    if (trc_stores_of(t, &stores))
        for (size_t i = 0; i < t->ops.len; i++)
            require(stores.from.at[i] == UINT32_MAX || stores.from.at[i] < t->ops.len);
    trc_stores_fini(&stores);

    det_finding_vec found = {0};
    det_findings(t, NULL, &found);
    for (size_t i = 0; i < found.len; i++)
        require(found.at[i].message[0] != 0 && found.at[i].id[0] != 0);
    det_findings_fini(&found);
    det_ledger ledger = {0};
    det_ledger_run(&ledger, t, NULL);
    det_ledger_fini(&ledger);
    det_finding odd;
    det_nondet(t, t, NULL, &odd);
    det_finding_fini(&odd);
}

/* Numbers that follow each other and operands that exist. */
static void mend_symbolic(wire_rec *r, uint32_t *n_nodes, uint32_t *n_inputs)
{
    if (r->kind == WIRE_NOTE_INPUT)
        r->count = (*n_inputs)++;
    else if (r->kind == WIRE_DECIDE || r->kind == WIRE_NOTE_WHY ||
             r->kind == WIRE_NOTE_WROTE)
        r->object = r->object % *n_nodes;
    else if (r->kind == WIRE_NOTE_NODE) {
        r->size %= WIRE_SYM_N_OPS;
        r->thread %= *n_nodes;
        r->site %= *n_nodes;
        r->count %= *n_nodes;
        ++*n_nodes;
    }
}

/* What the operations and choices of a NOTE_DONE must be is not left to luck. */
static void mend(wire_rec *recs, size_t n)
{
    uint64_t n_ops = 0;
    uint32_t n_choices = 0, n_nodes = 1, n_inputs = 0;
    for (size_t i = 0; i < n; i++) {
        if (recs[i].kind > WIRE_NONE && recs[i].kind < WIRE_N_OPS) {
            n_ops++;
            n_choices += !(recs[i].flags & WIRE_F_FORCED);
        } else if (recs[i].kind == WIRE_NOTE_DONE) {
            recs[i].object = n_ops;
            recs[i].count = n_choices;
            n_ops = n_choices = n_inputs = 0;
            n_nodes = 1;
        } else
            mend_symbolic(&recs[i], &n_nodes, &n_inputs);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t piece = 1 + data[0] % 40, n = (size - 1) / sizeof(wire_rec);
    wire_rec *recs = malloc(n * sizeof *recs + 1);
    require(recs != NULL);
    memcpy(recs, data + 1, n * sizeof *recs);
    if (data[0] < 128)
        mend(recs, n);

    trc t;
    trc_init(&t);
    const trc_module module = {0x400000, 0x500000, 1};
    trc_namer *namer = trc_namer_new(&module, 1);
    td_diag diag = {0};
    for (size_t at = 0, used; at < n; at += used) {
        size_t len = n - at < piece ? n - at : piece;
        if (trc_feed(&t, recs + at, len, &used, MAX_OPS, &diag) != TD_OK) {
            require(diag.text[0] != 0 && used > 0);
            break;
        }
        require(used > 0 && used <= len);
        if (t.complete) {
            identify(&t, namer);
            use(&t);
            trc_clear(&t);
        }
    }
    trc_namer_free(namer);
    trc_fini(&t);
    free(recs);
    return 0;
}
