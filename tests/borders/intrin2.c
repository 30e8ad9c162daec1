/* SPDX-License-Identifier: Apache-2.0 */
/* A gather reads one element for each lane.
 * treadle:
 * arch: x86_64
 * cflags: -mavx2
 * expect: verdict bug
 * expect: finding race intrin2.c:16 intrin2.c:22 */
#include <immintrin.h>
#include <pthread.h>

static int a[8] __attribute__((aligned(32)));
static int seen;

static void *one(void *p)
{
    seen = _mm256_extract_epi32(_mm256_i32gather_epi32(a, _mm256_set1_epi32(3), 4), 0);
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
