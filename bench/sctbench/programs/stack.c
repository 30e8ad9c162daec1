/* SPDX-License-Identifier: Apache-2.0 */
/* stack [N]: one thread pushes N times, another pops N times.
 *
 * After CS.stack. Bug: that the first push was done is taken for "not empty" ever after.
 * FIXED: the popper looks at the height, under the lock. */
#include <assert.h>

#include "../../programs/common.h"

enum { MOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[MOST], height, has_begun, n;

static void *pusher(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        item[height++] = i;
        has_begun = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static int is_ready(void)
{
#ifdef FIXED
    return height > 0;
#else
    return has_begun;
#endif
}

static void *popper(void *arg)
{
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        if (is_ready()) {
            height--;
            assert(height >= 0);
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(int argc, char **argv)
{
    n = size_arg(argc, argv, 1, 3, MOST);
    pthread_t t[2] = {start(pusher, 0), start(popper, 1)};
    join_all(t, 2);
    return 0;
}
