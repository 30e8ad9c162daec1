/* SPDX-License-Identifier: Apache-2.0 */
/* Joined by one thread and detached by another, which may come while the first waits.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding thread */
#include <pthread.h>

static pthread_t w;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return p;
}
static void *first(void *p)
{
    pthread_join(w, 0);
    return p;
}
static void *second(void *p)
{
    pthread_detach(w);
    return p;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&w, 0, work, 0);
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
