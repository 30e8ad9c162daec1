/* SPDX-License-Identifier: Apache-2.0
 * Two threads count without a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;

static void *count(void *arg)
{
    int old = n; /* two steps */
    n = old + 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2);
    return 0;
}
