/* SPDX-License-Identifier: Apache-2.0 */
/* A hundred threads one after another: what each leaves the next one finds.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static int n;

static void *body(void *arg)
{
    n++;
    return arg;
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_t t;
        pthread_create(&t, NULL, body, NULL);
        pthread_join(t, NULL);
    }
    assert(n == 100);
    return 0;
}
