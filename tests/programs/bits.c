/* SPDX-License-Identifier: Apache-2.0 */
/* Every value of small inputs in every interleaving: 32 values, three places of the store
 * (before the load, before the exit, never). The traces: what main decides about x and y where
 * it reads x, and one each where it reads 0.
 *
 * treadle: --search=all -k
 * expect: runs 96
 * expect: traces 6
 * expect: verdict bug
 * expect: finding assert bits.c:32 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int a;
static int table[8];

static void *set(void *arg)
{
    (void)arg;
    atomic_store(&a, (int)treadle_bits(3, "x"));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    int y = (int)treadle_bits(2, "y");
    int x = atomic_load(&a);
    assert(x != y + 4);
    switch (x) {
    case 1:
        table[x]++;
        break;
    case 2:
        break;
    default:
        table[0]++;
    }
    return 0;
}
