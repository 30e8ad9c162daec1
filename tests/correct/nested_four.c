/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that create threads, four deep, and join them: each adds to what its child left.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static int depth;

static void *body(void *arg)
{
    int left = number_of(arg);
    if (left > 0) {
        pthread_t t;
        pthread_create(&t, NULL, body, (void *)(intptr_t)(left - 1));
        pthread_join(t, NULL);
    }
    depth++;
    return arg;
}

int main(void)
{
    body((void *)4);
    assert(depth == 5);
    return 0;
}
