/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads join the same one, each under a condition; no run needs both.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding thread */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t w;
static atomic_int y, z;
static void *work(void *p)
{
    return p;
}
static void *sets_y(void *p)
{
    atomic_store(&y, 1);
    return p;
}
static void *first(void *p)
{
    if (atomic_load(&y) == 0)
        pthread_join(w, 0);
    return p;
}
static void *second(void *p)
{
    if (atomic_load(&z) == 1)
        pthread_join(w, 0);
    return p;
}
static void *sets_z(void *p)
{
    atomic_store(&z, 1);
    return p;
}

int main(void)
{
    static void *(*const f[])(void *) = {sets_y, first, second, sets_z};
    pthread_t t[4];
    pthread_create(&w, 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, f[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
