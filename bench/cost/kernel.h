/* SPDX-License-Identifier: Apache-2.0 */
/* bench/cost/kernel.h - timing that virtual time does not hide.
 *
 * A program includes this, defines `static uint64_t kernel(uint32_t round)` and ends with
 * KERNEL_MAIN(rounds). It runs the kernel that often and writes nanoseconds and a checksum
 * to the file named by its argument, or to standard output. kernel.c does that.
 */
#pragma once

#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Processor time of the thread: a busy machine does not count. */
uint64_t kernel_now_ns(void);
/* Writes both to the file, unless it has a faster one; to standard output if path is NULL. */
int kernel_report(const char *path, uint64_t ns, uint64_t sum);
/* Maps a file for all to see, at this address; the address, or an error. */
long kernel_map(const char *path, uint64_t at, uint64_t size);
void kernel_mark(uint64_t at); /* stores a 1 there */

/* A step of a linear congruential generator, upper bits. */
static inline uint32_t kernel_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#define KERNEL_MAIN(rounds)                                                              \
    int main(int argc, char **argv)                                                      \
    {                                                                                    \
        uint64_t sum = 0, start = kernel_now_ns();                                       \
        for (uint32_t round = 0; round < (rounds); round++)                              \
            sum = sum * 31 + kernel(round);                                              \
        uint64_t ns = kernel_now_ns() - start;                                           \
        return kernel_report(argc > 1 ? argv[1] : NULL, ns, sum);                        \
    }
