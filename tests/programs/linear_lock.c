/* SPDX-License-Identifier: Apache-2.0 */
/* A lock as a structure: acquire cannot happen while it is held (step returns 0), and try may fail
 * whenever it likes (two ways). BUG: acquire looks and takes in two steps.
 *
 * treadle: -k
 * expect: runs 10
 * expect: events 43
 * expect: verdict complete
 * treadle: -k
 * cflags: -DBUG
 * expect: finding linear linear_lock.c:60
 * expect: finding linear linear_lock.c:68
 * expect: runs 20
 * expect: events 84
 * expect: verdict bug */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <treadle.h>

static atomic_int held;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    int *is_held = state;
    if (strcmp(call->op, "release") == 0) {
        *is_held = 0;
        return 1;
    }
    if (strcmp(call->op, "try") == 0) {
        *result = call->choice == 0 && !*is_held;
        *is_held |= (int)*result;
        return 2;
    }
    if (*is_held)
        return 0;
    *is_held = 1;
    return 1;
}

/* Only once: a thread that does not get it gives up. */
static int acquire(void)
{
#ifdef BUG
    if (atomic_load(&held) != 0)
        return 0;
    atomic_store(&held, 1);
    return 1;
#else
    int zero = 0;
    return atomic_compare_exchange_strong(&held, &zero, 1);
#endif
}

static void *worker(void *arg)
{
    treadle_op_begin(&held, "acquire");
    int got = acquire();
    if (got)
        treadle_op_end(&held);
    return arg;
}

static void *trier(void *arg)
{
    treadle_op_begin(&held, "try");
    int got = acquire();
    treadle_op_end(&held, got);
    if (got) {
        treadle_op_begin(&held, "release");
        atomic_store(&held, 0);
        treadle_op_end(&held);
    }
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {sizeof(int), NULL, step};
    pthread_t a, b;
    treadle_specify(&held, &spec);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, trier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
