/* SPDX-License-Identifier: Apache-2.0 */
/* Roman numerals of up to five letters: value, and whether it is written the usual way.
 * sides: 29 */
#include "side.h"

enum { SIZE = 5 };

static int letter(uint8_t c)
{
    switch (c) {
    case 'I':
        CASE();
        return 1;
    case 'V':
        CASE();
        return 5;
    case 'X':
        CASE();
        return 10;
    case 'L':
        CASE();
        return 50;
    case 'C':
        CASE();
        return 100;
    default:
        CASE();
        return 0;
    }
}

static int value_of(const uint8_t *in, int n)
{
    int total = 0, last = 100, times = 0, limit = 1000;
    for (int i = 0; i < n; i++) {
        int value = letter(in[i]), next = i + 1 < n ? letter(in[i + 1]) : 0;
        if (SIDE(value == 0))
            return -1;
        times = value == last ? times + 1 : 1;
        if (SIDE(times > 3) || SIDE(times > 1 && (value == 5 || value == 50)))
            return -2;
        if (SIDE(value < next)) {
            if (SIDE(next > 10 * value) || SIDE(value == 5 || value == 50) ||
                SIDE(times > 1))
                return -3;
            limit = value;
            total -= value;
        } else {
            if (SIDE(value > limit && value > last * 10))
                return -4;
            total += value;
        }
        last = value;
    }
    return total;
}

static int subject(const uint8_t *in)
{
    int n = 0;
    while (n < SIZE && SIDE(in[n] != '\0'))
        n++;
    int value = value_of(in, n);
    if (SIDE(value < 0))
        return value;
    if (SIDE(value == 94))
        return 1000;
    return SIDE(value > 300) ? 1001 : value;
}

SIDE_MAIN("IVXLC", "XCIV\0", "CCCX\0", "\0\0\0\0\0", "IX\0\0\0")
