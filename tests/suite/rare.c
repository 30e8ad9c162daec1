/* SPDX-License-Identifier: Apache-2.0 */
/* A bug that few preemptions lead to (--iterate), and random schedules never: two threads end between two
 * operations of a third. */
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *adder(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static int look(void)
{
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    return seen;
}

static void *looker(void *arg)
{
    int before = look(), after = look();
    assert(before != 0 || after != 2 * ROUNDS);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_create(&c, NULL, looker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
