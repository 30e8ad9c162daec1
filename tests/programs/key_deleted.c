/* SPDX-License-Identifier: Apache-2.0 */
/* A thread uses a key that was deleted, in one of the orders.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding misuse key_deleted.c:18
 *
 * treadle:
 * expect: verdict bug
 * expect: finding misuse key_deleted.c:18 */
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;

static void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, worker, &key);
    pthread_key_delete(key);
    pthread_join(t, NULL);
    return 0;
}
