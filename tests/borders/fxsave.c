/* SPDX-License-Identifier: Apache-2.0 */
/* fxsave writes what it saves.
 * treadle:
 * arch: x86_64
 * cflags: -mfxsr
 * expect: verdict bug
 * expect: finding race fxsave.c:16 fxsave.c:22 */
#include <immintrin.h>
#include <pthread.h>

static char a[512] __attribute__((aligned(64)));
static int seen;

static void *one(void *p)
{
    _fxsave(a);
    return p;
}

static void *two(void *p)
{
    seen = a[24];
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
