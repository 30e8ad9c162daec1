/* SPDX-License-Identifier: Apache-2.0 */
/* rand() is one sequence: two threads get different numbers of it.
 *
 * treadle: -k
 * expect: runs 2
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int first, second;

static void *draw_first(void *arg)
{
    first = rand();
    return arg;
}

static void *draw_second(void *arg)
{
    second = rand();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    srand(1);
    int x = rand(), y = rand();
    srand(1);
    pthread_create(&a, NULL, draw_first, NULL);
    pthread_create(&b, NULL, draw_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((first == x && second == y) || (first == y && second == x));
    return 0;
}
