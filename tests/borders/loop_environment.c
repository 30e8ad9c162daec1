/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations that change the floating-point environment, the position of a stream or the stack of handlers: some of
 * them end in abort.
 *
 * treadle:
 * args: rounding
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: flags
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle: --goal=branches -k
 * args: flags
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: old
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: stream
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: position
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: stack
 * cflags: -lm
 * expect: verdict bug
 * expect: finding abort
 *
 * treadle:
 * args: nothing
 * cflags: -lm
 * expect: verdict complete
 */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int flag;
static char **arguments;
static char stacks[3][1 << 16];
static volatile double third;
static volatile long double long_third;

static void turn_rounding(void)
{
    int now = fegetround();
    if (now == FE_DOWNWARD)
        abort();
    fesetround(now == FE_TONEAREST ? FE_UPWARD : FE_DOWNWARD);
}

static void raise_flags(void)
{
    if (!fetestexcept(FE_INEXACT))
        feraiseexcept(FE_INEXACT);
    else if (!fetestexcept(FE_DIVBYZERO))
        feraiseexcept(FE_DIVBYZERO);
    else
        abort();
}

/* Flags of the older unit, which long double uses. */
static void raise_old(void)
{
    long_third = 1.0L;
    if (fetestexcept(FE_INEXACT))
        abort();
    long_third = long_third / 3.0L;
}

static void next_stack(void)
{
    stack_t now, next = {.ss_size = sizeof stacks[0]};
    sigaltstack(NULL, &now);
    if (now.ss_sp == stacks[1])
        abort();
    next.ss_sp = now.ss_sp == stacks[0] ? stacks[1] : stacks[0];
    sigaltstack(&next, NULL);
}

static void *waits(void *none)
{
    const char *what = arguments[1];
    FILE *f = fopen(arguments[0], "r");
    while (!atomic_load(&flag)) {
        if (strcmp(what, "rounding") == 0)
            turn_rounding();
        else if (strcmp(what, "flags") == 0)
            raise_flags();
        else if (strcmp(what, "old") == 0)
            raise_old();
        else if (strcmp(what, "stream") == 0 && getc(f) == 'F')
            abort();
        else if (strcmp(what, "position") == 0 && fgetc(f) != EOF && ftell(f) == 4)
            abort();
        else if (strcmp(what, "stack") == 0)
            next_stack();
        else
            third = cos(third);
        third = 1.0;
    }
    return none;
}

int main(int argc, char **argv)
{
    pthread_t t;
    arguments = argv;
    if (argc < 2)
        return 0;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
