/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks travel between threads; contents and sizes are right.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: store x, store x
 * model: B: store y, store y */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_int cell[2];

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    char *text = strdup("a block of this thread");
    int *zero = calloc(100, sizeof *zero);
    for (int i = 0; i < 100; i++)
        assert(zero[i] == 0);
    atomic_store(&cell[me], 1);
    zero = realloc(zero, 100000 * sizeof *zero);
    zero[99999] = me;
    memset(zero, 0xff, 100 * sizeof *zero);
    free(zero);
    atomic_store(&cell[me], 2);
    return text;
}

int main(void)
{
    pthread_t a, b;
    void *ta, *tb;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, &ta);
    pthread_join(b, &tb);
    assert(ta != tb && strcmp(ta, tb) == 0);
    free(ta);
    free(tb);
    void *aligned = aligned_alloc(256, 512), *posix;
    assert((uintptr_t)aligned % 256 == 0);
    int rc = posix_memalign(&posix, 4096, 10);
    assert(rc == 0 && (uintptr_t)posix % 4096 == 0);
    free(aligned);
    free(posix);
    free(NULL);
    return 0;
}
