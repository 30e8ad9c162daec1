/* SPDX-License-Identifier: Apache-2.0 */
/* A register of two halves that are written one after the other. A read in between sees what
 * nobody has written; two reads may see a new value and then an old one. With one variable it is
 * correct: a write that has not ended may have happened for one reader, so for the next as well.
 *
 * treadle: -k
 * expect: finding linear linear_register.c:55
 * expect: runs 202
 * expect: events 714
 * expect: verdict bug
 * treadle: -k
 * cflags: -DFIXED
 * expect: runs 78
 * expect: events 272
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

static atomic_int halves[2];

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    uint64_t *value = state;
    if (strcmp(call->op, "write") == 0)
        *value = call->arg[0];
    else
        *result = *value;
    return 1;
}

static void *writer(void *arg)
{
    treadle_op_begin(&halves, "write", 11);
#ifdef FIXED
    atomic_store(&halves[0], 11);
#else
    atomic_store(&halves[0], 1);
    atomic_store(&halves[1], 1);
#endif
    treadle_op_end(&halves);
    return arg;
}

static void *reader(void *arg)
{
    treadle_op_begin(&halves, "read");
#ifdef FIXED
    int value = atomic_load(&halves[0]);
#else
    int value = atomic_load(&halves[0]) + 10 * atomic_load(&halves[1]);
#endif
    treadle_op_end(&halves, value);
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {sizeof(uint64_t), NULL, step};
    pthread_t w, r, s;
    treadle_specify(&halves, &spec);
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&s, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}
