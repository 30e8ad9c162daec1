/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses: the value that a false constraint requires is propagated down to inputs, by inverting one
 * operation after the other with all other operands unchanged. Each path ends in a candidate, a change of
 * one input (of several if bytes make up a number). The best candidate of an iteration is kept, until none
 * is better. */
#include "solver/solver_int.h"

#include "base/assert.h"

enum {
    DEEPEST = 32,
    MOST_VISITS = 250,
    MOST_GROUPS = 64,
    MOST_STEPS = 1 << 20 /* steps of the tape, for one part */
};

static td_u128 value_of(const slv_guesser *g, exp_ref e)
{
    return exp_tape_value(g->tape, e);
}

static td_u128 current(const slv_guesser *g, uint32_t input)
{
    TD_DASSERT(input < g->n_values);
    return g->values[input] & exp_ones(exp_input_width(g->d, input));
}

/* A candidate of one pair. */
static void propose(slv_guesser *g, uint32_t input, td_u128 value)
{
    if (g->groups.len >= MOST_GROUPS || current(g, input) == value)
        return;
    exp_u32_vec_push(&g->groups, (uint32_t)g->pairs.len);
    slv_pair_vec_push(&g->pairs, (slv_pair){.value = value, .input = input});
}

/* The number that times an odd one is 1. */
static td_u128 inverse(td_u128 odd)
{
    TD_ASSERT(odd & 1);
    td_u128 x = odd;
    for (int right = 3; right < 128; right *= 2)
        x *= 2 - odd * x;
    return x;
}

/* Adds a pair to the candidate; bits of an input that is in it already are joined. */
static void add_pair(slv_guesser *g, uint32_t input, td_u128 value)
{
    for (size_t i = g->group_first; i < g->pairs.len; i++) {
        if (g->pairs.at[i].input == input) {
            g->pairs.at[i].value ^= value ^ current(g, input);
            return;
        }
    }
    slv_pair_vec_push(&g->pairs, (slv_pair){.value = value, .input = input});
}

/* Adds pairs that make e the value whatever else holds; false if e computes too much. */
static bool assign(slv_guesser *g, exp_ref e, td_u128 value, int depth)
{
    exp_node n = exp_at(g->d, e);
    td_u128 have = value_of(g, e), k;
    value &= exp_ones(n.width);
    if (have == value)
        return true;
    if (depth == DEEPEST)
        return false;
    switch ((exp_op)n.op) {
    case EXP_INPUT:
        add_pair(g, n.number, value);
        return true;
    case EXP_CONCAT:
        return assign(g, n.arg[0], value >> n.aux, depth + 1) &&
               assign(g, n.arg[1], value, depth + 1);
    case EXP_EXTRACT: {
        td_u128 whole = value_of(g, n.arg[0]);
        return assign(g, n.arg[0], whole ^ (have ^ value) << n.aux, depth + 1);
    }
    case EXP_NOT:
        return assign(g, n.arg[0], ~value, depth + 1);
    case EXP_NEG:
        return assign(g, n.arg[0], (td_u128)0 - value, depth + 1);
    case EXP_ADD:
        return exp_is_const(g->d, n.arg[1], &k) &&
               assign(g, n.arg[0], value - k, depth + 1);
    case EXP_XOR:
        return exp_is_const(g->d, n.arg[1], &k) &&
               assign(g, n.arg[0], value ^ k, depth + 1);
    default:
        return false;
    }
}

static void want(slv_guesser *g, exp_ref e, td_u128 value, int depth);

/* Both parts in one candidate if that goes, else one of them. */
static void want_concat(slv_guesser *g, exp_ref e, td_u128 value, int depth)
{
    exp_node n = exp_at(g->d, e);
    size_t before = g->group_first = g->pairs.len;
    if (assign(g, e, value, depth)) {
        if (g->pairs.len > before && g->groups.len < MOST_GROUPS)
            exp_u32_vec_push(&g->groups, (uint32_t)before);
        else
            g->pairs.len = before;
        return;
    }
    g->pairs.len = before;
    want(g, n.arg[0], value >> n.aux, depth);
    want(g, n.arg[1], value, depth);
}

/* x * other == value */
static void want_factor(slv_guesser *g, exp_ref x, td_u128 other, td_u128 value,
                        int depth)
{
    if (other & 1)
        want(g, x, value * inverse(other), depth);
    else if (other != 0 && value % other == 0)
        want(g, x, value / other, depth);
}

static void want_division(slv_guesser *g, const exp_node *n, td_u128 value, int depth)
{
    td_u128 a = value_of(g, n->arg[0]), b = value_of(g, n->arg[1]);
    if (n->op == EXP_UDIV || n->op == EXP_SDIV) {
        want(g, n->arg[0], value * b, depth);
        if (value != 0)
            want(g, n->arg[1], a / value, depth);
        return;
    }
    if (b != 0)
        want(g, n->arg[0], a - a % b + value, depth);
    want(g, n->arg[0], value, depth);
}

static void want_shift(slv_guesser *g, const exp_node *n, td_u128 value, int depth)
{
    td_u128 a = value_of(g, n->arg[0]), b = value_of(g, n->arg[1]);
    if (b < n->width)
        want(g, n->arg[0], n->op == EXP_SHL ? value >> (int)b : value << (int)b, depth);
    for (unsigned by = 0; by <= n->width; by++) {
        td_u128 v[3] = {a, by, 0};
        if (exp_apply((exp_op)n->op, n->width, 0, v) == value) {
            want(g, n->arg[1], by, depth);
            break;
        }
    }
}

/* Bits that the other operand leaves open stay. */
static void want_bits(slv_guesser *g, const exp_node *n, td_u128 value, int depth)
{
    for (int i = 0; i < 2; i++) {
        td_u128 mine = value_of(g, n->arg[i]), other = value_of(g, n->arg[1 - i]);
        td_u128 open = n->op == EXP_AND ? ~other : other;
        want(g, n->arg[i], n->width == 1 ? value : (mine & open) | (value & ~open),
             depth);
    }
}

static void want_equal(slv_guesser *g, const exp_node *n, bool equal, int depth)
{
    for (int i = 0; i < 2; i++) {
        td_u128 other = value_of(g, n->arg[1 - i]);
        if (equal) {
            want(g, n->arg[i], other, depth);
            continue;
        }
        want(g, n->arg[i], other + 1, depth);
        want(g, n->arg[i], other - 1, depth);
        want(g, n->arg[i], ~other, depth);
    }
}

/* a < b, or a >= b: just so, and as clearly as can be. */
static void want_order(slv_guesser *g, const exp_node *n, bool less, int depth)
{
    exp_ref a = n->arg[0], b = n->arg[1];
    td_u128 x = value_of(g, a), y = value_of(g, b), ones = exp_ones(n->aux);
    td_u128 first = n->op == EXP_ULT ? 0 : (td_u128)1 << (n->aux - 1);
    td_u128 last = n->op == EXP_ULT ? ones : ones >> 1;
    if (less) {
        want(g, a, y - 1, depth);
        want(g, b, x + 1, depth);
        want(g, a, 0, depth);
        want(g, a, first, depth);
        want(g, b, last, depth);
    } else {
        want(g, a, y, depth);
        want(g, b, x, depth);
        want(g, a, y + 1, depth);
        want(g, b, 0, depth);
        want(g, b, first, depth);
        want(g, a, last, depth);
    }
}

static void want_choice(slv_guesser *g, const exp_node *n, td_u128 value, int depth)
{
    bool now = value_of(g, n->arg[0]) != 0;
    want(g, n->arg[now ? 1 : 2], value, depth);
    want(g, n->arg[0], !now, depth);
}

static void want_sum(slv_guesser *g, const exp_node *n, td_u128 value, int depth)
{
    td_u128 a = value_of(g, n->arg[0]), b = value_of(g, n->arg[1]);
    switch ((exp_op)n->op) {
    case EXP_ADD:
        want(g, n->arg[0], value - b, depth);
        want(g, n->arg[1], value - a, depth);
        break;
    case EXP_SUB:
        want(g, n->arg[0], value + b, depth);
        want(g, n->arg[1], a - value, depth);
        break;
    case EXP_XOR:
        want(g, n->arg[0], value ^ b, depth);
        want(g, n->arg[1], value ^ a, depth);
        break;
    default:
        want_factor(g, n->arg[0], b, value, depth);
        want_factor(g, n->arg[1], a, value, depth);
        break;
    }
}

/* Proposes changes of inputs that may make e the value. */
static void want(slv_guesser *g, exp_ref e, td_u128 value, int depth)
{
    exp_node n = exp_at(g->d, e);
    td_u128 have = value_of(g, e);
    value &= exp_ones(n.width);
    if (have == value || depth == DEEPEST || g->n_visits++ >= MOST_VISITS)
        return;
    depth++;
    switch ((exp_op)n.op) {
    case EXP_INPUT:
        propose(g, n.number, value);
        return;
    case EXP_ADD:
    case EXP_SUB:
    case EXP_XOR:
    case EXP_MUL:
        want_sum(g, &n, value, depth);
        return;
    case EXP_UDIV:
    case EXP_SDIV:
    case EXP_UREM:
    case EXP_SREM:
        want_division(g, &n, value, depth);
        return;
    case EXP_AND:
    case EXP_OR:
        want_bits(g, &n, value, depth);
        return;
    case EXP_SHL:
    case EXP_LSHR:
    case EXP_ASHR:
        want_shift(g, &n, value, depth);
        return;
    case EXP_EQ:
        want_equal(g, &n, value != 0, depth);
        return;
    case EXP_ULT:
    case EXP_SLT:
        want_order(g, &n, value != 0, depth);
        return;
    case EXP_CONCAT:
        want_concat(g, e, value, depth);
        return;
    case EXP_SEXT:
        want(g, n.arg[0], value, depth);
        return;
    case EXP_EXTRACT:
        want(g, n.arg[0], value_of(g, n.arg[0]) ^ (have ^ value) << n.aux, depth);
        return;
    case EXP_ITE:
        want_choice(g, &n, value, depth);
        return;
    case EXP_NOT:
        want(g, n.arg[0], ~value, depth);
        return;
    case EXP_NEG:
        want(g, n.arg[0], (td_u128)0 - value, depth);
        return;
    default:
        return;
    }
}

static size_t group_end(const slv_guesser *g, size_t group)
{
    return group + 1 < g->groups.len ? g->groups.at[group + 1] : g->pairs.len;
}

/* Changes the assignment; undo takes it back. */
static void apply_group(slv_guesser *g, size_t group)
{
    slv_pair_vec_clear(&g->undo);
    for (size_t i = g->groups.at[group]; i < group_end(g, group); i++) {
        slv_pair p = g->pairs.at[i];
        slv_pair_vec_push(&g->undo,
                          (slv_pair){.value = g->values[p.input], .input = p.input});
        g->values[p.input] = p.value;
    }
}

static void take_back(slv_guesser *g)
{
    while (g->undo.len > 0) {
        slv_pair p = slv_pair_vec_pop(&g->undo);
        g->values[p.input] = p.value;
    }
}

static exp_values values_of(const slv_guesser *g)
{
    return (exp_values){g->values, g->n_values};
}

/* Candidates for one false constraint; the best one stays if it is better than *score. */
static bool improve(slv_guesser *g, exp_ref constraint, size_t *score, uint32_t *tries)
{
    slv_pair_vec_clear(&g->pairs);
    exp_u32_vec_clear(&g->groups);
    g->n_visits = 0;
    want(g, constraint, 1, 0);
    size_t best = 0, best_score = *score;
    for (size_t i = 0; i<g->groups.len && * tries> 0; i++, --*tries) {
        apply_group(g, i);
        size_t now = exp_tape_score(g->tape, values_of(g));
        take_back(g);
        if (now > best_score) {
            best = i;
            best_score = now;
        }
        if (now == g->tape->roots.len)
            break;
    }
    if (best_score == *score)
        return false;
    apply_group(g, best);
    *score = best_score;
    return true;
}

/* One pass over the constraints that are false; true if one became better. */
static bool round_of_guesses(slv_guesser *g, size_t *score, uint32_t *tries)
{
    *score = exp_tape_score(g->tape, values_of(g));
    for (size_t i = 0; i<g->tape->roots.len && * tries> 0; i++) {
        uint32_t root = g->tape->roots.at[i];
        if (g->tape->values.at[root] != 0)
            continue;
        if (improve(g, g->tape->refs.at[root], score, tries))
            return true;
        exp_tape_run(g->tape, values_of(g)); /* candidates have left their values */
    }
    return false;
}

bool slv_guess(slv_guesser *g)
{
    size_t score = 0, n_steps = g->tape->steps.len ? g->tape->steps.len : 1;
    uint32_t tries = g->max_tries, most = (uint32_t)(MOST_STEPS / n_steps);
    if (tries > most)
        tries = most;
    while (tries > 0 && round_of_guesses(g, &score, &tries))
        if (score == g->tape->roots.len)
            return true;
    return false;
}

void slv_guesser_fini(slv_guesser *g)
{
    slv_pair_vec_fini(&g->pairs);
    exp_u32_vec_fini(&g->groups);
    slv_pair_vec_fini(&g->undo);
}
