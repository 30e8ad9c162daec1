/* SPDX-License-Identifier: Apache-2.0 */
/* A store past the cache is a store.
 * treadle:
 * arch: x86_64
 * cflags: -msse2
 * expect: verdict bug
 * expect: finding race movnt_race.c:16 movnt_race.c:22 */
#include <immintrin.h>
#include <pthread.h>

static int word;
static int seen;

static void *one(void *p)
{
    _mm_stream_si32(&word, 3);
    return p;
}

static void *two(void *p)
{
    seen = word;
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
