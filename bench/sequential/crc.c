/* SPDX-License-Identifier: Apache-2.0 */
/* A frame: kind, two bytes of data, their CRC-16, bit by bit.
 * sides: 14 */
#include "side.h"

enum { SIZE = 5 };

static uint16_t crc(const uint8_t *in, int n)
{
    uint16_t value = 0xffff;
    for (int i = 0; i < n; i++) {
        value ^= (uint16_t)(in[i] << 8);
        for (int bit = 0; bit < 8; bit++) {
            uint16_t top = value >> 15;
            value = (uint16_t)(value << 1 ^ (0x1021 & -top));
        }
    }
    return value;
}

static int subject(const uint8_t *in)
{
    uint16_t said = (uint16_t)(in[3] << 8 | in[4]);
    if (SIDE(said == 0))
        return -1;
    if (SIDE(crc(in, 3) != said))
        return -2;
    if (SIDE(in[0] == 1)) {
        uint16_t data = (uint16_t)(in[1] << 8 | in[2]);
        if (SIDE(data == 0x1234))
            return 1;
        return SIDE(data > 0xff00 && (said & 0xff) == 0x77) ? 2 : 3;
    }
    if (SIDE(in[0] == 7))
        return SIDE(said == 0xbeef) ? 4 : 5;
    return 0;
}

SIDE_MAIN("\1\7", "\x01\x12\x34\xe8\x6a", "\x01\xff\xae\xac\x77", "\x01\x01\x01\xd8\xbc",
          "\x07\x34\xfd\xbe\xef", "\x07\x00\x00\x49\x0c", "\x02\x00\x00\xa2\xfc")
