/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock whose reader looks at the number only before it reads. FIXED: afterwards
 * as well. Who was disturbed gives up.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert classic_seqlock.c:37
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, 1);
    atomic_store(&high, -1);
    atomic_fetch_add(&sequence, 1);
    return arg;
}

static void *reader(void *arg)
{
    unsigned before = atomic_load(&sequence);
    int sum = atomic_load(&low) + atomic_load(&high), is_good = before % 2 == 0;
#ifdef FIXED
    is_good = is_good && atomic_load(&sequence) == before;
#endif
    if (is_good)
        assert(sum == 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
