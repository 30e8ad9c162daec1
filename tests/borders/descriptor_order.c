/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads open a file: who comes first has the smaller number. A stream has one as well, which the program sees
 * if it asks for it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert descriptor_order.c:37
 * treadle:
 * cflags: -g -DSTREAM
 * expect: verdict bug
 * expect: finding assert descriptor_order.c:37 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

static int got[2];

static void *opens(void *arg)
{
#ifdef STREAM
    FILE *f = fopen("/dev/null", "r");
    got[arg != NULL] = fileno(f);
#else
    got[arg != NULL] = open("/dev/null", O_RDONLY);
#endif
    return NULL;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, opens, NULL);
    pthread_create(&y, NULL, opens, got);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    assert(got[0] < got[1]);
    return 0;
}
