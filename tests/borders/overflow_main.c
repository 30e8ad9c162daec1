/* SPDX-License-Identifier: Apache-2.0 */
/* main's stack overflows: by small frames, by a call of the runtime, and by an array that steps far
 * over its end. Once the process ended without a word, or nothing was noticed.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding crash overflow_main.c:32
 * treadle:
 * args: atomic
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding crash overflow_main.c:26
 * treadle:
 * args: array more
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding crash overflow_main.c:44 */
#include <stdatomic.h>
#include <string.h>

static atomic_int counter;

/* One line: which part of it meets the end first is the code generator's choice. */
/* clang-format off */
static int by_calls(int n) { char frame[1000]; memset(frame, n, sizeof frame); return by_calls(atomic_fetch_add(&counter, 1)) + frame[n % 1000]; }
/* clang-format on */

static int by_frames(int n)
{
    volatile char frame[200];
    frame[n % 200] = 1;
    return by_frames(n + 1) + frame[n % 200];
}

static __attribute__((noinline)) int first(const volatile char *at)
{
    return *at;
}

static int by_array(void)
{
    char array[12 << 20];
    memset(array, 1, 100);
    return first(array) - 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc == 1 ? by_frames(0) : argc == 2 ? by_calls(0) : by_array();
}
