/* SPDX-License-Identifier: Apache-2.0 */
/* A file header: magic by memcmp, version, length, and a sum over the rest.
 * sides: 16 */
#include "side.h"

enum { SIZE = 9 };

static int subject(const uint8_t *in)
{
    if (SIDE(memcmp(in, "TRDL", 4) != 0))
        return SIDE(memcmp(in, "LDRT", 4) == 0) ? -2 : -1;
    if (SIDE(in[4] < 2) || SIDE(in[4] > 3))
        return -3;
    unsigned length = in[5];
    if (SIDE(length > 2))
        return -4;
    unsigned sum = 0;
    for (unsigned i = 0; i < length; i++)
        sum = sum * 31 + in[6 + i];
    if (SIDE(in[8] != (uint8_t)(sum ^ sum >> 8)))
        return -5;
    if (SIDE(in[4] == 3 && sum == 3000))
        return 1;
    return SIDE(length == 0) ? 2 : 3;
}

SIDE_MAIN("TRDL\2\3\1", "LDRTxxxxx", "TRDL\2\0\1\1\0", "TRDL\2\0\1\1\1",
          "TRDL\3\2\x5a\xd2\xb3", "TRDL\4xxxx", "TRDL\1xxxx", "TRDL\3\3xxx")
