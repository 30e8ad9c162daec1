/* SPDX-License-Identifier: Apache-2.0 */
/* An access through a segment register: nobody knows its address.
 * treadle:
 * arch: x86_64
 * expect: verdict incomplete
 * expect: ledger not watched segment_gap.c:13 access through a segment register */
#include <pthread.h>
#include <stdint.h>

static void *one(void *p)
{
    const uint64_t __seg_fs *own = 0;
    if (*own == 0)
        return 0;
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
