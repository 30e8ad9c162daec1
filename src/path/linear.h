/* SPDX-License-Identifier: Apache-2.0 */
/* path/linear.h - comparisons of sums of inputs, for people. */
#pragma once

#include "expr/expr.h"

/* What an input can be, by what else is said of it. */
typedef struct pth_range {
    int64_t low, high;
} pth_range;

TD_VEC(pth_range, pth_range_vec);

/* Prints a constraint of at least two inputs as "x + y > 100" if it means that; false: it does not, and
 * nothing is printed. names has a name, ranges a range for every input. */
bool pth_linear_print(const exp_dag *d, exp_ref constraint, const exp_names *names,
                      const pth_range *ranges, td_text *out);
