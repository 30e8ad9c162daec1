/* SPDX-License-Identifier: Apache-2.0 */
/* A conversion of a format writes a number, which grows in each round.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding abort printfn.c:25
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding abort printfn.c:25 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;

static void *t1(void *a)
{
    static int n;
    while (!atomic_load(&flag)) {
        fprintf(stderr, "%*s%n", n + 1, "", &n);
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
