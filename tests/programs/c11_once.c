/* SPDX-License-Identifier: Apache-2.0 */
/* call_once: the others wait until it is done.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 13
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 7
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int value;

static void init(void)
{
    value++;
}

static int worker(void *arg)
{
    call_once(&once, init);
    assert(value == 1);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, NULL);
    call_once(&once, init);
    assert(value == 1);
    thrd_join(t, NULL);
    return 0;
}
