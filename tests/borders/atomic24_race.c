/* SPDX-License-Identifier: Apache-2.0 */
/* What libatomic's functions copy to and from is plain memory.
 * treadle:
 * cflags: -Wno-atomic-alignment
 * expect: verdict bug
 * expect: finding race atomic24_race.c:16 atomic24_race.c:22 */
#include <pthread.h>

struct three {
    long a, b, c;
};
static struct three g, from;

static void *one(void *p)
{
    __atomic_store(&g, &from, __ATOMIC_SEQ_CST);
    return p;
}

static void *two(void *p)
{
    from.c = 1;
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
