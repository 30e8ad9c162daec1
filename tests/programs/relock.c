/* SPDX-License-Identifier: Apache-2.0 */
/* A normal mutex locked twice by one thread: it waits for itself.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock relock.c:14 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
