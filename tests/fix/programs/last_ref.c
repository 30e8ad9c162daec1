/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * held out
 * idea: drop and free in one step, under the lock that finds the object */
#include <pthread.h>
#include <stdlib.h>

struct object {
    int refs, value;
};
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct object *entry;

static void *drop(void *arg)
{
    struct object *o = entry;
    pthread_mutex_lock(&table);
    int left = --o->refs;
    pthread_mutex_unlock(&table);
    if (left == 0) {
        pthread_mutex_lock(&table);
        entry = NULL;
        pthread_mutex_unlock(&table);
        free(o);
    }
    return arg;
}

static void *get(void *arg)
{
    pthread_mutex_lock(&table);
    struct object *o = entry;
    if (o)
        o->refs++;
    pthread_mutex_unlock(&table);
    if (o) {
        pthread_mutex_lock(&table);
        o->value++;
        pthread_mutex_unlock(&table);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    entry = calloc(1, sizeof *entry);
    entry->refs = 1;
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
