/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex may be initialised again once it was destroyed.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 8
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 9
 * expect: verdict complete */
#include <pthread.h>

static pthread_mutex_t m;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&m, NULL);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_mutex_destroy(&m);
    }
    return 0;
}
