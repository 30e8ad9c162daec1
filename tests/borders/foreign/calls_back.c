/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

static int rounds;

void call_back(void (*step)(int), int n)
{
    for (int i = 0; i < n; i++) {
        step(i);
        rounds++;
    }
}

void make_thread(pthread_t *out, void *(*start)(void *))
{
    pthread_create(out, NULL, start, NULL);
    rounds++;
}
