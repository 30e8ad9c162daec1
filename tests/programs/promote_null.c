/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer is looked at twice without a lock. The race is found first; with -k its accesses
 * are operations, and between the two reads the pointer goes away.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_null.c:23 promote_null.c:33
 * expect: finding race promote_null.c:23 promote_null.c:34
 * expect: finding crash promote_null.c:34
 * treadle: -k --search=all
 * expect: verdict bug
 * expect: finding race promote_null.c:23 promote_null.c:33
 * expect: finding race promote_null.c:23 promote_null.c:34
 * expect: finding crash promote_null.c:34 */
#include <pthread.h>
#include <stddef.h>

static int object = 1;
static int *shared = &object;

static void *clear(void *arg)
{
    shared = NULL;
    return arg;
}

int main(void)
{
    pthread_t t;
    int value = 0;

    pthread_create(&t, NULL, clear, NULL);
    if (shared != NULL)
        value = *shared;
    pthread_join(t, NULL);
    return value > 1;
}
