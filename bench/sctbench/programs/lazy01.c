/* SPDX-License-Identifier: Apache-2.0 */
/* lazy01: three threads and one number. After CS.lazy01.
 *
 * Bug: the third one trusts that it comes before at least one of the others. FIXED:
 * they are not started before it has ended. */
#include <assert.h>

#include "../../programs/common.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add(void *number)
{
    pthread_mutex_lock(&lock);
    data += (int)(intptr_t)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(data < 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
#ifdef FIXED
    pthread_t first = start(look, 0);
    pthread_join(first, NULL);
    pthread_t t[2] = {start(add, 1), start(add, 2)};
    join_all(t, 2);
#else
    pthread_t t[3] = {start(add, 1), start(add, 2), start(look, 0)};
    join_all(t, 3);
#endif
    return 0;
}
