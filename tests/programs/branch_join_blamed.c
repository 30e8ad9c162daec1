/* SPDX-License-Identifier: Apache-2.0 */
/* What a join gives back decides. Without cores every read is to blame, and a join reads no memory.
 *
 * treadle: --goal=branches --interfere-off=cores
 * expect: sides 2/2
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x;
static int y;

static void *reads(void *arg)
{
    return (void *)(intptr_t)atomic_load(&x);
}

static void *writes(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    void *seen;
    pthread_create(&a, NULL, reads, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, &seen);
    pthread_join(b, NULL);
    if ((intptr_t)seen == 1)
        y = 2;
    return y > 2;
}
