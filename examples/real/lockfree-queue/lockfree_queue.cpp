/* SPDX-License-Identifier: Apache-2.0 */
/* A producer and a consumer at a lock-free queue in C++. */
#include <assert.h>
#include <pthread.h>

#include <new>

#include "LockFreeQueueCpp11.h"

static LockFreeQueueCpp11<int> queue(2);

static void *producer(void *arg)
{
    queue.push(1);
    queue.push(2);
    return arg;
}

static void *consumer(void *arg)
{
    int got;
    if (queue.pop(got))
        assert(got == 1);
    return arg;
}

int main()
{
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, producer, nullptr);
    pthread_create(&threads[1], nullptr, consumer, nullptr);
    pthread_join(threads[0], nullptr);
    pthread_join(threads[1], nullptr);
    return 0;
}
