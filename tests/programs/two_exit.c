/* SPDX-License-Identifier: Apache-2.0 */
/* main returns, so the other thread may have done 0 to n of its operations: the sum of
 * (n + k over k) for k = 0..n, which is (2n + 1 over n).
 *
 * treadle: --search=all
 * args: 2
 * expect: runs 10
 * expect: traces 3
 * expect: verdict complete
 * model: main: create A, 2* store x, exit
 * model: A: 2* store y
 *
 * treadle: --search=all
 * args: 4
 * expect: runs 126
 * expect: events 11
 * expect: traces 5
 * expect: verdict complete
 * hand: 0
 * model: main: create A, 4* store x, exit
 * model: A: 4* store y */
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
    return 0;
}
