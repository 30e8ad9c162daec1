/* SPDX-License-Identifier: Apache-2.0 */
/* A masked store writes the lanes that its mask has.
 * treadle:
 * arch: x86_64
 * cflags: -mavx2
 * expect: verdict bug
 * expect: finding race intrin.c:16 intrin.c:22 */
#include <immintrin.h>
#include <pthread.h>

static int a[8] __attribute__((aligned(32)));
static int seen;

static void *one(void *p)
{
    _mm256_maskstore_epi32(a, _mm256_set1_epi32(-1), _mm256_set1_epi32(3));
    return p;
}

static void *two(void *p)
{
    seen = a[3];
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
