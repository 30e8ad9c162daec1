/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread does before it registers a handler of exit happens before the handler.
 *
 * treadle: -k
 * expect: verdict complete */
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
    ready = 5;
    atexit(handler);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, registers, NULL);
    return 0;
}
