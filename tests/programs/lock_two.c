/* SPDX-License-Identifier: Apache-2.0 */
/* Two mutexes, each of one thread: 4 over 2 runs, one trace.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: traces 1
 * expect: verdict complete
 * model: main: begin, create A, create B, end
 * model: A: lock m, unlock m
 * model: B: lock n, unlock n */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg)
{
    pthread_mutex_lock(arg);
    pthread_mutex_unlock(arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, worker, &m[0]);
    pthread_create(&t, NULL, worker, &m[1]);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
