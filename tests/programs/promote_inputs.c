/* SPDX-License-Identifier: Apache-2.0 */
/* Which element races is an input's choice: the address is decided before the access is an
 * operation.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_inputs.c:19 promote_inputs.c:29
 * expect: finding assert promote_inputs.c:31 */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

static int cells[2];

static void *worker(void *arg)
{
    int i = treadle_int("i");
    treadle_assume(i >= 0 && i < 2);
    cells[i] = 7;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);

    int first = cells[1];

    assert(first == 0);
    pthread_join(t, NULL);
    return 0;
}
