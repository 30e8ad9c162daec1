/* SPDX-License-Identifier: Apache-2.0 */
/* The gate to the program's functions. Whatever the program has given the runtime to be called later (start
 * functions, handlers, destructors, comparisons) is called here and nowhere else: a call of an
 * uninstrumented function is a ledger entry, and ends a loop iteration without effect. tests/gates fails if
 * the runtime has another call through a pointer. */
#include "runtime/posix/posix.h"

#include "runtime/symbolic/values.h"

typedef uint64_t user_function(uint64_t a, uint64_t b, uint64_t c);

/* All of them take at most three words, in registers; more than a function has are not seen by it. */
uint64_t rt_user_call(const rt_user *call, uint64_t a, uint64_t b, uint64_t c)
{
    if (rt_on()) {
        rt_foreign_called(call->function, call->site);
        rt_sym_pass((const void *)call->function, call->label);
    }
    return ((user_function *)call->function)(a, b, c);
}

uint32_t rt_user_result(const rt_user *call)
{
    return rt_sym_result((const void *)call->function);
}
