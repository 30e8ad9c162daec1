/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor remembers the thread that it runs in, and gives it a name: that is main.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <threads.h>

int pthread_setname_np(pthread_t thread, const char *name);

static pthread_t main_thread;
static thrd_t main_too;

__attribute__((constructor)) static void remember(void)
{
    main_thread = pthread_self();
    main_too = thrd_current();
    assert(pthread_setname_np(main_thread, "remembered") == 0);
}

static void *worker(void *arg)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    return arg;
}

int main(void)
{
    pthread_t thread;
    assert(pthread_equal(pthread_self(), main_thread));
    assert(thrd_equal(thrd_current(), main_too));
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
