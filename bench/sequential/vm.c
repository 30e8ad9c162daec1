/* SPDX-License-Identifier: Apache-2.0 */
/* A machine of one register: three instructions, operation in the high half of a byte, operand
 * in the low half.
 * sides: 21 */
#include "side.h"

enum { SIZE = 3 };

static int run(const uint8_t *code)
{
    uint32_t value = 1;
    int at = 0;
    while (SIDE(at < SIZE)) {
        uint32_t operand = code[at] & 15;
        switch (code[at++] >> 4) {
        case 0:
            CASE();
            return (int)value;
        case 1:
            CASE();
            value += operand;
            break;
        case 2:
            CASE();
            value *= operand;
            break;
        case 3:
            CASE();
            value ^= value << operand;
            break;
        case 4:
            CASE();
            if (SIDE(operand == 0))
                return -1;
            value /= operand;
            break;
        case 5:
            CASE();
            if (SIDE(value > 100 * operand))
                at++;
            break;
        default:
            CASE();
            return -2;
        }
    }
    return (int)value;
}

static int subject(const uint8_t *in)
{
    int value = run(in);
    if (SIDE(value < 0))
        return value;
    if (SIDE(value == 3360))
        return 1;
    if (SIDE(value == 0))
        return 2;
    return SIDE(value > 0x8000) ? 3 : 0;
}

SIDE_MAIN("\x01\x1f\x2f\x10\x20\x2e\x3f\x3b\x40\x4f\x50\x51\x60", "\x1f\x2f\x2e")
