/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads each decide not to set their flag, for a reason of their own; only if both do, the loop
 * has no end. No run is needed to see each of them alone.
 *
 * treadle: -k
 * expect: runs 7
 * expect: events 22
 * expect: verdict bug
 * expect: finding livelock loop_combined.c:54
 *
 * treadle: --search=all -k
 * expect: runs 17070
 * expect: events 38
 * expect: traces 37
 * expect: verdict bug
 * expect: finding livelock loop_combined.c:54 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, x, y;

static void *sets_x(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *sets_y(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

static void *first(void *arg)
{
    if (!atomic_load(&x))
        atomic_store(&flag, 1);
    return arg;
}

static void *second(void *arg)
{
    if (!atomic_load(&y))
        atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    void *(*const starts[])(void *) = {first, second, sets_x, sets_y};
    pthread_t t;
    for (int i = 0; i < 4; i++)
        pthread_create(&t, NULL, starts[i], NULL);
    while (!atomic_load(&flag))
        continue;
    return 0;
}
