/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex used after it was destroyed.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex use_destroyed.c:16 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m);
    return 0;
}
