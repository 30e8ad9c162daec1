/* SPDX-License-Identifier: Apache-2.0 */
/* A setting "xNNNN" read by strtol of the C library: ranges, rests, bases.
 * sides: 18 */
#include "side.h"

enum { SIZE = 5 };

static int subject(const uint8_t *in)
{
    char text[SIZE + 1] = {0}, *end;
    memcpy(text, in, SIZE);
    int base = SIDE(text[0] == 'x') ? 16 : 10;
    if (SIDE(base == 10 && text[0] != 'd'))
        return -1;
    long value = strtol(text + 1, &end, base);
    if (SIDE(end == text + 1))
        return -2;
    if (SIDE(*end != '\0'))
        return -3;
    if (SIDE(value < 0))
        return SIDE(value == -99) ? 1 : 2;
    if (SIDE(base == 16 && value > 0xff00))
        return 3;
    if (SIDE(value == 1024))
        return 4;
    return SIDE(value % 7 == 3) ? 5 : 0;
}

SIDE_MAIN("xd- 0129f", "d-99\0\0", "d1024\0", "xff02\0", "x\0\0\0\0\0")
