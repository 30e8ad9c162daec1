/* SPDX-License-Identifier: Apache-2.0 */
/* A graph: what it owns, and the rules by which its constructors simplify. Rules build, and
 * constructors ask rules: the table here is what lets both be files of their own. */
#include "expr/expr_int.h"

static const exp_rules rules = {
    .add = exp_rule_add,
    .sub = exp_rule_sub,
    .mul = exp_rule_mul,
    .divide = exp_rule_divide,
    .neg = exp_rule_neg,
    .bitwise = exp_rule_bitwise,
    .shift = exp_rule_shift,
    .complement = exp_rule_not,
    .concat = exp_rule_concat,
    .extract = exp_rule_extract,
    .sext = exp_rule_sext,
    .eq = exp_rule_eq,
    .less = exp_rule_less,
    .ite = exp_rule_ite,
};

exp_dag *exp_new(void)
{
    exp_dag *d = td_alloc(sizeof *d);
    exp_node_vec_push(&d->nodes, (exp_node){0});
    exp_id_vec_push(&d->ids, (td_id){0});
    exp_u32_vec_push(&d->sets, 0);
    exp_sets_init(d);
    d->rules = &rules;
    return d;
}

void exp_free(exp_dag *d)
{
    if (!d)
        return;
    exp_node_vec_fini(&d->nodes);
    exp_id_vec_fini(&d->ids);
    exp_u32_vec_fini(&d->sets);
    exp_value_vec_fini(&d->values);
    exp_u8_vec_fini(&d->input_widths);
    td_free(d->table.slots);
    exp_set_node_vec_fini(&d->set_nodes);
    td_free(d->set_table.slots);
    td_free(d->union_memo);
    td_free(d);
}
