/* SPDX-License-Identifier: Apache-2.0 */
/* addall: two threads append a vector to a shared one.
 *
 * After the paper's running example (Figure 2, not in Table 1): 3 threads, 1 input, k = 1. The room
 * that is needed is computed in one critical section, made and used in another: the count that is
 * used is the other thread's, and the assertion that there is room fails, for a length between 6 and
 * 10. FIXED: computed where it is used. */
#include "subject.h"

static pthread_mutex_t vector_lock = PTHREAD_MUTEX_INITIALIZER;
static GUARDED int n_used = 10, size = 20;

static int needed(int n)
{
    return n_used + n;
}

static void add_all(int n)
{
    lock(&vector_lock);
    int n_needed = needed(n);
#ifndef FIXED
    unlock(&vector_lock);
    lock(&vector_lock);
#endif
    if (n_needed > size)
        size = 2 * n_needed;
    assert(size >= needed(n));
    n_used = needed(n);
    unlock(&vector_lock);
}

static void *add(void *n)
{
    if (*(int *)n > 0 && *(int *)n < 100)
        add_all(*(int *)n);
    return NULL;
}

int main(void)
{
    int n = treadle_int("n");
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, &n);
    join_all(t, 2);
    return 0;
}
