/* SPDX-License-Identifier: Apache-2.0 */
/* A detached thread may have ended when it is cancelled.
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

int main(void)
{
    pthread_create(&w, 0, work, 0);
    pthread_detach(w);
    pthread_cancel(w);
    return 0;
}
