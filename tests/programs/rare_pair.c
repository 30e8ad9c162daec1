/* SPDX-License-Identifier: Apache-2.0 */
/* 20 threads set two numbers, one looks at both: it fails only if it looks between the two stores of the
 * first that comes. That it reads the second number before any store is a pair of places that no
 * run has covered yet, so it comes early.
 *
 * treadle:
 * expect: finding assert rare_pair.c:32
 * expect: verdict bug
 * expect: runs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SETTERS = 20 };

static atomic_int a, b;

static void *set(void *arg)
{
    (void)arg;
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return NULL;
}

static void *look(void *arg)
{
    (void)arg;
    int seen_a = atomic_load(&a);
    int seen_b = atomic_load(&b);
    assert(seen_a + seen_b == 0);
    return NULL;
}

int main(void)
{
    pthread_t t[SETTERS + 1];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&t[i], NULL, set, NULL);
    pthread_create(&t[SETTERS], NULL, look, NULL);
    for (int i = 0; i <= SETTERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
