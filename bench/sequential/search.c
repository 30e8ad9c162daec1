/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search of a number in a table, and what lies between its neighbours.
 * sides: 14 */
#include "side.h"

enum { SIZE = 4, N = 15 };

static const int32_t table[N] = {-2000000000, -70000, -1234,   -77,      -1,
                                 0,           3,      9,       1000,     1024,
                                 4711,        65537,  9999999, 12345678, 2000000011};

static int find(int32_t key)
{
    int low = 0, high = N;
    while (low < high) {
        int middle = (low + high) / 2;
        if (SIDE(table[middle] == key))
            return middle;
        if (SIDE(table[middle] < key))
            low = middle + 1;
        else
            high = middle;
    }
    return -1 - low;
}

static int subject(const uint8_t *in)
{
    int32_t key = (int32_t)((uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 |
                            (uint32_t)in[1] << 8 | in[0]);
    int at = find(key);
    if (SIDE(at >= 0))
        return SIDE(at == 10) ? 1 : 2;
    at = -1 - at;
    if (SIDE(at == 0))
        return 3;
    if (SIDE(at == N))
        return 4;
    return SIDE(table[at] - key == key - table[at - 1]) ? 5 : 0;
}

SIDE_MAIN("\1\2\4", "\x67\x12\0\0", "\6\0\0\0", "\3\0\0\0")
