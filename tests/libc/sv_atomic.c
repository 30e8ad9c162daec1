/* SPDX-License-Identifier: Apache-2.0 */
/* As verifiers want it: functions whose names say that they are one step.
 *
 * run: --keep-going
 * verdict: complete
 * decisions: 0 */
#include <assert.h>
#include <pthread.h>

static int turns, held;

void __VERIFIER_atomic_take(int *had)
{
    *had = held;
    if (held == 0)
        held = 1;
}

int __VERIFIER_atomic_give(void)
{
    if (held == 0)
        return -1;
    held = 0;
    return 0;
}

static void *worker(void *arg)
{
    int had;
    (void)arg;
    __VERIFIER_atomic_take(&had);
    if (had == 0) {
        turns++;
        assert(__VERIFIER_atomic_give() == 0);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(turns >= 1 && turns <= 2);
    return 0;
}
