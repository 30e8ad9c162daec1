/* SPDX-License-Identifier: Apache-2.0 */
/* A stream locks itself, so two threads that use one do not race; but who comes first matters, which is not
 * explored. One after the other they are in order.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched library_streams.c:26 fputc, on a stream that another thread uses
 *
 * treadle:
 * args: ordered
 * expect: verdict complete */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *stream;
static pthread_t first;
static char *text;
static size_t length;

static void *work(void *arg)
{
    if (arg)
        pthread_join(first, NULL);
    fputc(arg ? 'b' : 'a', stream);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t second;
    (void)argv;
    stream = open_memstream(&text, &length);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, argc > 1 ? &first : NULL);
    pthread_join(second, NULL);
    if (argc == 1)
        pthread_join(first, NULL);
    return 0;
}
