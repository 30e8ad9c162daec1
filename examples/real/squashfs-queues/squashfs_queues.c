/* SPDX-License-Identifier: Apache-2.0
 * mksquashfs' queues: two threads that compress hand a buffer on, and one takes them in order. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caches-queues-lists.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif
enum { THREADS = 2, BUFFERS = THREADS * ROUNDS };

static struct queue *to_deflate;
static struct seq_queue *to_main;
static struct file_buffer buffers[BUFFERS];

/* What the queues use of mksquashfs.c. */
int add_overflow(int a, int b)
{
    return a + b < a;
}

int multiply_overflow(int a, int b)
{
    return (long)a * b != a * b;
}

void prep_exit(void)
{
}

void progressbar_error(char *format, ...)
{
    (void)format;
}

static void *deflator(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        seq_queue_put(to_main, queue_get(to_deflate));
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    to_deflate = queue_init(1);
    to_main = seq_queue_init();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, deflator, NULL);
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i].sequence = i;
        queue_put(to_deflate, &buffers[i]);
    }
    for (int i = 0; i < BUFFERS; i++)
        assert(seq_queue_get(to_main) == &buffers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
