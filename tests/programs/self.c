/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_self and pthread_equal.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *worker(void *arg)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    *(pthread_t *)arg = pthread_self();
    return NULL;
}

int main(void)
{
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self()));
    pthread_t a, b, self_a, self_b;
    pthread_create(&a, NULL, worker, &self_a);
    pthread_create(&b, NULL, worker, &self_b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_equal(a, self_a) && pthread_equal(b, self_b));
    assert(!pthread_equal(a, main_thread) && !pthread_equal(self_a, self_b));
    return 0;
}
