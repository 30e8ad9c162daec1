/* SPDX-License-Identifier: Apache-2.0 */
/* After main has left, handlers run when the last thread has ended: after all of them.
 *
 * treadle:
 * hand: 0
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a, b, c;
static pthread_t main_thread;

static void handler(void)
{
    assert(a == 1 && b == 2 && c == 3);
}

static void *grandchild(void *arg)
{
    c = 3;
    return arg;
}

static void *child(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, grandchild, NULL);
    pthread_detach(t);
    b = 2;
    return arg;
}

static void *joins_main(void *arg)
{
    pthread_join(main_thread, NULL);
    a = 1;
    return arg;
}

int main(void)
{
    pthread_t t, u;
    main_thread = pthread_self();
    atexit(handler);
    pthread_create(&t, NULL, child, NULL);
    pthread_create(&u, NULL, joins_main, NULL);
    pthread_exit(NULL);
}
