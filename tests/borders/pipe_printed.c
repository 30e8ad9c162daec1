/* SPDX-License-Identifier: Apache-2.0 */
/* A pipe between threads is given to a function that does not know it.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled pipe_printed.c:17 dprintf of a pipe or socket
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *thread(void *arg)
{
    dprintf(ends[1], "%d\n", 42);
    return arg;
}

int main(void)
{
    pthread_t t;
    char text[4];
    if (pipe(ends))
        return 0;
    pthread_create(&t, NULL, thread, NULL);
    assert(read(ends[0], text, sizeof text) == 3);
    pthread_join(t, NULL);
    return 0;
}
