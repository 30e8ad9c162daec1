/* SPDX-License-Identifier: Apache-2.0 */
/* One character of UTF-8: overlong forms, surrogates and values that are too large fail.
 * sides: 22 */
#include "side.h"

enum { SIZE = 4 };

static bool is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

static int length(uint8_t first)
{
    if (SIDE(first < 0x80))
        return 1;
    if (SIDE((first & 0xe0) == 0xc0))
        return 2;
    if (SIDE((first & 0xf0) == 0xe0))
        return 3;
    if (SIDE((first & 0xf8) == 0xf0))
        return 4;
    return 0;
}

static int subject(const uint8_t *in)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = length(in[0]);
    if (SIDE(n == 0))
        return -1;
    uint32_t value = n == 1 ? in[0] : in[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if (SIDE(!is_tail(in[i])))
            return -2;
        value = value << 6 | (in[i] & 0x3f);
    }
    if (SIDE(value < least[n]))
        return -3;
    if (SIDE(value > 0x10ffff))
        return -4;
    if (SIDE(value >= 0xd800 && value < 0xe000))
        return -5;
    if (SIDE(value == 0x1f642))
        return -6;
    if (SIDE((value & 0xffff) >= 0xfffe))
        return -7;
    return (int)value;
}

SIDE_MAIN("a\x80\xbf\xc3\xe0\xed\xf0\xf4\xff", "\xf0\x9f\x99\x82", "\xf4\x8f\xbf\xbf")
