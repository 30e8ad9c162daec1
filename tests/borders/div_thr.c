/* SPDX-License-Identifier: Apache-2.0 */
/* A divisor is 0 for one value of an input, in a thread.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash div_thr.c:23
 */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int d = 3;
static void *w(void *p)
{
    atomic_store(&d, 9);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    unsigned a = treadle_u8("a");
    volatile unsigned q = 100u % (a - (unsigned)atomic_load(&d)); /* 0 for a = 3 or 9 */
    (void)q;
    pthread_join(t, 0);
    return 0;
}
