/* SPDX-License-Identifier: Apache-2.0 */
/* flockfile is a lock.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x;

static void *add(void *arg)
{
    flockfile(stdout);
    x++;
    funlockfile(stdout);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
