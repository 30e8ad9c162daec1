/* SPDX-License-Identifier: Apache-2.0 */
/* fclose writes the variables that a memory stream was opened with.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race memory_stream.c:26 memory_stream.c:19
 *
 */
#include <pthread.h>
#include <stdio.h>

static char *text;
static size_t length;

static void *thread(void *arg)
{
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "%d", 5);
    fclose(f);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    size_t before = length;
    pthread_join(t, NULL);
    return before > 100;
}
