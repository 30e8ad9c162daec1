/* SPDX-License-Identifier: Apache-2.0 */
/* A hash with multiplications; it decides the slot, and one name is not to be guessed.
 * sides: 10 */
#include "side.h"

enum { SIZE = 3 };

static uint32_t hash(const uint8_t *in, int n)
{
    uint32_t value = 2166136261u;
    for (int i = 0; i < n; i++)
        value = (value ^ in[i]) * 16777619u;
    return value;
}

static int subject(const uint8_t *in)
{
    for (int i = 0; i < SIZE; i++)
        if (SIDE((uint8_t)(in[i] - 'a') >= 26))
            return -1;
    uint32_t value = hash(in, SIZE);
    if (SIDE(value == 0xe04e3f61u))
        return 1;
    if (SIDE((value ^ value >> 16) % 61 == 5))
        return 2;
    if (SIDE(value % 1000 == 7))
        return 3;
    return SIDE(value >> 24 == 0xff) ? 4 : 0;
}

SIDE_MAIN("abcdefghijklmnopqrstuvwxyz", "sun")
