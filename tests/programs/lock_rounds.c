/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads with two critical sections each: 8! / 2!^4.
 *
 * treadle: --search=all
 * expect: runs 2520
 * expect: events 21015
 * expect: traces 2520
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, create D, end
 * model: A: lock m, unlock m, lock m, unlock m
 * model: B: lock m, unlock m, lock m, unlock m
 * model: C: lock m, unlock m, lock m, unlock m
 * model: D: lock m, unlock m, lock m, unlock m */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 4; i++)
        pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
