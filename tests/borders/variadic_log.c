/* SPDX-License-Identifier: Apache-2.0 */
/* More variable arguments than registers, floating point between them.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert variadic_log.c:27
 */
#include <assert.h>
#include <stdarg.h>
#include <treadle.h>

static int last_of(int n, ...)
{
    va_list list;
    int value = 0;
    va_start(list, n);
    (void)va_arg(list, double);
    for (int i = 0; i < n; i++)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(void)
{
    int x = treadle_u8("x");
    assert(last_of(7, 0.5, 1, 2, 3, 4, 5, 6, x) != 77);
    return 0;
}
