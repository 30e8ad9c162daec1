/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread does after it registered a handler of exit is not ordered with the handler.
 *
 * treadle: -k
 * expect: finding race atexit_too_early.c:14 atexit_too_early.c:21
 * expect: verdict bug */
#include <pthread.h>
#include <stdlib.h>

static int ready;

static void handler(void)
{
    ready++;
}

static void *registers(void *arg)
{
    (void)arg;
    atexit(handler);
    ready = 5;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, registers, NULL);
    return 0;
}
