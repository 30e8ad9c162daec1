/* SPDX-License-Identifier: Apache-2.0 */
/* A stream fills the buffer that it was given, at times that nobody tells.
 *
 * treadle:
 * expect: verdict incomplete
 *
 * expect: ledger not watched stream_buffer.c:18 setvbuf
 */
#include <pthread.h>
#include <stdio.h>

static char buffer[512];

static void *thread(void *arg)
{
    FILE *f = fopen("/dev/null", "w");
    setvbuf(f, NULL, _IOFBF, 512);
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    fputs("abc", f);
    fclose(f);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    buffer[0] = 1;
    pthread_join(t, NULL);
    return 0;
}
