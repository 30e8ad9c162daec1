/* SPDX-License-Identifier: Apache-2.0 */
/* A thread without operations ends at once and gives no choice.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A:
 * model: B: */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *twice(void *arg)
{
    return (void *)((uintptr_t)arg * 2);
}

int main(void)
{
    pthread_t a, b;
    void *va, *vb;
    pthread_create(&a, NULL, twice, (void *)3);
    pthread_create(&b, NULL, twice, (void *)4);
    pthread_join(a, &va);
    pthread_join(b, &vb);
    assert((uintptr_t)va == 6 && (uintptr_t)vb == 8);
    return 0;
}
