/* SPDX-License-Identifier: Apache-2.0 */
/* What is written is an input: only for a value of 3 the cell keeps another one. The history has
 * every value of it.
 *
 * treadle: -k
 * expect: finding linear linear_inputs.c:37
 * expect: runs 24
 * expect: events 99
 * expect: verdict bug
 * treadle: -k
 * cflags: -DFIXED
 * expect: runs 24
 * expect: events 93
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

static atomic_int cell;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    uint64_t *value = state;
    if (strcmp(call->op, "write") == 0)
        *value = call->arg[0];
    else
        *result = *value;
    return 1;
}

static void *reader(void *arg)
{
    treadle_op_begin(&cell, "read");
    int value = atomic_load(&cell);
    treadle_op_end(&cell, value);
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {sizeof(uint64_t), NULL, step};
    pthread_t r;
    int n = (int)treadle_bits(2, "n");
    treadle_specify(&cell, &spec);
    pthread_create(&r, NULL, reader, NULL);
    treadle_op_begin(&cell, "write", n);
#ifdef FIXED
    atomic_store(&cell, n);
#else
    atomic_store(&cell, n == 3 ? 4 : n);
#endif
    treadle_op_end(&cell);
    pthread_join(r, NULL);
    return 0;
}
