/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock is a lock.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 13
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 10
 * expect: events 23
 * expect: verdict complete */
#include <pthread.h>

static pthread_spinlock_t l;
static int x;

static void *add(void *arg)
{
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&l);
    return x - 2;
}
