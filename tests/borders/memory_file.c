/* SPDX-License-Identifier: Apache-2.0 */
/* A stream writes to the memory it was given, at times that nobody tells.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched memory_file.c:16 fmemopen
 *
 */
#include <pthread.h>
#include <stdio.h>

static char bytes[20];

static void *thread(void *arg)
{
    FILE *f = fmemopen(bytes, sizeof bytes, "w");
    fputs("abc", f);
    fclose(f);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    bytes[1] = 3;
    pthread_join(t, NULL);
    return 0;
}
