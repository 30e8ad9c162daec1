/* SPDX-License-Identifier: Apache-2.0 */
/* Threads may print in any order, and nobody can tell. One that closes stdout or asks for its position can: a ledger
 * entry.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched stdout_closed.c:34 fclose, on a standard stream that another thread uses
 * treadle:
 * cflags: -g -DTELLS
 * expect: verdict incomplete
 * expect: ledger not watched stdout_closed.c:28 ftell, on a standard stream that another thread uses
 * treadle:
 * cflags: -g -DNUMBER
 * expect: verdict incomplete
 * expect: ledger not watched stdout_closed.c:30 close, on a standard stream that another thread uses
 * treadle:
 * cflags: -g -DPRINTS
 * expect: verdict complete */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long result;

static void *other(void *arg)
{
#if defined TELLS
    result = ftell(stdout);
#elif defined NUMBER
    result = close(1);
#elif defined PRINTS
    result = fprintf(stdout, "%d\n", fileno(stdout)) + fflush(stdout) + ferror(stdout);
#else
    result = fclose(stdout);
#endif
    return arg;
}

static void *prints(void *arg)
{
    puts("x");
    return arg;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, prints, NULL);
    pthread_create(&y, NULL, other, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
