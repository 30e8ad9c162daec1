/* SPDX-License-Identifier: Apache-2.0 */
/* An input is a value argument of functions that the C library has: what they make of it is not
 * followed.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete wide_value.c:18 wmemset
 * expect: ledger made concrete wide_value.c:20 wcschr
 */
#include <assert.h>
#include <treadle.h>
#include <wchar.h>

int main(void)
{
    wchar_t text[3];
    wchar_t x = (wchar_t)treadle_u8("x");
    wmemset(text, x, 3);
    assert(text[1] != 9);
    assert(!wcschr(L"abc", x) || x == 0);
    return 0;
}
