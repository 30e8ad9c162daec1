/* SPDX-License-Identifier: Apache-2.0 */
/* Tricks with the bits of one word: counts, parity, reversal, Gray code, rotation.
 * sides: 14 */
#include "side.h"

enum { SIZE = 4 };

static uint32_t count(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

static uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

static uint32_t gray_inverse(uint32_t g)
{
    for (int shift = 16; shift > 0; shift /= 2)
        g ^= g >> shift;
    return g;
}

static uint32_t rotate(uint32_t x, uint32_t by)
{
    return x << (by & 31) | x >> (-by & 31);
}

static int subject(const uint8_t *in)
{
    uint32_t x =
        (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0];
    int result = 0;
    if (SIDE(x != 0 && (x & (x - 1)) == 0))
        result |= 1;
    if (SIDE(count(x) == 29))
        result |= 2;
    if (SIDE(x != 0 && reverse(x) == x))
        result |= 4;
    if (SIDE(gray_inverse(x) == 0xcafe1234u))
        result |= 8;
    if (SIDE(rotate(x, x >> 27) == 0x12345678u))
        result |= 16;
    if (SIDE((int32_t)(x ^ x << 1 ^ 0x5a5a5a5au) == INT32_MIN))
        result |= 32;
    if (SIDE(((x - 0x01010101u) & ~x & 0x80808080u) != 0)) /* a byte is zero */
        result |= 64;
    return result;
}

SIDE_MAIN("\1\2\4", "\0\0\0\4", "\x81\0\0\x81", "\xff\xff\xf7\xf3", "\x2e\x1b\x81\xaf",
          "\x3c\x2b\x1a\x09", "\x36\x36\x36\xb6")
