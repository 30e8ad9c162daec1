/* SPDX-License-Identifier: Apache-2.0 */
/* tss_*: a value for each thread, and its destructor.
 *
 * treadle: --search=all
 * expect: runs 69
 * expect: events 24
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 14
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static tss_t key;
static atomic_int gone;

static void destroy(void *p)
{
    atomic_fetch_add(&gone, *(int *)p);
}

static int worker(void *arg)
{
    assert(tss_get(key) == NULL);
    int rc = tss_set(key, arg);
    assert(rc == thrd_success && tss_get(key) == arg);
    return 0;
}

int main(void)
{
    static int values[] = {1, 2};
    thrd_t a, b;
    int rc = tss_create(&key, destroy);
    assert(rc == thrd_success);
    thrd_create(&a, worker, &values[0]);
    thrd_create(&b, worker, &values[1]);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(gone == 3 && tss_get(key) == NULL);
    tss_delete(key);
    return 0;
}
