/* SPDX-License-Identifier: Apache-2.0 */
/* Each round makes a stream in memory longer: the loop ends by itself.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding abort memstream.c:29
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort memstream.c:29 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;

static void *t1(void *a)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    while (!atomic_load(&flag)) {
        fputc('x', f);
        fflush(f);
        if (length > 3)
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
