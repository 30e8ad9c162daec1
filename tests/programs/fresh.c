/* SPDX-License-Identifier: Apache-2.0 */
/* Every run starts with fresh memory: data, bss, heap, the C library's own state.
 *
 * treadle: --search=all
 * expect: runs 35
 * expect: verdict complete
 * hand: 0
 * model: main: create A, 3* store x, create B
 * model: A: 3* store y
 * model: B: join A, join main */
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x, y;
static int data = 11, bss;
static int large[100000];
static char *kept;
static __thread int local = 3;

static void *worker(void *arg)
{
    assert(local == 3);
    local = 4;
    for (int i = 0; i < 3; i++)
        atomic_store(&y, i);
    return arg;
}

static void at_exit(void)
{
    data = 13;
}

int main(void)
{
    pthread_t t;
    char words[] = "a b", *rest = words;

    assert(data == 11 && bss == 0 && kept == NULL && local == 3 && x == 0);
    assert(large[0] == 0 && large[99999] == 0);
    assert(getenv("TREADLE_TEST_FRESH") == NULL);
    assert(strtok(words, " ") == words && strtok(NULL, " ") == rest + 2);
    data = 12;
    bss = 1;
    local = 5;
    large[0] = large[99999] = 1;
    kept = malloc(1000);
    setenv("TREADLE_TEST_FRESH", "1", 1);
    atexit(at_exit);
    printf("no newline");

    pthread_create(&t, NULL, worker, NULL);
    for (int i = 1; i <= 3; i++)
        atomic_store(&x, i);
    pthread_exit(NULL);
}
