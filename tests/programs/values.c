/* SPDX-License-Identifier: Apache-2.0 */
/* Results: by return, by pthread_exit deep in a call, and none asked for.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void deep(int n, void *value)
{
    if (n == 0)
        pthread_exit(value);
    deep(n - 1, value);
    abort();
}

static void *leave(void *arg)
{
    deep(10, arg);
    return NULL;
}

static void *give(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    void *va, *vb;
    int rc = pthread_create(&a, NULL, leave, (void *)5);
    assert(rc == 0);
    pthread_create(&b, NULL, give, (void *)6);
    pthread_create(&c, NULL, give, (void *)7);
    rc = pthread_join(a, &va);
    assert(rc == 0);
    pthread_join(b, &vb);
    pthread_join(c, NULL);
    assert((uintptr_t)va == 5 && (uintptr_t)vb == 6);
    return 0;
}
