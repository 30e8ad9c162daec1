/* SPDX-License-Identifier: Apache-2.0 */
/* A number among variable arguments is handed on to vsnprintf.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_vs.c:27
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

static void f(char *b, const char *fmt, ...)
{
    va_list a;
    va_start(a, fmt);
    vsnprintf(b, 16, fmt, a);
    va_end(a);
}
int main(void)
{
    char b[16];
    static int keep;
    keep = treadle_u8("n");
    f(b, "%d", keep);
    assert(strcmp(b, "77"));
    return 0;
}
