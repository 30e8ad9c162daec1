/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads wait for the end of one.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding thread
 * expect: says join of a thread that was joined before */
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

int main(void)
{
    pthread_t t, u;
    pthread_create(&w, 0, work, 0);
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, first, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
