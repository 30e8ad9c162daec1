/* SPDX-License-Identifier: Apache-2.0 */
/* Code that hides what it does in macros, as large programs do. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define GUARDED(lock, body)                                                              \
    do {                                                                                 \
        pthread_mutex_lock(lock);                                                        \
        body;                                                                            \
        pthread_mutex_unlock(lock);                                                      \
    } while (0)
#define COUNTER(name)                                                                    \
    static struct {                                                                      \
        pthread_mutex_t lock;                                                            \
        long long value;                                                                 \
    } name = {PTHREAD_MUTEX_INITIALIZER, 0}
#define READ(counter, to) GUARDED(&(counter).lock, (to) = (counter).value)
#define WRITE(counter, from) GUARDED(&(counter).lock, (counter).value = (from))
#define INVARIANT(what)                                                                  \
    assert((what) && "the invariant of the statistics of all connections that are open")

COUNTER(connections);

static void *accept_one(void *arg)
{
    long long n;
    READ(connections, n);
    WRITE(connections, n + 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, accept_one, NULL);
    pthread_create(&b, NULL, accept_one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    INVARIANT(connections.value == 2);
    return 0;
}
