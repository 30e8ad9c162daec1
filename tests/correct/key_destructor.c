/* SPDX-License-Identifier: Apache-2.0 */
/* The destructor of a key runs in its thread before the join ends.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_key_t key;
static int n_destroyed;

static void destroy(void *value)
{
    assert(value == &key);
    n_destroyed++;
}

static void *body(void *arg)
{
    pthread_setspecific(key, &key);
    return arg;
}

int main(void)
{
    pthread_key_create(&key, destroy);
    run_threads(1, body);
    assert(n_destroyed == 1);
    return 0;
}
