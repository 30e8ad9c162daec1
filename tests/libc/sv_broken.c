/* SPDX-License-Identifier: Apache-2.0 */
/* As verifiers want it: two steps that should be one, so that the error is reached.
 *
 * run: --keep-going
 * verdict: bug
 * decisions: 0 */
#include <pthread.h>

void reach_error()
{
    __builtin_trap();
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int amount = 1, taken;

static void *taker(void *arg)
{
    int seen;
    (void)arg;
    __VERIFIER_atomic_begin();
    seen = amount;
    __VERIFIER_atomic_end();
    if (seen > 0) {
        __VERIFIER_atomic_begin();
        amount--;
        taken++;
        if (taken > 1)
            reach_error();
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, taker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
