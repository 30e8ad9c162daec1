/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded queue whose consumers check once whether there is something to take. */
#include <assert.h>
#include <pthread.h>

#define CAPACITY 2

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int items[CAPACITY];
    int n;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static void put(int item)
{
    pthread_mutex_lock(&queue.lock);
    queue.items[queue.n++] = item;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}

static int take(void)
{
    pthread_mutex_lock(&queue.lock);
    if (queue.n == 0)
        pthread_cond_wait(&queue.filled, &queue.lock);
    assert(queue.n > 0);
    int item = queue.items[--queue.n];
    pthread_mutex_unlock(&queue.lock);
    return item;
}

static void *consumer(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    put(1);
    put(2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
