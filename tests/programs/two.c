/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of n independent operations each: the binomial of 2n over n.
 *
 * treadle: --search=all
 * args: 1
 * expect: runs 2
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 1* store x
 * model: A: 1* store y
 *
 * treadle: --search=all
 * args: 2
 * expect: runs 6
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 2* store x
 * model: A: 2* store y
 *
 * treadle: --search=all
 * args: 3
 * expect: runs 20
 * expect: events 9
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 3* store x
 * model: A: 3* store y
 *
 * treadle: --search=all
 * args: 4
 * expect: runs 70
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 4* store x
 * model: A: 4* store y
 *
 * treadle: --search=all
 * args: 5
 * expect: runs 252
 * expect: events 13
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 5* store x
 * model: A: 5* store y
 *
 * treadle: --search=all
 * args: 8
 * expect: runs 12870
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, 8* store x
 * model: A: 8* store y */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int n;

static void *other(void *arg)
{
    for (int i = 0; i < n; i++)
        atomic_store(&y, i);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    n = atoi(argv[argc - 1]);
    pthread_create(&t, NULL, other, NULL);
    for (int i = 0; i < n; i++)
        atomic_store(&x, i);
    pthread_exit(NULL);
}
