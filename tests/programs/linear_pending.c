/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends in the middle of a write. For some readers it has happened, for others not; once
 * somebody has seen it, it stays. BUG: the second reader forgets what it saw.
 *
 * treadle: -k
 * expect: runs 6
 * expect: events 32
 * expect: verdict complete
 * treadle: -k
 * cflags: -DBUG
 * expect: finding linear linear_pending.c:47
 * expect: runs 6
 * expect: events 32
 * expect: verdict bug */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

static atomic_int value;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    int *v = state;
    if (strcmp(call->op, "write") == 0)
        *v = (int)call->arg[0];
    *result = (uint64_t)*v;
    return 1;
}

static void *writer(void *arg)
{
    treadle_op_begin(&value, "write", 7);
    atomic_store(&value, 7);
    pthread_exit(arg);
}

static void *reader(void *arg)
{
    for (int i = 0; i < 2; i++) {
        treadle_op_begin(&value, "read");
        int v = atomic_load(&value);
#ifdef BUG
        if (i == 1)
            v = 0;
#endif
        treadle_op_end(&value, v);
    }
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {sizeof(int), NULL, step};
    pthread_t w, r;
    treadle_specify(&value, &spec);
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
