/* SPDX-License-Identifier: Apache-2.0 */
/* The process may end while a thread is about to fail. What that one has on its stack is no leak.
 *
 * treadle: -k --leaks
 * agree: -k --search=all --leaks
 * expect: runs 6
 * expect: events 17
 * expect: verdict bug
 * expect: finding assert mask_exit.c:25
 * expect: finding crash mask_exit.c:35
 * expect: finding leak mask_exit.c:45 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int *volatile nowhere;

static void *fails(void *arg)
{
    int *volatile kept = malloc(40);
    kept[0] = 1;
    atomic_store(&x, 1);
    assert(arg != NULL);
    free((void *)kept);
    return arg;
}

static void *crashes(void *arg)
{
    int *volatile kept = malloc(80);
    kept[0] = 1;
    atomic_store(&x, 2);
    *nowhere = 1;
    free((void *)kept);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, fails, NULL);
    pthread_create(&t[1], NULL, crashes, NULL);
    int *p = malloc(120);
    p[0] = atomic_load(&x);
    p = NULL;
    return p != NULL;
}
