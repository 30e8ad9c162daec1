/* SPDX-License-Identifier: Apache-2.0 */
/* Each round puts a byte into a stream of four bytes.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding abort memopen.c:29
 * expect: ledger not watched memopen.c:25 fmemopen
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort memopen.c:29
 * expect: ledger not watched memopen.c:25 fmemopen */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;

static void *t1(void *a)
{
    static char bytes[4];
    FILE *f = fmemopen(bytes, sizeof bytes, "w");
    setvbuf(f, NULL, _IONBF, 0);
    while (!atomic_load(&flag)) {
        if (fputc('x', f) == EOF)
            abort();
    }
    return a;
}

static void *t2(void *a)
{
    atomic_store(&flag, 1);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
