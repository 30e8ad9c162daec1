/* SPDX-License-Identifier: Apache-2.0 */
/* For people: the decisions of a run as one condition on its inputs. */
#include "path/bounds.h"
#include "path/linear.h"

enum { LONGEST = 2000 /* bytes of a condition; the rest is left out */ };

/* A place in the condition: a term of the bounds, or a constraint that they cannot take. */
typedef struct part {
    uint32_t term; /* UINT32_MAX: none */
    exp_ref constraint;
} part;

TD_VEC(part, part_vec);

enum { VOTE_UNSIGNED = 1, VOTE_SIGNED = 2 };

typedef struct teller {
    pth *p;
    pth_bounds bounds;
    part_vec parts;
    pth_table seen;          /* constraints and terms that are among the parts */
    exp_ref_vec constraints; /* constraints that will be printed */
    pth_byte_vec fixed;      /* by input number: the condition has its value */
    pth_byte_vec votes;      /* by input number */
    pth_range_vec ranges;    /* likewise */
    exp_u32_vec names;       /* by input number: offset in texts */
    td_text texts;
} teller;

/* ---- what holds ---- */

/* True the first time. */
static bool is_new(teller *t, td_id id)
{
    size_t before = t->seen.len;
    pth_table_number(&t->seen, id, 0);
    return t->seen.len > before;
}

static void add_constraint(teller *t, exp_ref constraint)
{
    uint32_t term = pth_bounds_add(&t->bounds, t->p->d, constraint);
    exp_ref e = term == UINT32_MAX ? constraint : t->bounds.terms.at[term].e;
    td_id id = exp_id(t->p->d, e);
    id.hi ^= term != UINT32_MAX; /* a term of 1 bit is not a constraint */
    if (is_new(t, id))
        part_vec_push(&t->parts, (part){term, constraint});
}

/* a && b are two constraints, and so are !(a || b). */
static void split(teller *t, exp_ref condition)
{
    exp_ref_vec todo = {0};
    exp_ref_vec_push(&todo, condition);
    while (todo.len > 0) {
        exp_ref e = exp_ref_vec_pop(&todo);
        exp_node n = exp_at(t->p->d, e);
        exp_node inner = n.op == EXP_NOT ? exp_at(t->p->d, n.arg[0]) : n;
        if (n.op == EXP_CONST) {
            continue;
        } else if (n.op == EXP_AND) {
            exp_ref_vec_push(&todo, n.arg[1]);
            exp_ref_vec_push(&todo, n.arg[0]);
        } else if (n.op == EXP_NOT && inner.op == EXP_OR) {
            exp_ref_vec_push(&todo, exp_unary(t->p->d, EXP_NOT, inner.arg[1]));
            exp_ref_vec_push(&todo, exp_unary(t->p->d, EXP_NOT, inner.arg[0]));
        } else {
            add_constraint(t, e);
        }
    }
    exp_ref_vec_fini(&todo);
}

static void collect(teller *t, const trc *run, uint32_t from, uint32_t to)
{
    pth_table sides = {0};
    for (uint32_t i = from; i < to && i < run->ops.len; i++) {
        const trc_op *op = &run->ops.at[i];
        if (!mdl_decides(op->kind))
            continue;
        exp_ref e = pth_condition(t->p, pth_question(t->p, run, op), op->old);
        size_t before = sides.len;
        pth_table_number(&sides, exp_id(t->p->d, e), 0);
        if (sides.len > before)
            split(t, e);
    }
    pth_table_fini(&sides);
}

/* ---- redundant constraints ---- */

static bool is_fixed_input(const teller *t, const part *at)
{
    if (at->term == UINT32_MAX || !pth_bounds_is_one(&t->bounds, at->term))
        return false;
    return exp_at(t->p->d, t->bounds.terms.at[at->term].e).op == EXP_INPUT;
}

static void find_fixed(teller *t)
{
    for (size_t i = 0; i < t->parts.len; i++)
        if (is_fixed_input(t, &t->parts.at[i])) {
            exp_ref e = t->bounds.terms.at[t->parts.at[i].term].e;
            t->fixed.at[exp_at(t->p->d, e).number] = 1;
        }
}

/* True if it depends only on inputs whose values are printed. */
static bool follows(teller *t, exp_ref constraint)
{
    exp_u32_vec *members = &t->p->members;
    exp_u32_vec_clear(members);
    exp_set_list(t->p->d, exp_inputs(t->p->d, constraint), members);
    for (size_t i = 0; i < members->len; i++)
        if (!t->fixed.at[members->at[i]])
            return false;
    return true;
}

static void choose_constraints(teller *t)
{
    pth_bounds_settle(&t->bounds, t->p->d);
    find_fixed(t);
    for (size_t i = 0; i < t->parts.len; i++) {
        const part *at = &t->parts.at[i];
        if (!is_fixed_input(t, at) && follows(t, at->constraint))
            continue;
        if (at->term == UINT32_MAX)
            exp_ref_vec_push(&t->constraints, at->constraint);
        else
            pth_bounds_tell(&t->bounds, t->p->d, at->term, &t->constraints);
    }
}

/* ---- how inputs are called, and whether they have a sign ---- */

/* Votes for this sign for the inputs in an operand; parts of values have none. */
static void vote(teller *t, exp_ref e, uint8_t sign, int depth)
{
    exp_node n = exp_at(t->p->d, e);
    if (n.op == EXP_INPUT)
        t->votes.at[n.number] |= sign;
    if (n.op == EXP_CONCAT || n.op == EXP_EXTRACT || n.op == EXP_SEXT || depth == 0)
        return;
    for (int i = n.op == EXP_ITE; i < n.n_args; i++)
        vote(t, n.arg[i], sign, depth - 1);
}

static void vote_at(teller *t, exp_ref e, const exp_node *n)
{
    const exp_dag *d = t->p->d;
    td_u128 high;
    enum { DEEPEST = 6 };
    if (n->op == EXP_ULT || n->op == EXP_UDIV || n->op == EXP_UREM) {
        vote(t, n->arg[0], VOTE_UNSIGNED, DEEPEST);
        vote(t, n->arg[1], VOTE_UNSIGNED, DEEPEST);
    } else if (n->op == EXP_SLT || n->op == EXP_SDIV || n->op == EXP_SREM) {
        vote(t, n->arg[0], VOTE_SIGNED, DEEPEST);
        vote(t, n->arg[1], VOTE_SIGNED, DEEPEST);
    } else if (n->op == EXP_SEXT || n->op == EXP_ASHR ||
               (n->op == EXP_EXTRACT && n->width == 1 &&
                n->aux + 1u == exp_width(d, n->arg[0]))) {
        vote(t, n->arg[0], VOTE_SIGNED, DEEPEST);
    } else if (n->op == EXP_CONCAT && exp_is_const(d, n->arg[0], &high) && high == 0) {
        vote(t, n->arg[1], VOTE_UNSIGNED, DEEPEST);
    }
}

static void find_signs(teller *t)
{
    const exp_dag *d = t->p->d;
    pth_byte_vec seen = {0};
    pth_byte_vec_reserve(&seen, exp_count(d));
    memset(seen.at, 0, exp_count(d));
    exp_ref_vec todo = {0};
    exp_ref_vec_append(&todo, t->constraints.at, t->constraints.len);
    while (todo.len > 0) {
        exp_ref e = exp_ref_vec_pop(&todo);
        if (seen.at[e.ix])
            continue;
        seen.at[e.ix] = 1;
        exp_node n = exp_at(d, e);
        vote_at(t, e, &n);
        exp_ref_vec_append(&todo, n.arg, n.n_args);
    }
    exp_ref_vec_fini(&todo);
    pth_byte_vec_fini(&seen);
}

/* What the program said of its inputs counts more. */
static void know_signs(teller *t, const trc *run)
{
    for (size_t i = 0; i < run->inputs.len; i++) {
        uint32_t number = t->p->run_inputs.at[i];
        uint8_t sign = run->inputs.at[i].sign;
        if (number != UINT32_MAX && sign != WIRE_NO_SIGN)
            t->votes.at[number] = sign == WIRE_SIGNED ? VOTE_SIGNED : VOTE_UNSIGNED;
    }
}

static exp_sign sign_of(void *context, uint32_t number)
{
    const teller *t = context;
    return t->votes.at[number] == VOTE_UNSIGNED ? EXP_UNSIGNED : EXP_SIGNED;
}

/* Bytes of an object may be letters. */
static bool is_text(void *context, uint32_t number)
{
    const teller *t = context;
    const char *name = t->texts.at + t->names.at[number];
    size_t n = strlen(name);
    return n > 0 && name[n - 1] == ']';
}

static const char *name_of(void *context, uint32_t number)
{
    const teller *t = context;
    return t->texts.at + t->names.at[number];
}

static void find_names(teller *t, const trc *run)
{
    trc_u32_vec at = {0};
    trc_input_names(run, &t->texts, &at);
    for (size_t i = 0; i < at.len; i++)
        if (t->p->run_inputs.at[i] != UINT32_MAX)
            t->names.at[t->p->run_inputs.at[i]] = at.at[i];
    trc_u32_vec_fini(&at);
}

/* ---- what inputs can be ---- */

/* All values of its type. */
static pth_range widest(teller *t, uint32_t number, unsigned bits)
{
    const int64_t far = INT64_C(1) << 62;
    bool is_signed = sign_of(t, number) == EXP_SIGNED;
    if (bits > 60)
        return (pth_range){-far, far};
    int64_t n = INT64_C(1) << bits;
    return is_signed ? (pth_range){-n / 2, n / 2 - 1} : (pth_range){0, n - 1};
}

/* Returns the number of a key of this order. */
static int64_t number_of(td_u128 key, unsigned bits, bool is_signed)
{
    return (int64_t)(uint64_t)key - (is_signed ? INT64_C(1) << (bits - 1) : 0);
}

static void find_ranges(teller *t)
{
    for (size_t i = 0; i < t->p->inputs.len; i++)
        t->ranges.at[i] = widest(t, (uint32_t)i, t->p->inputs.at[i].bits);
    for (size_t i = 0; i < t->bounds.terms.len; i++) {
        const pth_term *term = &t->bounds.terms.at[i];
        exp_node n = exp_at(t->p->d, term->e);
        if (n.op != EXP_INPUT || n.width > 60)
            continue;
        exp_sign sign = sign_of(t, n.number);
        t->ranges.at[n.number] =
            (pth_range){number_of(term->low[sign], n.width, sign == EXP_SIGNED),
                        number_of(term->high[sign], n.width, sign == EXP_SIGNED)};
    }
}

/* ---- all together ---- */

static bool is_either(const exp_dag *d, exp_ref e)
{
    exp_node n = exp_at(d, e);
    return n.op == EXP_OR || n.op == EXP_ITE;
}

static void tell(teller *t, td_text *out)
{
    exp_names names = {name_of, sign_of, t, is_text};
    td_text one = {0};
    size_t start = out->len;
    for (size_t i = 0; i < t->constraints.len; i++) {
        td_text_clear(&one);
        if (!pth_linear_print(t->p->d, t->constraints.at[i], &names, t->ranges.at, &one))
            exp_print(t->p->d, t->constraints.at[i], &names, &one);
        const char *and = i > 0 ? " && " : "";
        bool brackets =
            t->constraints.len > 1 && is_either(t->p->d, t->constraints.at[i]);
        if (out->len - start + one.len > LONGEST) {
            td_text_add(out, "%s...", and);
            break;
        }
        td_text_add(out, brackets ? "%s(%s)" : "%s%s", and, one.at);
    }
    td_text_fini(&one);
}

static void teller_fini(teller *t)
{
    pth_bounds_fini(&t->bounds);
    part_vec_fini(&t->parts);
    pth_table_fini(&t->seen);
    exp_ref_vec_fini(&t->constraints);
    pth_byte_vec_fini(&t->fixed);
    pth_byte_vec_fini(&t->votes);
    pth_range_vec_fini(&t->ranges);
    exp_u32_vec_fini(&t->names);
    td_text_fini(&t->texts);
}

static void zero_out(pth_byte_vec *v, size_t n)
{
    pth_byte_vec_reserve(v, n);
    memset(v->at, 0, n);
}

/* A run with more inputs is not explained decision by decision: each costs as much as all inputs. */
#define MAX_TOLD_INPUTS 4096u

/* Decisions [from, to) of the run. */
static void explain(pth *p, const trc *t, uint32_t from, uint32_t to, td_text *out)
{
    size_t n = p->inputs.len;
    if (n == 0 || t->inputs.len == 0)
        return;
    teller it = {.p = p};
    zero_out(&it.fixed, n);
    zero_out(&it.votes, n);
    exp_u32_vec_reserve(&it.names, n);
    memset(it.names.at, 0, n * sizeof *it.names.at);
    collect(&it, t, from, to);
    choose_constraints(&it);
    find_signs(&it);
    know_signs(&it, t);
    pth_range_vec_reserve(&it.ranges, n);
    find_ranges(&it);
    find_names(&it, t);
    tell(&it, out);
    teller_fini(&it);
}

void pth_explain(pth *p, const trc *t, uint32_t n_ops, td_text *out)
{
    explain(p, t, 0, n_ops, out);
}

void pth_explain_one(pth *p, const trc *t, uint32_t op, td_text *out)
{
    if (t->inputs.len > MAX_TOLD_INPUTS)
        return;
    explain(p, t, op, op + 1, out);
}
