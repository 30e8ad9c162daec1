/* SPDX-License-Identifier: Apache-2.0 */
/* So is a decision by an input. */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>
static atomic_int x;
static void *sets(void *p)
{
    atomic_store(&x, 1);
    return p;
}
int main(void)
{
    pthread_t t;
    unsigned n = treadle_uint("n");
    pthread_create(&t, NULL, sets, NULL);
    if (n > 7)
        atomic_store(&x, 2);
    return pthread_join(t, NULL);
}
