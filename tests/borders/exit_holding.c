/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that ends while it holds a mutex is misuse, and the program goes on.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding mutex exit_holding.c:16
 * expect: finding assert exit_holding.c:25 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *f(void *a)
{
    pthread_mutex_lock(&m);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(!"reached");
    return 0;
}
