/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex destroyed while it is held.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex destroy_locked.c:14 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
