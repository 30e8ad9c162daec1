/* SPDX-License-Identifier: Apache-2.0 */
/* A plain read and a plain write.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_read.c:14 race_read.c:20 */
#include <pthread.h>

static int x;
static int seen;

static void *reader(void *arg)
{
    seen = x;
    return arg;
}

static void *writer(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen & 0;
}
