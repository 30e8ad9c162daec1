/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor checks what threads left behind.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert destr.c:23
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *p)
{
    int v = atomic_load(&x);
    atomic_store(&x, v + 1);
    return p;
}

__attribute__((destructor)) static void fin(void)
{
    assert(atomic_load(&x) == 2);
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
