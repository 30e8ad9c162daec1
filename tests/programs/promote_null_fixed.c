/* SPDX-License-Identifier: Apache-2.0 */
/* promote_null.c with an atomic pointer that is read once.
 *
 * treadle: -k
 * expect: verdict complete
 * expect: runs 2
 * expect: events 5
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int object = 1;
static int *_Atomic shared = &object;

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
    int *p = shared;
    if (p != NULL)
        value = *p;
    pthread_join(t, NULL);
    return value > 1;
}
