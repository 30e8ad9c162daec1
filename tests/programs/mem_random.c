/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of all sizes come and go in two threads, some freed by the other one; each is used to
 * its ends. Every run starts with the heap as it was.
 *
 * treadle: --search=random --runs=12 --leaks
 * expect: runs 12
 * expect: verdict incomplete
 * expect: ledger runs
 * treadle: --search=random --runs=6 --leaks --restart=fork
 * expect: runs 6
 * expect: verdict incomplete
 * expect: ledger runs
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLACES 64

static _Atomic(char *) shared[4];

typedef struct mine {
    uint32_t state;
    char *at[PLACES];
    size_t size[PLACES];
} mine;

static uint32_t next(mine *m)
{
    m->state = m->state * 1664525u + 1013904223u;
    return m->state >> 8;
}

static void change(mine *m, uint32_t i)
{
    static const size_t most[] = {8, 40, 300, 5000, 200000};
    size_t n = 1 + next(m) % most[next(m) % 5];
    if (m->at[i])
        assert(m->at[i][0] == 1 && m->at[i][m->size[i] - 1] == 1);
    if (next(m) % 3 == 0 && m->at[i]) {
        free(m->at[i]);
        m->at[i] = NULL;
        return;
    }
    m->at[i] = next(m) % 2 ? realloc(m->at[i], n) : (free(m->at[i]), calloc(n, 1));
    m->size[i] = n;
    m->at[i][0] = m->at[i][n - 1] = 1;
}

static void *worker(void *arg)
{
    mine m = {.state = (uint32_t)(uintptr_t)arg};
    for (int round = 0; round < 600; round++) {
        change(&m, next(&m) % PLACES);
        if (round % 50 == 0) {
            char *block = malloc(100);
            memset(block, 2, 100);
            free(atomic_exchange(&shared[next(&m) % 4], block));
        }
    }
    for (int i = 0; i < PLACES; i++)
        free(m.at[i]);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < 4; i++) {
        if (shared[i])
            assert(shared[i][0] == 2 && shared[i][99] == 2);
        free(shared[i]);
    }
    return 0;
}
