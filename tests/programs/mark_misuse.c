/* SPDX-License-Identifier: Apache-2.0 */
/* Marks that do not fit together.
 *
 * treadle:
 * args: 1
 * expect: finding mark mark_misuse.c:55
 * expect: verdict bug
 * treadle:
 * args: 2
 * expect: finding mark mark_misuse.c:59
 * expect: verdict bug
 * treadle:
 * args: 3
 * expect: finding mark mark_misuse.c:62
 * expect: verdict bug
 * treadle:
 * args: 4
 * expect: finding mark mark_misuse.c:66
 * expect: verdict bug
 * treadle:
 * args: 5
 * expect: finding mark mark_misuse.c:69
 * expect: verdict bug
 * treadle:
 * args: 6
 * expect: finding assert mark_misuse.c:44
 * expect: verdict bug
 * treadle:
 * args: 7
 * expect: finding crash mark_misuse.c:45
 * expect: verdict bug
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

static int object, other, which;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    (void)state, (void)call, (void)result;
    assert(which != 6);
    return which != 7 ? 1 : *(volatile int *)NULL;
}

int main(int argc, char **argv)
{
    static const struct treadle_spec spec = {4, NULL, step}, huge = {65537, NULL, step};
    which = argc > 1 ? atoi(argv[1]) : 0;
    treadle_specify(&object, &spec);
    switch (which) {
    case 1: /* nobody has said what it is */
        treadle_op_begin(&other, "op");
        break;
    case 2:
        treadle_op_begin(&object, "op");
        treadle_op_begin(&object, "op");
        break;
    case 3:
        treadle_op_end(&object, 1);
        break;
    case 4:
        treadle_op_begin(&object, "op");
        treadle_specify(&object, &spec);
        break;
    case 5:
        treadle_specify(&other, &huge);
        break;
    default:
        treadle_op_begin(&object, "op", 1, 2, 3, 4);
        treadle_op_end(&object);
        treadle_specify(&object, &spec);
        break;
    }
    return 0;
}
