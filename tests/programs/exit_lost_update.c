/* SPDX-License-Identifier: Apache-2.0 */
/* A test that prints FAIL and returns 1 when an update is lost. Its twin is exit_right.c.
 *
 * treadle:
 * expect: verdict bug
 * expect: says exit code 1
 * expect: finding exit */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int n;

static void *add(void *arg)
{
    int seen = n;
    n = seen + 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    if (n == 2)
        return 0;
    fprintf(stderr, "FAIL: expected 2, got %d\n\033[31mend\n", n);
    return 1;
}
