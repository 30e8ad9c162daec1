/* SPDX-License-Identifier: Apache-2.0 */
/* The engine Z3: its simple solver, because the QF_BV one of 4.8.12 gives wrong models
 * when it is used with push and pop. Terms are kept between queries; constraints are asserted
 * in a scope, each behind a switch, so that an unsatisfiable answer names a core.
 *
 * While it takes constraints in, Z3 does not look at the clock (its issue 4192, not to be
 * mended), and that time can grow with the cube of their depth: 1000 steps took 26 s with
 * a limit of 1 s. So it is not given what is too large; and it works in a thread of its own,
 * which is left alone if it does not end in time. Until it has ended the engine answers
 * UNKNOWN, so there is at most one such thread per engine. */
#include "solver/solver_int.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <z3.h>

enum {
    MOST_NODES = 600,   /* nodes of a task; larger ones are refused */
    MOST_COST = 300000, /* ... and gates */
    MOST_TERMS = 50000, /* then everything restarts */
    MOST_CALLS = 20000,
    LOOK_MS = 20,   /* how often the waiting thread checks the clock */
    GRACE_MS = 200, /* beyond the limit: then it is interrupted, and then given up */
    STACK_BYTES = 64 << 20,
};

TD_VEC(Z3_ast, ast_vec);

/* A check in a separate thread; freed by the thread that detects its end. */
typedef struct call {
    Z3_context c;
    Z3_solver solver;
    unsigned n;
    const Z3_ast *switches;
    Z3_lbool result;
    bool is_done; /* with lock held */
    pthread_mutex_t lock;
    pthread_cond_t ends;
} call;

typedef struct engine {
    const exp_dag *d;
    call *lost;   /* it did not end in time and may use the context still; or NULL */
    Z3_context c; /* NULL: not made yet, or given up after an error */
    Z3_solver solver;
    ast_vec terms; /* by ref; NULL: not made */
    ast_vec switches;
    exp_tape tape; /* only its order is used */
    size_t n_terms, n_calls;
} engine;

/* Z3's own handler ends the process. Errors show in results: they are NULL. */
static void ignore_error(Z3_context c, Z3_error_code code)
{
    (void)c;
    (void)code;
}

static void close_context(engine *g)
{
    if (!g->c)
        return;
    for (size_t i = 0; i < g->terms.len; i++)
        if (g->terms.at[i])
            Z3_dec_ref(g->c, g->terms.at[i]);
    for (size_t i = 0; i < g->switches.len; i++)
        Z3_dec_ref(g->c, g->switches.at[i]);
    ast_vec_clear(&g->terms);
    ast_vec_clear(&g->switches);
    if (g->solver)
        Z3_solver_dec_ref(g->c, g->solver);
    Z3_del_context(g->c);
    g->c = NULL;
    g->solver = NULL;
    g->n_terms = g->n_calls = 0;
}

static bool open_context(engine *g)
{
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    g->c = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (!g->c)
        return false;
    Z3_set_error_handler(g->c, ignore_error);
    g->solver = Z3_mk_simple_solver(g->c);
    if (g->solver)
        Z3_solver_inc_ref(g->c, g->solver);
    else
        close_context(g);
    return g->solver != NULL;
}

static void *z3_open(const exp_dag *d)
{
    engine *g = td_alloc(sizeof *g);
    g->d = d;
    return g;
}

/* ---- checks ---- */

static void *check_main(void *arg)
{
    call *k = arg;
    Z3_lbool r = Z3_solver_check_assumptions(k->c, k->solver, k->n, k->switches);
    pthread_mutex_lock(&k->lock);
    k->result = r;
    k->is_done = true;
    pthread_cond_signal(&k->ends);
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

static call *call_new(const engine *g, const slv_task *task)
{
    call *k = td_alloc(sizeof *k);
    *k = (call){.c = g->c,
                .solver = g->solver,
                .n = (unsigned)task->n,
                .switches = g->switches.at,
                .result = Z3_L_UNDEF};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->ends, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return k;
}

static void call_free(call *k)
{
    pthread_mutex_destroy(&k->lock);
    pthread_cond_destroy(&k->ends);
    td_free(k);
}

/* False: no thread can be had. */
static bool call_start(call *k)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attr, check_main, k) == 0;
    pthread_attr_destroy(&attr);
    return started;
}

/* Waits until it is done, at most so long. */
static bool call_ends(call *k, uint32_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int error = 0;
    pthread_mutex_lock(&k->lock);
    while (!k->is_done && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&k->ends, &k->lock, &until);
    bool is_done = k->is_done;
    pthread_mutex_unlock(&k->lock);
    return is_done;
}

/* False: it was given up, though it may still be at work. */
static bool call_wait(call *k, const slv_task *task)
{
    uint64_t end = slv_now_ns() + ((uint64_t)task->limit_ms + GRACE_MS) * 1000000u;
    while (slv_now_ns() < end && !td_stops_now(task->stop))
        if (call_ends(k, LOOK_MS))
            return true;
    Z3_interrupt(k->c);
    return call_ends(k, GRACE_MS);
}

static Z3_lbool check_in_time(engine *g, const slv_task *task)
{
    call *k = call_new(g, task);
    if (!call_start(k)) {
        check_main(k);
    } else if (!call_wait(k, task)) {
        g->lost = k;
        return Z3_L_UNDEF;
    }
    Z3_lbool result = k->result;
    call_free(k);
    return result;
}

/* True if no abandoned call of Z3 is running any longer. Its result is not needed. */
static bool call_is_over(engine *g)
{
    if (!g->lost)
        return true;
    if (!call_ends(g->lost, 0))
        return false;
    call_free(g->lost);
    g->lost = NULL;
    close_context(g);
    return true;
}

/* The destructors of the library must not meet a thread that is at work in it. */
static void leave(int status, void *arg)
{
    (void)arg;
    fflush(NULL);
    _exit(status);
}

static void z3_close(void *self)
{
    engine *g = self;
    if (!call_is_over(g)) { /* it keeps what it uses */
        Z3_interrupt(g->lost->c);
        on_exit(leave, NULL);
        return;
    }
    close_context(g);
    ast_vec_fini(&g->terms);
    ast_vec_fini(&g->switches);
    exp_tape_fini(&g->tape);
    td_free(g);
}

static Z3_ast make_const(engine *g, unsigned width, td_u128 value)
{
    bool bits[EXP_MAX_WIDTH];
    for (unsigned i = 0; i < width; i++)
        bits[i] = value >> i & 1;
    return Z3_mk_bv_numeral(g->c, width, bits);
}

static Z3_ast make_input(engine *g, uint32_t number, unsigned width)
{
    Z3_symbol name = Z3_mk_int_symbol(g->c, (int)number);
    Z3_sort sort = Z3_mk_bv_sort(g->c, width);
    return name && sort ? Z3_mk_const(g->c, name, sort) : NULL;
}

/* Z3 keeps only its last result alive: what is used later needs a reference. */
static Z3_ast counted(engine *g, Z3_ast e)
{
    if (e)
        Z3_inc_ref(g->c, e);
    return e;
}

/* NULL is fine. */
static void drop(engine *g, Z3_ast e)
{
    if (e)
        Z3_dec_ref(g->c, e);
}

/* A Boolean of Z3 as one bit, counted. */
static Z3_ast make_bit(engine *g, Z3_ast constraint)
{
    counted(g, constraint);
    Z3_ast yes = counted(g, make_const(g, 1, 1)), no = counted(g, make_const(g, 1, 0));
    Z3_ast e = NULL;
    if (constraint && yes && no)
        e = counted(g, Z3_mk_ite(g->c, constraint, yes, no));
    drop(g, no);
    drop(g, yes);
    drop(g, constraint);
    return e;
}

/* One bit as a Boolean of Z3, counted. */
static Z3_ast make_constraint(engine *g, Z3_ast bit)
{
    Z3_ast yes = counted(g, make_const(g, 1, 1));
    Z3_ast e = yes ? counted(g, Z3_mk_eq(g->c, bit, yes)) : NULL;
    drop(g, yes);
    return e;
}

static Z3_ast make_choice(engine *g, Z3_ast cond, Z3_ast then, Z3_ast otherwise)
{
    Z3_ast constraint = make_constraint(g, cond);
    Z3_ast e =
        constraint ? counted(g, Z3_mk_ite(g->c, constraint, then, otherwise)) : NULL;
    drop(g, constraint);
    return e;
}

typedef Z3_ast binary_maker(Z3_context, Z3_ast, Z3_ast);

static binary_maker *maker_of(exp_op op)
{
    static binary_maker *const makers[EXP_N_OPS] = {
        [EXP_ADD] = Z3_mk_bvadd,   [EXP_SUB] = Z3_mk_bvsub,     [EXP_MUL] = Z3_mk_bvmul,
        [EXP_UDIV] = Z3_mk_bvudiv, [EXP_SDIV] = Z3_mk_bvsdiv,   [EXP_UREM] = Z3_mk_bvurem,
        [EXP_SREM] = Z3_mk_bvsrem, [EXP_AND] = Z3_mk_bvand,     [EXP_OR] = Z3_mk_bvor,
        [EXP_XOR] = Z3_mk_bvxor,   [EXP_SHL] = Z3_mk_bvshl,     [EXP_LSHR] = Z3_mk_bvlshr,
        [EXP_ASHR] = Z3_mk_bvashr, [EXP_EQ] = Z3_mk_eq,         [EXP_ULT] = Z3_mk_bvult,
        [EXP_SLT] = Z3_mk_bvslt,   [EXP_CONCAT] = Z3_mk_concat,
    };
    return makers[op];
}

/* The term of a node whose operands have theirs, with a reference for us; NULL if Z3
 * refuses. */
static Z3_ast make_term(engine *g, exp_ref ref)
{
    exp_node n = exp_at(g->d, ref);
    Z3_ast a[3] = {0};
    td_u128 value;
    for (int i = 0; i < n.n_args; i++)
        a[i] = g->terms.at[n.arg[i].ix];
    switch ((exp_op)n.op) {
    case EXP_CONST:
        return exp_is_const(g->d, ref, &value) ? counted(g, make_const(g, n.width, value))
                                               : NULL;
    case EXP_INPUT:
        return counted(g, make_input(g, n.number, n.width));
    case EXP_EQ:
    case EXP_ULT:
    case EXP_SLT:
        return make_bit(g, maker_of((exp_op)n.op)(g->c, a[0], a[1]));
    case EXP_SEXT:
        return counted(g, Z3_mk_sign_ext(g->c, (unsigned)n.width - n.aux, a[0]));
    case EXP_EXTRACT:
        return counted(g, Z3_mk_extract(g->c, n.aux + n.width - 1u, n.aux, a[0]));
    case EXP_ITE:
        return make_choice(g, a[0], a[1], a[2]);
    case EXP_NOT:
        return counted(g, Z3_mk_bvnot(g->c, a[0]));
    case EXP_NEG:
        return counted(g, Z3_mk_bvneg(g->c, a[0]));
    default:
        return counted(g, maker_of((exp_op)n.op)(g->c, a[0], a[1]));
    }
}

/* Terms of all constraints; false if Z3 refuses one. */
static bool make_terms(engine *g, const slv_task *task)
{
    while (g->terms.len < exp_count(g->d))
        ast_vec_push(&g->terms, NULL);
    for (size_t i = 0; i < g->tape.refs.len; i++) {
        exp_ref e = g->tape.refs.at[i];
        if (g->terms.at[e.ix])
            continue;
        g->terms.at[e.ix] = make_term(g, e);
        if (!g->terms.at[e.ix])
            return false;
        g->n_terms++;
    }
    while (g->switches.len < task->n) {
        Z3_symbol name = Z3_mk_int_symbol(g->c, (int)(EXP_MAX_INPUTS + g->switches.len));
        Z3_sort sort = Z3_mk_bool_sort(g->c);
        Z3_ast e = name && sort ? counted(g, Z3_mk_const(g->c, name, sort)) : NULL;
        if (!e)
            return false;
        ast_vec_push(&g->switches, e);
    }
    return true;
}

/* switch i implies constraint i. */
static bool assert_constraints(engine *g, const slv_task *task)
{
    for (size_t i = 0; i < task->n; i++) {
        Z3_ast constraint = make_constraint(g, g->terms.at[task->constraints[i].ix]);
        if (!constraint)
            return false;
        Z3_ast e = counted(g, Z3_mk_implies(g->c, g->switches.at[i], constraint));
        drop(g, constraint);
        if (!e)
            return false;
        Z3_solver_assert(g->c, g->solver, e);
        bool is_fine = Z3_get_error_code(g->c) == Z3_OK;
        Z3_dec_ref(g->c, e);
        if (!is_fine)
            return false;
    }
    return true;
}

static void set_limit(engine *g, uint32_t limit_ms)
{
    Z3_params p = Z3_mk_params(g->c);
    if (!p)
        return;
    Z3_params_inc_ref(g->c, p);
    Z3_params_set_uint(g->c, p, Z3_mk_string_symbol(g->c, "timeout"), limit_ms);
    Z3_solver_set_params(g->c, g->solver, p);
    Z3_params_dec_ref(g->c, p);
}

/* Reads the value of a numeral; false if the term is not one. */
static bool read_value(engine *g, Z3_ast e, td_u128 *value)
{
    *value = 0;
    uint64_t small;
    if (Z3_get_ast_kind(g->c, e) != Z3_NUMERAL_AST)
        return false;
    if (Z3_get_numeral_uint64(g->c, e, &small)) {
        *value = small;
        return true;
    }
    const char *bits = Z3_get_numeral_binary_string(g->c, e);
    for (; bits && (*bits == '0' || *bits == '1'); bits++)
        *value = *value << 1 | (td_u128)(*bits - '0');
    return bits != NULL;
}

static bool read_model(engine *g, const slv_task *task)
{
    Z3_model m = Z3_solver_get_model(g->c, g->solver);
    if (!m)
        return false;
    Z3_model_inc_ref(g->c, m);
    bool is_fine = true;
    for (size_t i = 0; i < task->n_inputs && is_fine; i++) {
        unsigned width = exp_input_width(g->d, task->inputs[i]);
        Z3_ast input = counted(g, make_input(g, task->inputs[i], width)), value = NULL;
        is_fine = input && Z3_model_eval(g->c, m, input, true, &value) && value;
        if (is_fine) {
            Z3_inc_ref(g->c, value);
            is_fine = read_value(g, value, &task->values[i]);
            Z3_dec_ref(g->c, value);
        }
        if (input)
            Z3_dec_ref(g->c, input);
    }
    Z3_model_dec_ref(g->c, m);
    return is_fine;
}

static void read_core(engine *g, const slv_task *task)
{
    Z3_ast_vector core = Z3_solver_get_unsat_core(g->c, g->solver);
    if (!core)
        return;
    Z3_ast_vector_inc_ref(g->c, core);
    for (unsigned i = 0; i < Z3_ast_vector_size(g->c, core); i++) {
        Z3_ast e = Z3_ast_vector_get(g->c, core, i);
        for (size_t k = 0; k < task->n; k++)
            if (g->switches.at[k] == e)
                exp_ref_vec_push(task->core, task->constraints[k]);
    }
    Z3_ast_vector_dec_ref(g->c, core);
}

static slv_answer check(engine *g, slv_task *task)
{
    if (!assert_constraints(g, task))
        return SLV_UNKNOWN;
    set_limit(g, task->limit_ms);
    Z3_lbool r = check_in_time(g, task);
    if (r == Z3_L_TRUE)
        return read_model(g, task) ? SLV_SAT : SLV_UNKNOWN;
    if (r != Z3_L_FALSE)
        return SLV_UNKNOWN;
    read_core(g, task);
    return SLV_UNSAT;
}

static slv_answer z3_solve(void *self, slv_task *task)
{
    engine *g = self;
    if (!call_is_over(g))
        return SLV_UNKNOWN;
    exp_tape_clear(&g->tape);
    for (size_t i = 0; i < task->n; i++)
        exp_tape_add(&g->tape, g->d, task->constraints[i]);
    if (g->tape.steps.len > MOST_NODES || slv_cost(&g->tape) > MOST_COST)
        return SLV_UNKNOWN;
    if (g->n_terms > MOST_TERMS || g->n_calls > MOST_CALLS)
        close_context(g);
    if (!g->c && !open_context(g))
        return SLV_UNKNOWN;
    g->n_calls++;
    slv_answer answer = SLV_UNKNOWN;
    bool is_fine = make_terms(g, task);
    if (is_fine) {
        Z3_solver_push(g->c, g->solver);
        answer = check(g, task);
        if (g->lost)
            return answer;
        Z3_solver_pop(g->c, g->solver, 1);
        is_fine = Z3_get_error_code(g->c) == Z3_OK;
    }
    if (!is_fine) /* it may be in any state */
        close_context(g);
    return answer;
}

const slv_engine slv_engine_z3 = {"z3", z3_open, z3_solve, z3_close};
