/* SPDX-License-Identifier: Apache-2.0 */
/* bench/sequential/side.h - which sides of its branches a program has taken.
 *
 * A program includes this, says `enum { SIZE = bytes of input };`, writes its branches as
 * SIDE(condition) and its cases as CASE(), defines `static int subject(const uint8_t *in)`
 * and ends with
 *
 *     SIDE_MAIN("alphabet", "input", ...)
 *
 * Built by treadle cc it runs subject once on an input of SIZE bytes:
 *
 *     program SIDES                notes the sides in the file SIDES, which is there already
 *     program SIDES ROUNDS TIME    runs it so often, writes nanoseconds to TIME
 *
 * Built by another compiler, without arguments, it runs subject on the inputs given and on
 * all strings of SIZE bytes from the alphabet (a sample, if there are many) and of any
 * bytes (a sample), and prints how many sides they took, and for which TREADLE_SEED the
 * input takes most of them.
 *
 * Sides go to memory shared with the file by code that treadle does not see, so the result does not
 * depend on treadle's own coverage. */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <treadle.h>

#include "../cost/kernel.h"

enum { MAX_SIDES = 4096 };

#ifdef __TREADLE__

/* Where no memory of the program, nor of treadle, lies. */
#define SIDE_AT UINT64_C(0x6a0000000000)

static inline void side_mark(unsigned side)
{
    kernel_mark(SIDE_AT + side);
}

static inline void side_open(const char *path)
{
    if (kernel_map(path, SIDE_AT, MAX_SIDES) != (long)SIDE_AT)
        abort();
}

#else

static uint8_t side_seen[MAX_SIDES];

static inline void side_mark(unsigned side)
{
    side_seen[side] = 1;
}

static inline void side_open(const char *path)
{
    (void)path;
}

#endif

static inline __attribute__((always_inline)) bool side_at(unsigned site, bool truth)
{
    if (truth) {
        side_mark(2 * site + 1);
        return true;
    }
    side_mark(2 * site);
    return false;
}

#define SIDE(condition) side_at(__COUNTER__, (condition))
/* One side only: that this place was reached. */
#define CASE() side_mark(2 * __COUNTER__)

/* ---- what plain builds do ---- */

enum { SIDE_SAMPLES = 3000000, SIDE_SEEDS = 3000 };

typedef int side_subject(const uint8_t *in);

static inline void side_sample(side_subject *subject, size_t size, const char *alphabet)
{
    size_t n = strlen(alphabet);
    uint64_t random = 1, count = 1;
    uint8_t in[256];
    for (size_t i = 0; i < size && count <= SIDE_SAMPLES; i++)
        count *= n;
    bool is_all = count <= SIDE_SAMPLES;
    for (uint64_t k = 0; k < (is_all ? count : SIDE_SAMPLES); k++) {
        uint64_t rest = k;
        for (size_t i = 0; i < size; i++, rest /= n)
            in[i] = (uint8_t)alphabet[(is_all ? rest : kernel_random(&random)) % n];
        subject(in);
    }
    for (uint64_t k = 0; k < SIDE_SAMPLES; k++) {
        for (size_t i = 0; i < size; i++)
            in[i] = (uint8_t)kernel_random(&random);
        subject(in);
    }
}

#ifndef __TREADLE__
static inline unsigned side_count(void)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < MAX_SIDES; i++)
        taken += side_seen[i];
    return taken;
}

static inline unsigned side_best_seed(side_subject *subject, size_t size)
{
    unsigned best = 0, most = 0;
    for (unsigned seed = 0; seed < SIDE_SEEDS; seed++) {
        char text[12];
        uint8_t in[256];
        memset(side_seen, 0, sizeof side_seen);
        snprintf(text, sizeof text, "%u", seed);
        setenv("TREADLE_SEED", text, 1);
        treadle_symbolic(in, size, "in");
        subject(in);
        if (side_count() > most) {
            most = side_count();
            best = seed;
        }
    }
    return best;
}

static inline int side_enumerate(side_subject *subject, size_t size,
                                 const char *const *given)
{
    for (size_t k = 1; given[k]; k++)
        subject((const uint8_t *)given[k]);
    side_sample(subject, size, given[0]);
    unsigned taken = side_count();
    printf("%u %u\n", taken, side_best_seed(subject, size));
    return 0;
}
#endif

static inline int side_run(side_subject *subject, uint8_t *in, size_t size, char **argv)
{
    uint64_t start, sum = 0;
    side_open(argv[1]);
    treadle_symbolic(in, size, "in");
    start = kernel_now_ns();
    for (int left = argv[2] ? atoi(argv[2]) : 1; left > 0; left--) {
        sum += (uint64_t)subject(in);
        __asm__ volatile("" : : "r"(in) : "memory"); /* or a compiler does it once */
    }
    return argv[2] ? kernel_report(argv[3], kernel_now_ns() - start, sum) : 0;
}

#ifdef __TREADLE__
#define SIDE_WITHOUT_FILE(...) 2
#else
#define SIDE_WITHOUT_FILE(...)                                                           \
    side_enumerate(subject, SIZE, (const char *const[]){__VA_ARGS__, NULL})
#endif

#define SIDE_MAIN(...)                                                                   \
    int main(int argc, char **argv)                                                      \
    {                                                                                    \
        uint8_t in[SIZE];                                                                \
        if (argc < 2)                                                                    \
            return SIDE_WITHOUT_FILE(__VA_ARGS__);                                       \
        return side_run(subject, in, SIZE, argv);                                        \
    }
