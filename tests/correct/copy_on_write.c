/* SPDX-License-Identifier: Apache-2.0 */
/* Readers keep the version they have; writers publish another one.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

typedef struct version {
    int n_users, value;
} version;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static version *current;

static version *take(void)
{
    pthread_mutex_lock(&lock);
    version *v = current;
    v->n_users++;
    pthread_mutex_unlock(&lock);
    return v;
}

static void drop(version *v)
{
    pthread_mutex_lock(&lock);
    int is_last = --v->n_users == 0;
    pthread_mutex_unlock(&lock);
    if (is_last)
        free(v);
}

static version *version_new(int value)
{
    version *v = malloc(sizeof *v);
    *v = (version){.n_users = 1, .value = value};
    return v;
}

static void *reader(void *arg)
{
    version *v = take();
    assert(v->value == 1 || v->value == 2);
    drop(v);
    return arg;
}

static void *writer(void *arg)
{
    version *v = version_new(2);
    pthread_mutex_lock(&lock);
    version *old = current;
    current = v;
    pthread_mutex_unlock(&lock);
    drop(old);
    return arg;
}

int main(void)
{
    current = version_new(1);
    run_two(reader, writer);
    drop(current);
    return 0;
}
