/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that uses freed memory is stopped; the race that it had before is found all the same,
 * and nothing is taken for chance.
 *
 * treadle: -k
 * cflags: -O0
 * expect: finding memory keep_freed.c:20
 * expect: finding race keep_freed.c:19 keep_freed.c:30
 * expect: ledger cut short keep_freed.c:20
 * expect: verdict bug */
#include <pthread.h>
#include <stdlib.h>

static int d, *p;

static void *uses(void *arg)
{
    (void)arg;
    d++;
    *p = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    free(p);
    pthread_create(&t, NULL, uses, NULL);
    d++;
    pthread_join(t, NULL);
    return 0;
}
