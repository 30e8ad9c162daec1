/* SPDX-License-Identifier: Apache-2.0 */
/* The session is closed and freed under the lock; the reader took the pointer in an earlier
 * critical section.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_use_freed.c:33
 * expect: says read of 4 bytes (s->count) in a block of 4 bytes freed at mem_use_freed.c:41 by main, allocated at mem_use_freed.c:49 by main
 * treadle: --search=all -k
 * expect: verdict bug
 * expect: finding memory mem_use_freed.c:33
 * expect: says read of 4 bytes (s->count) in a block of 4 bytes freed
 * expect: ledger cut short mem_use_freed.c:33 */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int count;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;
static int sum;

static void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    struct session *s = current;
    pthread_mutex_unlock(&m);
    if (!s)
        return arg;
    pthread_mutex_lock(&m);
    sum += s->count;
    pthread_mutex_unlock(&m);
    return arg;
}

static void close_session(void)
{
    pthread_mutex_lock(&m);
    free(current);
    current = NULL;
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_t t;
    current = malloc(sizeof *current);
    current->count = 1;
    pthread_create(&t, NULL, reader, NULL);
    close_session();
    pthread_join(t, NULL);
    return 0;
}
