/* SPDX-License-Identifier: Apache-2.0 */
/* As two, but on one variable: every interleaving is a trace of its own.
 *
 * treadle: --search=all
 * expect: runs 70
 * expect: events 391
 * expect: traces 70
 * expect: verdict complete
 * model: main: create A, 4* store x
 * model: A: 4* store x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *arg)
{
    for (int i = 0; i < 4; i++)
        atomic_store(&x, i);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    for (int i = 0; i < 4; i++)
        atomic_store(&x, -i);
    pthread_exit(NULL);
}
