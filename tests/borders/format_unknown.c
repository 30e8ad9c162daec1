/* SPDX-License-Identifier: Apache-2.0 */
/* A format that is not written in the call may write a number.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding abort format_unknown.c:26
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort format_unknown.c:26 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;

static void *t1(void *a)
{
    static int n;
    static const char *volatile format = "%*s%n";
    while (!atomic_load(&flag)) {
        fprintf(stderr, format, n + 1, "", &n);
        if (n > 3)
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
