/* SPDX-License-Identifier: Apache-2.0 */
/* Local variables of threads, used by others while their functions wait for them.
 *
 * treadle:
 * expect: runs 6
 * expect: events 32
 * expect: verdict complete
 * treadle: --search=all
 * expect: runs 14
 * expect: events 61
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg)
{
    int *value = arg;
    pthread_mutex_lock(&m);
    ++*value;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *owner(void *arg)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, NULL, user, &local);
    user(&local);
    pthread_join(t, NULL);
    return local == 2 ? arg : NULL;
}

int main(void)
{
    pthread_t a;
    int local = 0;
    pthread_create(&a, NULL, owner, NULL);
    user(&local);
    pthread_join(a, NULL);
    return local == 1 ? 0 : 1;
}
