/* SPDX-License-Identifier: Apache-2.0 */
/* maskmovdqu writes single bytes.
 * treadle:
 * arch: x86_64
 * cflags: -msse2
 * expect: verdict bug
 * expect: finding race intrin3.c:16 intrin3.c:22 */
#include <immintrin.h>
#include <pthread.h>

static char a[16] __attribute__((aligned(32)));
static int seen;

static void *one(void *p)
{
    _mm_maskmoveu_si128(_mm_set1_epi8(3), _mm_set1_epi8(-1), a);
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
