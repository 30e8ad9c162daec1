/* SPDX-License-Identifier: Apache-2.0 */
/* More operations under way than a history keeps: the ledger says that it is not checked.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 131
 * expect: verdict incomplete
 * expect: ledger history limit linear_many.c:25 */
#include <pthread.h>
#include <treadle.h>

enum { N = 65 };
static int object;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    (void)state;
    (void)call;
    (void)result;
    return 1;
}

static void *worker(void *arg)
{
    treadle_op_begin(&object, "start");
    return arg;
}

int main(void)
{
    static const struct treadle_spec spec = {1, NULL, step};
    pthread_t t[N];
    treadle_specify(&object, &spec);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
