/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked locking with a plain pointer.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_double_checked.c:20 race_double_checked.c:27
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_double_checked.c:20 race_double_checked.c:27 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *instance;
static volatile int sink;

static int *get(void)
{
    int *p = instance;
    if (p == NULL) {
        pthread_mutex_lock(&m);
        p = instance;
        if (p == NULL) {
            object = 42;
            p = &object;
            instance = p;
        }
        pthread_mutex_unlock(&m);
    }
    return p;
}

static void *worker(void *arg)
{
    sink = *get();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int v = *get();
    pthread_join(t, NULL);
    return v != 42;
}
