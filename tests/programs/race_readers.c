/* SPDX-License-Identifier: Apache-2.0 */
/* Many reads before the write: the write races with a read that is not the last one.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_readers.c:14 race_readers.c:30 */
#include <pthread.h>

static int x;
static int seen[2];

static void *reader(void *arg)
{
    seen[0] = x;
    return arg;
}

static void *ordered_reader(void *arg)
{
    seen[1] = x;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, ordered_reader, NULL);
    pthread_join(b, NULL);
    x = 1;
    pthread_join(a, NULL);
    return 0;
}
