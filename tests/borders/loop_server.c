/* SPDX-License-Identifier: Apache-2.0 */
/* The same, but nobody waits for it: the process ends.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict complete
 * expect: runs 1 */
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
    return 0;
}
