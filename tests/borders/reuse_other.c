/* SPDX-License-Identifier: Apache-2.0 */
/* What one thread frees another one gets, and an address that was kept means something else.
 *
 * treadle: -k
 * expect: verdict complete
 *
 * treadle: -k --reuse
 * expect: finding assert reuse_other.c:37
 * expect: verdict bug
 *
 * treadle: -k --reuse --search=all
 * expect: finding assert reuse_other.c:37
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *give_back(void *arg)
{
    pthread_mutex_lock(&m);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *take(void *arg)
{
    pthread_mutex_lock(&m);
    uintptr_t was = (uintptr_t)shared;
    pthread_mutex_unlock(&m);
    int *p = malloc(sizeof *p);
    assert((uintptr_t)p != was);
    free(p);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, NULL, give_back, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
