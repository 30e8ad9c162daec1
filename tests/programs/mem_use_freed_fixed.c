/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_use_freed.c, but sessions are counted: the last user frees.
 *
 * treadle:
 * expect: runs 8
 * expect: events 49
 * expect: verdict complete
 * treadle: --search=all --leaks
 * expect: runs 8
 * expect: events 73
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int count, users;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;
static int sum;

static struct session *take(void)
{
    pthread_mutex_lock(&m);
    struct session *s = current;
    if (s)
        s->users++;
    pthread_mutex_unlock(&m);
    return s;
}

static void drop(struct session *s)
{
    pthread_mutex_lock(&m);
    int left = --s->users;
    pthread_mutex_unlock(&m);
    if (left == 0)
        free(s);
}

static void *reader(void *arg)
{
    struct session *s = take();
    if (!s)
        return arg;
    pthread_mutex_lock(&m);
    sum += s->count;
    pthread_mutex_unlock(&m);
    drop(s);
    return arg;
}

static void close_session(void)
{
    pthread_mutex_lock(&m);
    struct session *s = current;
    current = NULL;
    pthread_mutex_unlock(&m);
    drop(s);
}

int main(void)
{
    pthread_t t;
    current = malloc(sizeof *current);
    current->count = current->users = 1;
    pthread_create(&t, NULL, reader, NULL);
    close_session();
    pthread_join(t, NULL);
    return 0;
}
