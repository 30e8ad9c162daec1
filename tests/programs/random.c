/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers, the clock and process numbers are the same in every run: whatever is
 * built from them decides no schedule.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 3* store x
 * model: A: 2* store y */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static atomic_long x, y;

static void *worker(void *arg)
{
    unsigned long r;
    getrandom(&r, sizeof r, 0);
    atomic_store(&y, r);
    getentropy(&r, sizeof r);
    atomic_store(&y, r);
    return arg;
}

int main(void)
{
    pthread_t t;
    srand(time(NULL) ^ getpid());
    int n = rand(); /* with several threads it would be an operation */
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, n);
    atomic_store(&x, clock());
    atomic_store(&x, getpid() + time(NULL));
    pthread_exit(NULL);
}
