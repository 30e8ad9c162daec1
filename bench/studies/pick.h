/* SPDX-License-Identifier: Apache-2.0 */
/* bench/studies/pick.h - choices of an intruder, and messages that arrive.
 *
 * A choice is an input, a message that arrives is a thread. Built with -DSAMPLE by any
 * compiler, a study tries random choices and random orders instead, `study TRIALS [ARGS]`,
 * and prints how often its assertion failed: how rarely an attack is met by chance, even by
 * one who knows the numbers that matter. There a message waits in a list, and what is in the
 * list may run whenever a lock is taken while none is held. */
#pragma once

#include <stdbool.h>

#include "../programs/common.h"

/* c ? a : b without a branch: what was chosen stays open until somebody looks at it. */
static inline int either(bool c, int a, int b)
{
    return b ^ ((a ^ b) & -(int)c);
}

#ifndef SAMPLE

#include <treadle.h>

/* The numbers that samples are taken from. */
#define PICK_FROM(...)

static inline int pick(const char *name)
{
    return treadle_int(name);
}

static inline void deliver(body *f, int number)
{
    start(f, number);
}

#else

#include <setjmp.h>

enum { PICK_PENDING = 64, PICK_FAILED = 2 };

extern char __data_start, _end; /* all variables of the program, by the linker */
extern const int pick_numbers[], pick_n;
static struct pick_call {
    body *f;
    int number;
} pick_pending[PICK_PENDING];
static int pick_n_pending, pick_depth;
static uint64_t *pick_state;
static jmp_buf *pick_end;

#define PICK_FROM(...)                                                                   \
    const int pick_numbers[] = {__VA_ARGS__};                                            \
    const int pick_n = sizeof pick_numbers / sizeof *pick_numbers;
#define treadle_assert(c) ((c) ? (void)0 : longjmp(*pick_end, PICK_FAILED))
#define treadle_assume(c) ((c) ? (void)0 : longjmp(*pick_end, 1))
#define leave() 0

static inline unsigned pick_random(void)
{
    *pick_state =
        *pick_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*pick_state >> 33);
}

static inline void deliver(body *f, int number)
{
    pick_pending[pick_n_pending++] = (struct pick_call){f, number};
}

static inline void pick_run_one(void)
{
    int k = (int)(pick_random() % (unsigned)pick_n_pending);
    struct pick_call call = pick_pending[k];
    pick_pending[k] = pick_pending[--pick_n_pending];
    call.f((void *)(intptr_t)call.number);
}

static inline void pick_lock(void)
{
    while (pick_depth == 0 && pick_n_pending > 0 && pick_random() % 2)
        pick_run_one();
    pick_depth++;
}

#define pthread_mutex_lock(m) ((void)(m), pick_lock())
#define pthread_mutex_unlock(m) ((void)(m), pick_depth--)

static inline int pick(const char *name)
{
    (void)name;
    return pick_numbers[pick_random() % (unsigned)pick_n];
}

static int study(int argc, char **argv);

/* Every trial starts with the same variables, put back by copying. */
int main(int argc, char **argv)
{
    long trials = argc > 1 ? atol(argv[1]) : 1000000;
    volatile long failed = 0;
    size_t size = (size_t)(&_end - &__data_start);
    char *saved = malloc(size);
    uint64_t state = 1;
    jmp_buf end;
    pick_state = &state;
    pick_end = &end;
    memcpy(saved, &__data_start, size);
    for (volatile long n = 0; n < trials; n++) {
        int how = setjmp(end);
        if (how == 0) {
            study(argc - 1, argv + 1);
            while (pick_n_pending > 0)
                pick_run_one();
        }
        failed = failed + (how == PICK_FAILED);
        memcpy(&__data_start, saved, size);
    }
    printf("%ld of %ld\n", failed, trials);
    return 0;
}

#define main study

#endif
