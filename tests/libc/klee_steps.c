/* SPDX-License-Identifier: Apache-2.0 */
/* Marked for KLEE: numbers in a range, and values that are looked at.
 *
 * decisions: 3 */
#include <klee/klee.h>
#include <stdio.h>

int main(void)
{
    int steps = klee_range(0, 12, "steps"), start = klee_int("start");
    long at = start;
    for (int i = 0; i < steps; i++)
        at = at % 2 ? 3 * at + 1 : at / 2;
    if (!klee_is_symbolic((uintptr_t)start))
        printf("by hand\n");
    if (at == 1 && klee_get_value_i32(start) > 1000)
        klee_silent_exit(0);
    klee_assert(steps >= 0 && steps < 12);
    return 0;
}
