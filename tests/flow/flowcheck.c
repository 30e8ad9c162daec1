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
#include "trace/trace.h"
#include "wire/sym.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static u128 mask(unsigned bits)
{
    return ~(u128)0 >> (128 - bits);
}

static s128 as_signed(u128 v, unsigned bits)
{
    return (s128)(v << (128 - bits)) >> (128 - bits);
}

static u128 divide(uint8_t op, u128 a, u128 b, unsigned bits)
{
    s128 x = as_signed(a, bits), y = as_signed(b, bits);
    switch (op) {
    case WIRE_SYM_UDIV:
        return b ? a / b : mask(bits);
    case WIRE_SYM_UREM:
        return b ? a % b : a;
    case WIRE_SYM_SDIV:
        if (y == 0)
            return x < 0 ? 1 : mask(bits);
        return y == -1 ? (u128)0 - (u128)x : (u128)(x / y);
    default:
        return y == 0 ? (u128)x : y == -1 ? 0 : (u128)(x % y);
    }
}

static u128 shift(uint8_t op, u128 a, u128 b, unsigned bits)
{
    bool far = b >= bits;
    unsigned by = (unsigned)b;
    switch (op) {
    case WIRE_SYM_SHL:
        return far ? 0 : a << by;
    case WIRE_SYM_LSHR:
        return far ? 0 : a >> by;
    default:
        return (u128)(as_signed(a, bits) >> (far ? bits - 1 : by));
    }
}

static u128 bytes_swapped(u128 a, unsigned bits)
{
    u128 r = 0;
    for (unsigned i = 0; i < bits; i += 8)
        r = r << 8 | (a >> i & 0xff);
    return r;
}

static u128 bits_counted(uint8_t op, u128 a, unsigned bits)
{
    unsigned n = 0;
    u128 reversed = 0;
    for (unsigned i = 0; i < bits; i++) {
        reversed = reversed << 1 | (a >> i & 1);
        n += (unsigned)(a >> i & 1);
    }
    if (op == WIRE_SYM_BITREV)
        return reversed;
    if (op == WIRE_SYM_CTPOP)
        return n;
    u128 from = op == WIRE_SYM_CTTZ ? a : reversed;
    for (n = 0; n < bits && !(from >> n & 1); n++)
        continue;
    return n;
}

/* wide: of the operands of a comparison, or of what is extended. */
static u128 apply(const trc_node *n, u128 a, u128 b, unsigned wide, unsigned low_wide)
{
    unsigned bits = n->bits;
    switch (n->op) {
    case WIRE_SYM_ADD:
        return a + b;
    case WIRE_SYM_SUB:
        return a - b;
    case WIRE_SYM_MUL:
        return a * b;
    case WIRE_SYM_AND:
        return a & b;
    case WIRE_SYM_OR:
        return a | b;
    case WIRE_SYM_XOR:
        return a ^ b;
    case WIRE_SYM_EQ:
        return a == b;
    case WIRE_SYM_NE:
        return a != b;
    case WIRE_SYM_ULT:
        return a < b;
    case WIRE_SYM_ULE:
        return a <= b;
    case WIRE_SYM_SLT:
        return as_signed(a, wide) < as_signed(b, wide);
    case WIRE_SYM_SLE:
        return as_signed(a, wide) <= as_signed(b, wide);
    case WIRE_SYM_ZEXT:
        return a;
    case WIRE_SYM_SEXT:
        return (u128)as_signed(a, wide);
    case WIRE_SYM_EXTRACT:
        return a >> n->offset;
    case WIRE_SYM_CONCAT:
        return a << low_wide | b;
    case WIRE_SYM_SHL:
    case WIRE_SYM_LSHR:
    case WIRE_SYM_ASHR:
        return shift(n->op, a, b, bits);
    case WIRE_SYM_BSWAP:
        return bytes_swapped(a, bits);
    case WIRE_SYM_BITREV:
    case WIRE_SYM_CTPOP:
    case WIRE_SYM_CTLZ:
    case WIRE_SYM_CTTZ:
        return bits_counted(n->op, a, bits);
    default:
        return divide(n->op, a, b, bits);
    }
}

static u128 evaluate(const trc *t, const u128 *values, const trc_node *n)
{
    const trc_node *nodes = t->nodes.at;
    u128 immediate = (u128)n->immediate[1] << 64 | n->immediate[0];
    u128 a = n->a ? values[n->a] : immediate, b = n->b ? values[n->b] : immediate;
    if (n->op == WIRE_SYM_CONST)
        return immediate;
    if (n->op == WIRE_SYM_INPUT)
        return t->inputs.at[n->immediate[0]].value;
    if (n->op == WIRE_SYM_ITE) {
        b = n->b ? values[n->b] : n->immediate[0];
        u128 c = n->c ? values[n->c] : n->immediate[1];
        return a ? b : c;
    }
    unsigned wide = n->a ? nodes[n->a].bits : n->b ? nodes[n->b].bits : n->bits;
    unsigned low_wide = n->b ? nodes[n->b].bits : n->bits - wide;
    return apply(n, a, b, wide, low_wide);
}

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
        values[i] = evaluate(t, values, n) & mask(n->bits);
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

TD_VEC(wire_input, input_vec);

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

static void pick_inputs(td_rng *rng, const trc *t, input_vec *out)
{
    input_vec_clear(out);
    for (size_t i = 0; i < t->inputs.len; i++)
        input_vec_push(out, (wire_input){t->inputs.at[i].key,
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
    input_vec inputs = {0};
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
    input_vec_fini(&inputs);
    return c.wrong > 0 || c.decisions + c.values < least;
}
