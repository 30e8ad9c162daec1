/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors run by priority, in every run anew, with the arguments of main; handlers that they
 * register are called.
 *
 * treadle:
 * args: word
 * hand: 0
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int step;
static char *given;
static atomic_int x;

static void handler(void)
{
    assert(step == 3 && x == 2);
}
__attribute__((constructor(300))) static void second(void)
{
    assert(step++ == 1);
}
__attribute__((constructor(200))) static void first(int argc, char **argv, char **envp)
{
    assert(step++ == 0 && argc == 2 && envp);
    given = argv[1];
    atexit(handler);
}
__attribute__((constructor)) static void third(void)
{
    assert(step++ == 2);
}

static void *add(void *arg)
{
    x++;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    assert(step == 3 && argc == 2 && given == argv[1]);
    pthread_create(&t, NULL, add, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
