/* SPDX-License-Identifier: Apache-2.0 */
/* The value of longjmp is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert sj2.c:23
 */
#include <assert.h>
#include <setjmp.h>
#include <treadle.h>

static jmp_buf b;
static void fail(int code)
{
    longjmp(b, code);
}
int main(void)
{
    int n = treadle_int("n");
    int r = setjmp(b);
    if (r == 0)
        fail((n & 3) + 1);
    assert(r != 3);
    return 0;
}
