/* SPDX-License-Identifier: Apache-2.0 */
/* A specification that uses inputs itself is followed for their values in a run only: lines of the
 * ledger. One that sees inputs as arguments and results is not in that case (linear_inputs.c).
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict incomplete
 * expect: ledger made concrete linear_spec_input.c:21 a specification branches on an input
 * expect: ledger made concrete linear_spec_input.c:34 a specification uses an input */
#include <treadle.h>

static int object;
static int limit;
static unsigned char mask;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    (void)call;
    *(unsigned char *)state = mask;
    if (limit > 1)
        *result = 1;
    return 1;
}

int main(void)
{
    static const struct treadle_spec spec = {1, NULL, step};
    limit = (int)treadle_bits(2, "limit");
    mask = treadle_u8("mask");
    treadle_specify(&object, &spec);
    treadle_op_begin(&object, "op");
    int kept = limit > 1;
    treadle_op_end(&object, kept);
    return 0;
}
