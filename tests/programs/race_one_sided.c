/* SPDX-License-Identifier: Apache-2.0 */
/* Release without acquire: the reader's side is missing.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_one_sided.c:16 race_one_sided.c:26 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static volatile int sink;

static void *writer(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        sink = data;
    pthread_join(t, NULL);
    return 0;
}
