/* SPDX-License-Identifier: Apache-2.0 */
/* As verifiers want it: an assumption that aborts, an error that is not to be reached.
 *
 * run: --keep-going
 * verdict: complete
 * decisions: 1 */
#include <pthread.h>

extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void assume_abort_if_not(int condition)
{
    if (!condition) {
        abort();
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, limit;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (next < limit)
        next++;
    if (next > limit)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    limit = __VERIFIER_nondet_int();
    assume_abort_if_not(limit >= 0 && limit < 3);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
