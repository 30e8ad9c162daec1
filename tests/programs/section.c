/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic sections: one choice each, whatever is inside.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 82
 * expect: traces 6
 * expect: verdict complete
 * model: main: create A, begin, 3* store x, end, begin, lock m, unlock m, end
 * model: A: begin, load x, load y, end, begin, store y, end */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static volatile int sink;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    sink = atomic_load(&x);
    sink = atomic_load(&y);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    atomic_store(&y, 1);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++)
        atomic_store(&x, i);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
