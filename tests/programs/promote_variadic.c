/* SPDX-License-Identifier: Apache-2.0 */
/* promote_null.c in a function that has one version only: the second read is not an operation of
 * its own until it is promoted.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_variadic.c:20 promote_variadic.c:26
 * expect: finding race promote_variadic.c:20 promote_variadic.c:27
 * expect: finding crash promote_variadic.c:27 */
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

static int object = 1;
static int *shared = &object;

static void *clear(void *arg)
{

    shared = NULL;
    return arg;
}

static int look(int value, ...)
{
    if (shared != NULL)
        value = *shared;
    return value;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    int value = look(0, 1, 2);
    pthread_join(t, NULL);
    return value > 1;
}
