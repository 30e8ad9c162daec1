/* SPDX-License-Identifier: Apache-2.0 */
/* A write of one byte inside a word that another thread reads.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_overlap.c:17 race_overlap.c:25 */
#include <pthread.h>

static union {
    unsigned word;
    unsigned char byte[4];
} u;
static volatile unsigned sink;

static void *writer(void *arg)
{
    u.byte[3] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    sink = u.word;
    pthread_join(t, NULL);
    return 0;
}
