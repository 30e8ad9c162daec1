/* SPDX-License-Identifier: Apache-2.0 */
/* Each round writes to the stream, until that is full: the loop ends by itself, in abort.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort memopen.c:26
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define GO(n)                                                                            \
    pthread_t th##n;                                                                     \
    pthread_create(&th##n, 0, t##n, 0)
#define JOIN(n) pthread_join(th##n, 0)
static atomic_int flag;
static void *t1(void *unused)
{
    static char b[4];
    FILE *f = fmemopen(b, 4, "w");
    setvbuf(f, 0, _IONBF, 0);
    while (!atomic_load(&flag)) {
        if (fputc('x', f) == EOF)
            abort();
    }
    return 0;
}
static void *t2(void *unused)
{
    atomic_store(&flag, 1);
    return 0;
}
int main(void)
{
    GO(1);
    GO(2);
    JOIN(1);
    JOIN(2);
    return 0;
}
