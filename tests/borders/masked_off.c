/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads write and gather disjoint lanes of one vector: lanes that a mask leaves out are not accessed.
 * treadle:
 * arch: x86_64
 * cflags: -mavx2
 * expect: verdict complete */
#include <immintrin.h>
#include <pthread.h>

static int a[8] __attribute__((aligned(32)));
static int seen;

static __m256i lanes(int first)
{
    int even = first - 1;
    return _mm256_set_epi32(-first, even, -first, even, -first, even, -first, even);
}

static void *one(void *p)
{
    _mm256_maskstore_epi32(a, lanes(0), _mm256_set1_epi32(3));
    return p;
}

static void *two(void *p)
{
    _mm256_maskstore_epi32(a, lanes(1), _mm256_set1_epi32(4));
    __m256i odd = _mm256_set1_epi32(5);
    seen = _mm256_extract_epi32(_mm256_mask_i32gather_epi32(odd, a, odd, lanes(1), 4), 1);
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
