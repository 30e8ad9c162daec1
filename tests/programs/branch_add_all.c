/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 2 of Farzan, Holzer, Razavi and Veith, 2013: a size is computed in one critical section and
 * used in another. It takes an order and an input, and plain variables under a lock.
 *
 * treadle: -k --goal=branches
 * expect: sides 8/8
 * expect: degrees 7/1
 * expect: verdict bug
 * expect: finding assert branch_add_all.c:44
 *
 * treadle: -k --goal=branches
 * cflags: -DFIXED
 * expect: sides 7/8
 * expect: degrees 7
 * expect: never branch_add_all.c:44 0
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <treadle.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count = 10, size = 20, more;

static int needed(void)
{
    pthread_mutex_lock(&lock);
    int n = count + more;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *add_all(void *arg)
{
    int n = needed();
    pthread_mutex_lock(&lock);
#ifdef FIXED
    n = count + more;
#endif
    if (n > size)
        size = n * 2;
    int room = size;
    int wanted = count + more;
    assert(room >= wanted);
    count = wanted;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    more = treadle_int("more");
    if (more < 0 || more > 1000)
        return 0;
    pthread_create(&a, NULL, add_all, NULL);
    pthread_create(&b, NULL, add_all, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
