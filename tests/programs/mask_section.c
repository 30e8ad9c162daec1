/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody moves while a thread is in an atomic section: a failure in it ends the run, and nothing
 * is hidden.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding assert mask_section.c:24 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *fails(void *arg)
{
    __VERIFIER_atomic_begin();
    atomic_store(&x, 1);
    assert(arg != NULL);
    __VERIFIER_atomic_end();
    return arg;
}

static void *looks(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen == 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, fails, NULL);
    pthread_create(&t[1], NULL, looks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
