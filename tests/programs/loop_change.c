/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that do not only wait: rounds that change memory, draw numbers, count, or take and give back
 * memory are not left out.
 *
 * treadle:
 * expect: runs 1
 * expect: events 28
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int plain;
static _Thread_local int own;

/* Three rounds, whatever the flag is. */
static void count_plain(void)
{
    plain = 0;
    do
        plain++;
    while (!atomic_load(&flag) && plain < 3);
    own = 0;
    do
        own++;
    while (!atomic_load(&flag) && own < 3);
}

static void count_in_frame(void)
{
    int at[4] = {0};
    for (;;) {
        at[plain & 3]++;
        if (atomic_load(&flag) || at[plain & 3] == 3)
            break;
    }
}

static __attribute__((noinline)) int bump(int *p)
{
    return ++*p;
}

static void count_elsewhere(void)
{
    plain = 0;
    while (bump(&plain) < 3 && !atomic_load(&flag))
        continue;
}

static void draw(void)
{
    while (!atomic_load(&flag) && rand() % 4 != 0)
        free(malloc(8));
}

static void *worker(void *arg)
{
    count_plain();
    count_in_frame();
    count_elsewhere();
    draw();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(plain == 3 && own == 0);
    return 0;
}
