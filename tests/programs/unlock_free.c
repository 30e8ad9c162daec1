/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex unlocked that nobody holds.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex unlock_free.c:15 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
