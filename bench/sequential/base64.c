/* SPDX-License-Identifier: Apache-2.0 */
/* Four characters of base64 become up to three bytes; three certain bytes are a prize.
 * sides: 22 */
#include "side.h"

enum { SIZE = 4 };

static int digit(uint8_t c)
{
    if (SIDE((uint8_t)(c - 'A') < 26))
        return c - 'A';
    if (SIDE((uint8_t)(c - 'a') < 26))
        return c - 'a' + 26;
    if (SIDE((uint8_t)(c - '0') < 10))
        return c - '0' + 52;
    if (SIDE(c == '+'))
        return 62;
    if (SIDE(c == '/'))
        return 63;
    return -1;
}

static int n_bytes(const uint8_t *in)
{
    if (SIDE(in[3] != '='))
        return 3;
    return SIDE(in[2] != '=') ? 2 : 1;
}

static int subject(const uint8_t *in)
{
    int n = n_bytes(in);
    uint32_t bits = 0;
    for (int i = 0; i <= n; i++) {
        int d = digit(in[i]);
        if (SIDE(d < 0))
            return -1;
        bits |= (uint32_t)d << (18 - 6 * i);
    }
    if (SIDE((bits & (0xffffffu >> 8 * n)) != 0)) /* bits behind the last byte */
        return -2;
    if (SIDE(n == 3 && bits == 0x796573u)) /* "yes" */
        return 100;
    if (SIDE((bits >> 16) == 0xff))
        return 101;
    return n;
}

SIDE_MAIN("AQZagz059+/=-", "eWVz", "/w==", "/x==")
