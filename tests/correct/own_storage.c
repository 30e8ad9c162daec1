/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-local variables, errno and the specific data of a key are each thread's own.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle: --goal=observations
 * expect: verdict complete */
#include <errno.h>
#include <sched.h>

#include "threads.h"

static _Thread_local int mine;
static pthread_key_t key;

static void *body(void *arg)
{
    mine = errno = number_of(arg) + 1;
    pthread_setspecific(key, &mine);
    sched_yield();
    assert(mine == number_of(arg) + 1 && errno == mine &&
           pthread_getspecific(key) == &mine);
    return arg;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    run_threads(2, body);
    assert(mine == 0);
    return 0;
}
