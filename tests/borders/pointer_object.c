/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a pointer are an input: it is decided where it is read.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert pointer_object.c:19
 */
#include <assert.h>
#include <stdint.h>
#include <treadle.h>

static int one = 1, two = 2, *chosen;

int main(void)
{
    uintptr_t a = (uintptr_t)&one, b = (uintptr_t)&two;
    uintptr_t which = treadle_bool("which") ? a : b;
    chosen = (int *)which;
    assert(*chosen == 1);
    return 0;
}
