/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that nothing can end: others go on, and whoever waits for its thread waits for ever.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding livelock loop_endless.c:13 */
#include <pthread.h>

static void *f(void *a)
{
    for (;;)
        continue;
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
