/* SPDX-License-Identifier: Apache-2.0 */
/* k threads lock and unlock one mutex: k! runs.
 *
 * treadle: --search=all
 * args: 2
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * model: main: begin, create A, create B, end
 * model: A: lock m, unlock m
 * model: B: lock m, unlock m
 *
 * treadle: --search=all
 * args: 3
 * expect: runs 6
 * expect: traces 6
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, end
 * model: A: lock m, unlock m
 * model: B: lock m, unlock m
 * model: C: lock m, unlock m
 *
 * treadle: --search=all
 * args: 5
 * expect: runs 120
 * expect: events 983
 * expect: traces 120
 * expect: verdict complete
 * model: main: begin, create A, create B, create C, create D, create E, end
 * model: A: lock m, unlock m
 * model: B: lock m, unlock m
 * model: C: lock m, unlock m
 * model: D: lock m, unlock m
 * model: E: lock m, unlock m */
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int k = atoi(argv[argc - 1]);
    __VERIFIER_atomic_begin();
    for (int i = 0; i < k; i++)
        pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
