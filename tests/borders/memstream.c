/* SPDX-License-Identifier: Apache-2.0 */
/* Each round makes the stream longer: the loop ends by itself after some, in abort.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort memstream.c:29
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
/* each round makes the stream longer: the loop ends by itself after 4 rounds */
static void *t1(void *unused)
{
    char *buf;
    size_t len;
    FILE *f = open_memstream(&buf, &len);
    while (!atomic_load(&flag)) {
        fputc('x', f);
        fflush(f);
        if (len > 3)
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
