/* SPDX-License-Identifier: Apache-2.0 */
/* flowcheck [--sym-arg=I:TYPE] [--sym-stdin=N] PROGRAM RUNS SEED [MIN]: runs the program with random inputs and evaluates every
 * decision it recorded. Prints how many there were; exits with 1 where the recorded nodes do
 * not give the value that the program saw, or if there are fewer than MIN decisions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/status.h"
#include "run/run.h"
#include "flow/evaluate.h"
#include "trace/trace.h"

typedef struct counts {
    uint64_t runs, nodes, decisions, values, wrong, gaps;
} counts;

static void complain(const trc *t, const trc_op *d, u128 value, trc_sites *sites)
{
    trc_site s = trc_site_at(sites, d->site);
    uint32_t node = (uint32_t)d->object;
    const trc_node *n = &t->nodes.at[node];
    printf("%s:%u: node %u, %s of %u bits, gives %" PRIx64 ", the program saw %" PRIx64
           "\n",
           s.file, s.line, node, trc_sym_op_text(n->op), n->bits, (uint64_t)value,
           d->value);
}

static void check(const trc *t, counts *c, trc_sites *sites)
{
    u128 *values = calloc(t->nodes.len, sizeof *values);
    for (size_t i = 1; i < t->nodes.len; i++) {
        const trc_node *n = &t->nodes.at[i];
        values[i] = sym_evaluate(t, values, n);
    }
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *d = &t->ops.at[i];
        if (d->kind != WIRE_DECIDE)
            continue;
        c->decisions += d->size != WIRE_DECIDE_VALUE;
        c->values += d->size == WIRE_DECIDE_VALUE;
        if (values[d->object] == d->value)
            continue;
        if (c->wrong++ < 10)
            complain(t, d, values[d->object], sites);
    }
    c->runs++;
    c->nodes += t->nodes.len - 1;
    c->gaps += t->gaps.len;
    free(values);
}

/* Values at the edges are as likely as any. */
static uint64_t pick(td_rng *rng, unsigned bits)
{
    uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t any = td_rng_next(rng);
    switch (td_rng_next(rng) % 6) {
    case 0:
        return any % 5 & all;
    case 1:
        return (all - any % 5) & all;
    case 2:
        return ((all >> 1) + any % 3) & all;
    default:
        return any & all;
    }
}

static void pick_inputs(td_rng *rng, const trc *t, trc_chosen_vec *out)
{
    trc_chosen_vec_clear(out);
    for (size_t i = 0; i < t->inputs.len; i++)
        trc_chosen_vec_push(out, (wire_input){t->inputs.at[i].key,
                                              pick(rng, t->inputs.at[i].bits)});
}

static int fail(const char *text)
{
    fprintf(stderr, "flowcheck: %s\n", text);
    return 2;
}

/* The options in front; how many there were, or -1. */
static int take_given(int argc, char **argv, run_given *given)
{
    char *const none[] = {NULL};
    td_diag diag = {0};
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strncmp(argv[i], "--sym-stdin=", 12) == 0)
            given->stdin_bytes = (uint32_t)strtoul(argv[i] + 12, NULL, 10);
        else if (strncmp(argv[i], "--sym-arg=", 10) != 0 ||
                 run_given_add(given, argv[i] + 10, none, &diag) != TD_OK)
            return -1;
    }
    return i - 1;
}

int main(int argc, char **argv)
{
    run_given given = {0};
    int n_options = take_given(argc, argv, &given);
    argv += n_options;
    argc -= n_options;
    if (n_options < 0 || argc < 4)
        return fail("[--sym-arg=I:TYPE] [--sym-stdin=N] PROGRAM RUNS SEED [MIN]");
    char *program[] = {argv[1], NULL};
    run_opts opts = {.argv = program, .timeout_ms = 20000, .given = given};
    run *r = NULL;
    td_diag diag = {0};
    if (run_open(&opts, &r, &diag) != TD_OK)
        return fail(diag.text);
    td_rng rng = {strtoull(argv[3], NULL, 0)};
    trc_chosen_vec inputs = {0};
    counts c = {0};
    uint64_t n_runs = strtoull(argv[2], NULL, 0);
    for (uint64_t i = 0; i < n_runs; i++) {
        run_request request = {.id = i + 1,
                               .policy = WIRE_POLICY_RANDOM,
                               .seed = i,
                               .inputs = inputs.at,
                               .n_inputs = inputs.len};
        run_outcome outcome;
        uint64_t job;
        trc *t;
        if (!run_submit(r, &request) || run_next(r, &outcome, &job, &t, &diag) != TD_OK)
            return fail(diag.text);
        if (outcome != RUN_TRACE)
            return fail(run_lost_why(r));
        check(t, &c, run_sites(r));
        pick_inputs(&rng, t, &inputs);
    }
    printf("%" PRIu64 " runs, %" PRIu64 " nodes, %" PRIu64 " decisions, %" PRIu64
           " values, %" PRIu64 " gaps, %" PRIu64 " wrong\n",
           c.runs, c.nodes, c.decisions, c.values, c.gaps, c.wrong);
    uint64_t least = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;
    run_close(r);
    trc_chosen_vec_fini(&inputs);
    return c.wrong > 0 || c.decisions + c.values < least;
}
