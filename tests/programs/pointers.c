/* SPDX-License-Identifier: Apache-2.0 */
/* Modelled functions called through pointers.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: verdict complete
 * hand: 0
 * model: main: create A, lock m, unlock m, join A, exit
 * model: A: lock m, unlock m */
#include <pthread.h>

struct api {
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
    int (*lock)(pthread_mutex_t *);
    int (*unlock)(pthread_mutex_t *);
};

static struct api api = {pthread_create, pthread_join, pthread_mutex_lock,
                         pthread_mutex_unlock};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
    api.lock(&m);
    n++;
    api.unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    api.create(&t, NULL, worker, NULL);
    worker(NULL);
    api.join(t, NULL);
    return 0;
}
