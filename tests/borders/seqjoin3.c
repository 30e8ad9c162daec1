/* SPDX-License-Identifier: Apache-2.0 */
/* Twenty threads one after the other, each joined before the next one starts: no operation.
 * treadle:
 * expect: runs 1
 * expect: verdict complete */
#include <pthread.h>

static void *w(void *p)
{
    return p;
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t t;
        pthread_create(&t, 0, w, 0);
        pthread_join(t, 0);
    }
    return 0;
}
