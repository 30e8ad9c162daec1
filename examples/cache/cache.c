/* SPDX-License-Identifier: Apache-2.0 */
/* A cache whose entries count their users: a lookup takes its count after it has let go of the
 * lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct entry {
    atomic_int users;
    int value;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *slot;

static void release(entry *e)
{
    if (atomic_fetch_sub(&e->users, 1) == 1)
        free(e);
}

static entry *lookup(void)
{
    pthread_mutex_lock(&lock);
    entry *e = slot;
    pthread_mutex_unlock(&lock);
    if (e)
        atomic_fetch_add(&e->users, 1);
    return e;
}

static void evict(void)
{
    pthread_mutex_lock(&lock);
    entry *e = slot;
    slot = NULL;
    pthread_mutex_unlock(&lock);
    if (e)
        release(e);
}

static void *reader(void *arg)
{
    entry *e = lookup();
    if (e) {
        *(int *)arg = e->value;
        release(e);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    slot = malloc(sizeof *slot);
    atomic_init(&slot->users, 1);
    slot->value = 42;
    pthread_create(&t, NULL, reader, &seen);
    evict();
    pthread_join(t, NULL);
    return 0;
}
