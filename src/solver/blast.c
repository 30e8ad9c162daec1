/* SPDX-License-Identifier: Apache-2.0 */
/* The engine CaDiCaL: expressions as circuits of gates. Circuits are kept between queries
 * and constraints are assumed, so that a query costs what is new in it, and the assumptions
 * that failed are a core. */
#include "solver/solver_int.h"

#ifdef SLV_WITH_CADICAL

#include <ccadical.h>

/* A literal is a variable or minus a variable. Variable 1 is true. */
enum { TRUE_LIT = 1, FALSE_LIT = -1 };

enum {
    MOST_COST = 600000, /* gates of a query; more is left to the next engine */
    SPARE_VARS = 2000,  /* beyond these and SPARE times the query: restart */
    SPARE = 1,
    FEWEST_GATES = 1024, /* a power of two */
};

typedef enum gate_kind { GATE_AND = 1, GATE_XOR, GATE_MUX, GATE_MAJ } gate_kind;

typedef struct gate {
    int kind; /* 0: free */
    int in[3];
    int out;
} gate;

TD_VEC(int, lit_vec);

typedef struct word {
    int at[EXP_MAX_WIDTH]; /* lowest bit first */
} word;

typedef struct engine {
    const exp_dag *d;
    CCaDiCaL *sat; /* NULL: not made yet */
    int n_vars;
    lit_vec lits;
    exp_u32_vec first; /* by ref: its lowest literal in lits, plus 1 */
    gate *gates;
    size_t n_gates, n_slots;
    exp_tape tape; /* only its order is used */
    uint64_t deadline_ns;
    td_stop *stop;
} engine;

/* --- Gates --- */

static int new_var(engine *g)
{
    return ++g->n_vars;
}

static void clause(engine *g, int a, int b, int c)
{
    ccadical_add(g->sat, a);
    if (b)
        ccadical_add(g->sat, b);
    if (c)
        ccadical_add(g->sat, c);
    ccadical_add(g->sat, 0);
}

static size_t slot_of(const engine *g, const gate *key)
{
    uint64_t h = (uint64_t)key->kind;
    for (int i = 0; i < 3; i++)
        h = (h ^ (uint32_t)key->in[i]) * UINT64_C(0x9fb21c651e98df25);
    size_t at = (h ^ h >> 29) & (g->n_slots - 1);
    while (g->gates[at].kind && memcmp(&g->gates[at], key, offsetof(gate, out)) != 0)
        at = (at + 1) & (g->n_slots - 1);
    return at;
}

static void grow_gates(engine *g)
{
    gate *old = g->gates;
    size_t n_old = g->n_slots;
    g->n_slots = n_old ? 2 * n_old : FEWEST_GATES;
    g->gates = td_alloc(g->n_slots * sizeof *g->gates);
    for (size_t i = 0; i < n_old; i++)
        if (old[i].kind)
            g->gates[slot_of(g, &old[i])] = old[i];
    td_free(old);
}

/* Returns the gate with these inputs; *is_new: its clauses are missing. */
static int gate_of(engine *g, gate key, bool *is_new)
{
    if (2 * g->n_gates >= g->n_slots)
        grow_gates(g);
    size_t at = slot_of(g, &key);
    *is_new = !g->gates[at].kind;
    if (*is_new) {
        key.out = new_var(g);
        g->gates[at] = key;
        g->n_gates++;
    }
    return g->gates[at].out;
}

static int and_gate(engine *g, int a, int b)
{
    if (a == FALSE_LIT || b == FALSE_LIT || a == -b)
        return FALSE_LIT;
    if (a == TRUE_LIT || a == b)
        return b;
    if (b == TRUE_LIT)
        return a;
    bool is_new;
    gate key = {GATE_AND, {a < b ? a : b, a < b ? b : a, 0}, 0};
    int o = gate_of(g, key, &is_new);
    if (is_new) {
        clause(g, -o, a, 0);
        clause(g, -o, b, 0);
        clause(g, o, -a, -b);
    }
    return o;
}

static int or_gate(engine *g, int a, int b)
{
    return -and_gate(g, -a, -b);
}

static int xor_gate(engine *g, int a, int b)
{
    int sign = (a < 0) != (b < 0) ? -1 : 1;
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    if (a == b)
        return sign * FALSE_LIT;
    if (a == TRUE_LIT || b == TRUE_LIT)
        return sign * -(a == TRUE_LIT ? b : a);
    bool is_new;
    gate key = {GATE_XOR, {a < b ? a : b, a < b ? b : a, 0}, 0};
    int o = gate_of(g, key, &is_new);
    if (is_new) {
        clause(g, -o, a, b);
        clause(g, -o, -a, -b);
        clause(g, o, -a, b);
        clause(g, o, a, -b);
    }
    return sign * o;
}

/* c ? a : b */
static int mux_gate(engine *g, int c, int a, int b)
{
    if (c == TRUE_LIT || a == b)
        return a;
    if (c == FALSE_LIT)
        return b;
    if (a == -b)
        return -xor_gate(g, c, a);
    if (a == TRUE_LIT || a == c)
        return or_gate(g, c, b);
    if (a == FALSE_LIT || a == -c)
        return and_gate(g, -c, b);
    if (b == TRUE_LIT || b == -c)
        return or_gate(g, -c, a);
    if (b == FALSE_LIT || b == c)
        return and_gate(g, c, a);
    bool is_new;
    gate key = {GATE_MUX, {c, a, b}, 0};
    int o = gate_of(g, key, &is_new);
    if (is_new) {
        clause(g, -c, -a, o);
        clause(g, -c, a, -o);
        clause(g, c, -b, o);
        clause(g, c, b, -o);
        clause(g, -a, -b, o);
        clause(g, a, b, -o);
    }
    return o;
}

/* At least two of three. */
static int maj_gate(engine *g, int a, int b, int c)
{
    int in[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        int x = in[i], y = in[(i + 1) % 3], z = in[(i + 2) % 3];
        if (x == TRUE_LIT)
            return or_gate(g, y, z);
        if (x == FALSE_LIT)
            return and_gate(g, y, z);
        if (y == z || y == -z)
            return y == z ? y : x;
    }
    for (int i = 0; i < 3; i++) { /* in order: two rounds of neighbours suffice */
        int k = i % 2;
        if (in[k] > in[k + 1]) {
            int t = in[k];
            in[k] = in[k + 1];
            in[k + 1] = t;
        }
    }
    bool is_new;
    gate key = {GATE_MAJ, {in[0], in[1], in[2]}, 0};
    int o = gate_of(g, key, &is_new);
    for (int i = 0; i < 3 && is_new; i++) {
        clause(g, -o, in[i], in[(i + 1) % 3]);
        clause(g, o, -in[i], -in[(i + 1) % 3]);
    }
    return o;
}

/* --- Words of width bits --- */

static word word_of(const engine *g, exp_ref e)
{
    word w = {{0}};
    unsigned width = exp_width(g->d, e);
    uint32_t first = g->first.at[e.ix];
    TD_DASSERT(first > 0);
    memcpy(w.at, g->lits.at + first - 1, width * sizeof *w.at);
    return w;
}

static word all_of(int lit, unsigned width)
{
    word w = {{0}};
    for (unsigned i = 0; i < width; i++)
        w.at[i] = lit;
    return w;
}

static word const_word(td_u128 value, unsigned width)
{
    word w = {{0}};
    for (unsigned i = 0; i < width; i++)
        w.at[i] = value >> i & 1 ? TRUE_LIT : FALSE_LIT;
    return w;
}

static word inverted(word a, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        a.at[i] = -a.at[i];
    return a;
}

/* a + b + *carry; *carry is then what goes out. */
static word sum(engine *g, word a, word b, unsigned width, int *carry)
{
    word r = {{0}};
    for (unsigned i = 0; i < width; i++) {
        r.at[i] = xor_gate(g, xor_gate(g, a.at[i], b.at[i]), *carry);
        *carry = maj_gate(g, a.at[i], b.at[i], *carry);
    }
    return r;
}

static word difference(engine *g, word a, word b, unsigned width, int *no_borrow)
{
    *no_borrow = TRUE_LIT;
    return sum(g, a, inverted(b, width), width, no_borrow);
}

static word negative(engine *g, word a, unsigned width)
{
    int carry = TRUE_LIT;
    return sum(g, inverted(a, width), all_of(FALSE_LIT, width), width, &carry);
}

static word chosen(engine *g, int c, word a, word b, unsigned width)
{
    word r = {{0}};
    for (unsigned i = 0; i < width; i++)
        r.at[i] = mux_gate(g, c, a.at[i], b.at[i]);
    return r;
}

static word product(engine *g, word a, word b, unsigned width)
{
    word r = all_of(FALSE_LIT, width);
    for (unsigned i = 0; i < width; i++) {
        if (b.at[i] == FALSE_LIT)
            continue;
        int carry = FALSE_LIT;
        for (unsigned k = i; k < width; k++) {
            int x = and_gate(g, a.at[k - i], b.at[i]), y = r.at[k];
            r.at[k] = xor_gate(g, xor_gate(g, x, y), carry);
            carry = maj_gate(g, x, y, carry);
        }
    }
    return r;
}

/* Long division. By zero it gives all ones and a, as it should. */
static word quotient(engine *g, word a, word b, unsigned width, word *rest)
{
    word q = {{0}}, r = all_of(FALSE_LIT, width);
    for (unsigned i = width; i-- > 0;) {
        int top = r.at[width - 1], fits;
        memmove(r.at + 1, r.at, (width - 1) * sizeof *r.at);
        r.at[0] = a.at[i];
        word less = difference(g, r, b, width, &fits);
        q.at[i] = or_gate(g, top, fits);
        r = chosen(g, q.at[i], less, r, width);
    }
    *rest = r;
    return q;
}

static word magnitude(engine *g, word a, unsigned width)
{
    return chosen(g, a.at[width - 1], negative(g, a, width), a, width);
}

static word divided(engine *g, exp_op op, word a, word b, unsigned width)
{
    word r;
    int minus_a = a.at[width - 1], minus_b = b.at[width - 1];
    if (op == EXP_UDIV || op == EXP_UREM) {
        word q = quotient(g, a, b, width, &r);
        return op == EXP_UDIV ? q : r;
    }
    word q = quotient(g, magnitude(g, a, width), magnitude(g, b, width), width, &r);
    word v = op == EXP_SDIV ? q : r;
    int turns = op == EXP_SDIV ? xor_gate(g, minus_a, minus_b) : minus_a;
    return chosen(g, turns, negative(g, v, width), v, width);
}

/* By each power of two in turn; more than the width fills all. */
static word shifted(engine *g, exp_op op, word a, word by, unsigned width)
{
    int fill = op == EXP_ASHR ? a.at[width - 1] : FALSE_LIT, beyond = FALSE_LIT;
    for (unsigned k = 0; k < width; k++) {
        unsigned n = k < 8 ? 1u << k : width;
        if (n >= width) {
            beyond = or_gate(g, beyond, by.at[k]);
            continue;
        }
        word moved = {{0}};
        for (unsigned i = 0; i < width; i++) {
            if (op == EXP_SHL)
                moved.at[i] = i >= n ? a.at[i - n] : fill;
            else
                moved.at[i] = i + n < width ? a.at[i + n] : fill;
        }
        a = chosen(g, by.at[k], moved, a, width);
    }
    return chosen(g, beyond, all_of(fill, width), a, width);
}

static int equal(engine *g, word a, word b, unsigned width)
{
    int r = TRUE_LIT;
    for (unsigned i = 0; i < width; i++)
        r = and_gate(g, r, -xor_gate(g, a.at[i], b.at[i]));
    return r;
}

static int less(engine *g, exp_op op, word a, word b, unsigned width)
{
    int r = FALSE_LIT;
    for (unsigned i = 0; i < width; i++) {
        bool is_sign = op == EXP_SLT && i == width - 1;
        r = is_sign ? maj_gate(g, a.at[i], -b.at[i], r)
                    : maj_gate(g, -a.at[i], b.at[i], r);
    }
    return r;
}

static word bitwise(engine *g, exp_op op, word a, word b, unsigned width)
{
    word r = {{0}};
    for (unsigned i = 0; i < width; i++)
        r.at[i] = op == EXP_AND  ? and_gate(g, a.at[i], b.at[i])
                  : op == EXP_OR ? or_gate(g, a.at[i], b.at[i])
                                 : xor_gate(g, a.at[i], b.at[i]);
    return r;
}

/* --- Nodes --- */

static word new_word(engine *g, unsigned width)
{
    word w = {{0}};
    for (unsigned i = 0; i < width; i++)
        w.at[i] = new_var(g);
    return w;
}

/* The low part, then the high part. */
static word joined(word high, word low, unsigned low_width, unsigned width)
{
    memcpy(low.at + low_width, high.at, (width - low_width) * sizeof *low.at);
    return low;
}

static word circuit(engine *g, exp_ref e)
{
    exp_node n = exp_at(g->d, e);
    unsigned w = n.width;
    exp_op op = (exp_op)n.op;
    word a = {{0}}, b = {{0}};
    td_u128 value = 0;
    int carry = FALSE_LIT;
    if (n.n_args > 0)
        a = word_of(g, n.arg[0]);
    if (n.n_args > 1)
        b = word_of(g, n.arg[1]);
    switch (op) {
    case EXP_CONST:
        exp_is_const(g->d, e, &value);
        return const_word(value, w);
    case EXP_INPUT:
        return new_word(g, w);
    case EXP_ADD:
        return sum(g, a, b, w, &carry);
    case EXP_SUB:
        return difference(g, a, b, w, &carry);
    case EXP_MUL:
        return product(g, a, b, w);
    case EXP_UDIV:
    case EXP_SDIV:
    case EXP_UREM:
    case EXP_SREM:
        return divided(g, op, a, b, w);
    case EXP_AND:
    case EXP_OR:
    case EXP_XOR:
        return bitwise(g, op, a, b, w);
    case EXP_SHL:
    case EXP_LSHR:
    case EXP_ASHR:
        return shifted(g, op, a, b, w);
    case EXP_EQ:
        return all_of(equal(g, a, b, n.aux), 1);
    case EXP_ULT:
    case EXP_SLT:
        return all_of(less(g, op, a, b, n.aux), 1);
    case EXP_CONCAT:
        return joined(a, b, n.aux, w);
    case EXP_SEXT:
        return joined(all_of(a.at[n.aux - 1], w - n.aux), a, n.aux, w);
    case EXP_EXTRACT:
        memmove(a.at, a.at + n.aux, w * sizeof *a.at);
        return a;
    case EXP_ITE:
        return chosen(g, a.at[0], b, word_of(g, n.arg[2]), w);
    case EXP_NOT:
        return inverted(a, w);
    case EXP_NEG:
        return negative(g, a, w);
    default:
        TD_ASSERT(!"a node");
        return a;
    }
}

static void put_circuits(engine *g)
{
    while (g->first.len < exp_count(g->d))
        exp_u32_vec_push(&g->first, 0);
    for (size_t i = 0; i < g->tape.refs.len; i++) {
        exp_ref e = g->tape.refs.at[i];
        if (g->first.at[e.ix])
            continue;
        word w = circuit(g, e);
        g->first.at[e.ix] = (uint32_t)g->lits.len + 1;
        lit_vec_append(&g->lits, w.at, exp_width(g->d, e));
    }
}

/* --- The engine --- */

static void start_anew(engine *g)
{
    if (g->sat)
        ccadical_release(g->sat);
    g->sat = ccadical_init();
    g->n_vars = TRUE_LIT;
    clause(g, TRUE_LIT, 0, 0);
    lit_vec_clear(&g->lits);
    exp_u32_vec_clear(&g->first);
    td_free(g->gates);
    g->gates = NULL;
    g->n_gates = g->n_slots = 0;
}

static void *cadical_open(const exp_dag *d)
{
    engine *g = td_alloc(sizeof *g);
    g->d = d;
    return g;
}

static void cadical_close(void *self)
{
    engine *g = self;
    if (g->sat)
        ccadical_release(g->sat);
    lit_vec_fini(&g->lits);
    exp_u32_vec_fini(&g->first);
    td_free(g->gates);
    exp_tape_fini(&g->tape);
    td_free(g);
}

/* CaDiCaL calls this once in ten conflicts, each of which may take milliseconds. */
static int is_late(void *self)
{
    engine *g = self;
    return slv_now_ns() > g->deadline_ns || td_stops_now(g->stop);
}

static int literal_of(const engine *g, exp_ref constraint)
{
    return g->lits.at[g->first.at[constraint.ix] - 1];
}

static void read_model(engine *g, const slv_task *task)
{
    for (size_t i = 0; i < g->tape.steps.len; i++) {
        exp_step s = g->tape.steps.at[i];
        if (s.op != EXP_INPUT)
            continue;
        td_u128 value = 0;
        word w = word_of(g, g->tape.refs.at[i]);
        for (unsigned k = 0; k < s.width; k++)
            if (ccadical_val(g->sat, w.at[k]) > 0)
                value |= (td_u128)1 << k;
        for (size_t k = 0; k < task->n_inputs; k++)
            if (task->inputs[k] == s.arg[0])
                task->values[k] = value;
    }
}

static void read_core(engine *g, const slv_task *task)
{
    for (size_t i = 0; i < task->n; i++)
        if (ccadical_failed(g->sat, literal_of(g, task->constraints[i])))
            exp_ref_vec_push(task->core, task->constraints[i]);
}

static slv_answer cadical_solve(void *self, slv_task *task)
{
    engine *g = self;
    exp_tape_clear(&g->tape);
    for (size_t i = 0; i < task->n; i++)
        exp_tape_add(&g->tape, g->d, task->constraints[i]);
    size_t cost = slv_cost(&g->tape);
    if (cost > MOST_COST)
        return SLV_UNKNOWN;
    if (!g->sat || (size_t)g->n_vars > SPARE_VARS + SPARE * cost)
        start_anew(g);
    put_circuits(g);
    g->deadline_ns = slv_now_ns() + (uint64_t)task->limit_ms * 1000000u;
    g->stop = task->stop;
    ccadical_set_terminate(g->sat, g, is_late);
    ccadical_limit(g->sat, "conflicts", (int)task->conflicts);
    for (size_t i = 0; i < task->n; i++)
        ccadical_assume(g->sat, literal_of(g, task->constraints[i]));
    int r = ccadical_solve(g->sat);
    if (r == 10)
        read_model(g, task);
    if (r == 20)
        read_core(g, task);
    return r == 10 ? SLV_SAT : r == 20 ? SLV_UNSAT : SLV_UNKNOWN;
}

#else

static void *cadical_open(const exp_dag *d)
{
    return td_alloc(1);
}

static void cadical_close(void *self)
{
    td_free(self);
}

static slv_answer cadical_solve(void *self, slv_task *task)
{
    return SLV_UNKNOWN;
}

#endif

const slv_engine slv_engine_cadical = {"cadical", cadical_open, cadical_solve,
                                       cadical_close};
