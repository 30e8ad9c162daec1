/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as an SMT-LIB 2 script: one definition for each node, so that depth and
 * sharing do not matter. */
#include "expr/expr_int.h"

static const char *const smt_names[EXP_N_OPS] = {
#define EXP_OP_SMT(name, n_args, smt) smt,
    EXP_OPS(EXP_OP_SMT)
#undef EXP_OP_SMT
};

static void put_const(td_u128 value, unsigned width, td_text *out)
{
    td_text_put(out, "#b", 2);
    for (unsigned i = width; i-- > 0;)
        td_text_put(out, value >> i & 1 ? "1" : "0", 1);
}

static void put_body(const exp_tape *t, size_t i, td_text *out)
{
    exp_step s = t->steps.at[i];
    const char *name = smt_names[s.op];
    unsigned a = s.arg[0], b = s.arg[1];
    switch ((exp_op)s.op) {
    case EXP_CONST:
        put_const(t->values.at[i], s.width, out);
        break;
    case EXP_INPUT:
        td_text_add(out, "in%u", a);
        break;
    case EXP_EQ:
    case EXP_ULT:
    case EXP_SLT:
        td_text_add(out, "(ite (%s e%u e%u) #b1 #b0)", name, a, b);
        break;
    case EXP_SEXT:
        td_text_add(out, "((_ %s %u) e%u)", name, (unsigned)s.width - s.aux, a);
        break;
    case EXP_EXTRACT:
        td_text_add(out, "((_ %s %u %u) e%u)", name, s.aux + s.width - 1u,
                    (unsigned)s.aux, a);
        break;
    case EXP_ITE:
        td_text_add(out, "(ite (= e%u #b1) e%u e%u)", a, b, s.arg[2]);
        break;
    case EXP_NOT:
    case EXP_NEG:
        td_text_add(out, "(%s e%u)", name, a);
        break;
    default:
        td_text_add(out, "(%s e%u e%u)", name, a, b);
        break;
    }
}

void exp_smtlib(const exp_dag *d, const exp_ref *constraints, size_t n, td_text *out)
{
    exp_tape t = {0};
    for (size_t i = 0; i < n; i++) {
        TD_ASSERT(exp_width(d, constraints[i]) == 1);
        exp_tape_add(&t, d, constraints[i]);
    }
    td_text_add(out, "(set-logic QF_BV)\n");
    for (size_t i = 0; i < t.steps.len; i++) {
        exp_step s = t.steps.at[i];
        if (s.op == EXP_INPUT)
            td_text_add(out, "(declare-fun in%u () (_ BitVec %u))\n", s.arg[0],
                        (unsigned)s.width);
        td_text_add(out, "(define-fun e%zu () (_ BitVec %u) ", i, (unsigned)s.width);
        put_body(&t, i, out);
        td_text_add(out, ")\n");
    }
    for (size_t i = 0; i < n; i++)
        td_text_add(out, "(assert (= e%u #b1))\n", t.roots.at[i]);
    td_text_add(out, "(check-sat)\n");
    exp_tape_fini(&t);
}
