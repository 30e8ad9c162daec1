/* SPDX-License-Identifier: Apache-2.0 */
/* lddqu reads 16 bytes.
 * treadle:
 * arch: x86_64
 * cflags: -msse3
 * expect: verdict bug
 * expect: finding race intrin5.c:16 intrin5.c:22 */
#include <immintrin.h>
#include <pthread.h>

static char a[32] __attribute__((aligned(32)));
static int seen;

static void *one(void *p)
{
    seen = _mm_cvtsi128_si32(_mm_lddqu_si128((__m128i *)a));
    return p;
}

static void *two(void *p)
{
    a[3] = 1;
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
