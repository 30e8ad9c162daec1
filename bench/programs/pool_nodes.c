/* SPDX-License-Identifier: Apache-2.0 */
/* Workers take nodes out of a list, and free them. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static node *first;
static bool is_over;
static int sum;

static node *take(void)
{
    pthread_mutex_lock(&lock);
    while (!first && !is_over)
        pthread_cond_wait(&filled, &lock);
    node *n = first;
    if (n)
        first = n->next;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *work(void *arg)
{
    for (node *n; (n = take());) {
        pthread_mutex_lock(&lock);
        sum += n->value;
        pthread_mutex_unlock(&lock);
        free(n);
    }
    return arg;
}

static void put(int value)
{
    node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&lock);
    n->next = first;
    first = n;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 1; i <= TURNS; i++)
        put(i);
    pthread_mutex_lock(&lock);
    is_over = true;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(sum == TURNS * (TURNS + 1) / 2);
    return 0;
}
