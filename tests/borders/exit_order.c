/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers run newest first, whatever function registered them, then destructors, and in every run
 * anew; a handler that calls exit goes on with the rest; the last thread to leave ends the process.
 *
 * treadle:
 * hand: 0
 * expect: verdict complete
 *
 * treadle:
 * args: leave
 * hand: 0
 * expect: verdict complete
 *
 * treadle: --exit-code=ignore
 * args: exit
 * hand: 3
 * expect: verdict complete
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __cxa_atexit(void (*)(void *), void *, void *);

static atomic_int x;
static int step;
static int want_code;

static void third(void)
{
    assert(step++ == 2);
}

static void second(int code, void *p)
{
    assert(step++ == 1 && code == want_code && p == &step);
    if (want_code == 3)
        exit(3);
}

static void first(void *p)
{
    assert(step++ == 0 && p == &x);
}

__attribute__((destructor(200))) static void fin_last(void)
{
    assert(step == 4);
}

__attribute__((destructor(300))) static void fin_first(void)
{
    assert(step++ == 3);
}

static void *add(void *p)
{
    atomic_fetch_add(&x, 1);
    return p;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    atexit(third);
    on_exit(second, &step);
    __cxa_atexit(first, &x, 0);
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    if (argc > 1 && argv[1][0] == 'l')
        pthread_exit(0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    if (argc > 1)
        exit(want_code = 3);
    return 0;
}
