/* SPDX-License-Identifier: Apache-2.0 */
/* A test that fails in every schedule: told as such, and told once with -k. Its twin is exit_race.c.
 *
 * treadle:
 * expect: verdict bug
 * expect: says every run so far exits with 1
 * expect: finding exit
 *
 * treadle: -k
 * expect: verdict bug
 * expect: says every run so far exits with 1
 * expect: finding exit
 *
 * treadle: --exit-code=ignore
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int n;

static void *add(void *arg)
{
    atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    fprintf(stderr, "FAIL: expected 3\n");
    return n != 3;
}
