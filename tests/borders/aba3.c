/* SPDX-License-Identifier: Apache-2.0 */
/* A result is kept by the address of an object, which is freed; the next object may get it.
 *
 * treadle:
 * expect: finding assert aba3.c:28
 * expect: verdict bug
 *
 * treadle: --reuse
 * expect: finding assert aba3.c:28
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct object {
    int id;
} * now, *key;
static int kept;

static void look(void)
{
    pthread_mutex_lock(&m);
    if (now != key) {
        key = now;
        kept = now->id;
    }
    assert(kept == now->id);
    pthread_mutex_unlock(&m);
}

static void *look_twice(void *arg)
{
    look();
    look();
    return arg;
}

static void *replace(void *arg)
{
    pthread_mutex_lock(&m);
    free(now);
    now = malloc(sizeof *now);
    now->id = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    now = malloc(sizeof *now);
    now->id = 1;
    pthread_create(&a, NULL, look_twice, NULL);
    pthread_create(&b, NULL, replace, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
