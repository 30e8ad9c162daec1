/* SPDX-License-Identifier: Apache-2.0 */
/* The update is not lost, so that the test passes in every schedule.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int n;

static void *add(void *arg)
{
    atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    if (n == 2)
        return 0;
    fprintf(stderr, "FAIL: expected 2\n");
    return 1;
}
