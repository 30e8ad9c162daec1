/* SPDX-License-Identifier: Apache-2.0 */
/* backtrace loads a library when it is called first; that was an operation in one run and none in
 * the next, and the program was called nondeterministic.
 *
 * treadle:
 * expect: verdict complete
 * treadle: --search=all
 * expect: verdict complete */
#include <assert.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *thread(void *arg)
{
    void *at[10];
    atomic_fetch_add(&n, backtrace(at, 10) > 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *at[10];
    pthread_create(&t, NULL, thread, NULL);
    atomic_fetch_add(&n, backtrace(at, 10) > 0);
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
