/* SPDX-License-Identifier: Apache-2.0 */
/* Three threads count under a lock, two times each: 90 traces. No branch depends on the count, so
 * they are one class.
 *
 * treadle: --goal=races
 * expect: verdict complete
 * expect: runs 1 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *count(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
