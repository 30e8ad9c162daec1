/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads, N operations each; with an argument it fails at the end of every run, with two it exits so. N 0: no
 * thread. N 1: a loop without an operation and without an end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
    for (int i = 0; i < N; i++)
        x = x + i;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    for (volatile int i = 0; N == 1; i = !i)
        ;
    if (N == 0)
        return 0;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc != 2);
    return argc > 2;
}
