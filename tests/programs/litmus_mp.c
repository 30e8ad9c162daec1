/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing: who sees the flag sees the data.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 * model: main: create A, load y f, load x d, check not(f) or d, join A, exit
 * model: A: store x 1, store y 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *writer(void *arg)
{
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int f = atomic_load(&flag);
    int d = atomic_load(&data);
    assert(!f || d);
    pthread_join(t, NULL);
    return 0;
}
