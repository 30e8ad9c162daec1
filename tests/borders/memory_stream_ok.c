/* SPDX-License-Identifier: Apache-2.0 */
/* A memory stream writes its variables when it is flushed, not before.
 *
 * treadle:
 * expect: verdict complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;
static FILE *stream;

static void *thread(void *arg)
{
    length = 7;
    return arg;
}
int main(void)
{
    pthread_t t;
    stream = open_memstream(&text, &length);
    pthread_create(&t, NULL, thread, NULL);
    fputs("abc", stream);
    pthread_join(t, NULL);
    fflush(stream);
    assert(length == 3 && strcmp(text, "abc") == 0);
    fclose(stream);
    free(text);
    return 0;
}
