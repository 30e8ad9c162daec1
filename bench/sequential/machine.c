/* SPDX-License-Identifier: Apache-2.0 */
/* A door with a code lock as a table of states and inputs; an alarm after wrong codes.
 * sides: 25 */
#include "side.h"

enum { SIZE = 5 };

typedef enum state { LOCKED, ONE, TWO, OPEN, ALARM } state;

static state step(state s, uint8_t key, int *wrong)
{
    switch (s) {
    case LOCKED:
        CASE();
        if (SIDE(key == '7'))
            return ONE;
        break;
    case ONE:
        CASE();
        if (SIDE(key == '3'))
            return TWO;
        break;
    case TWO:
        CASE();
        if (SIDE((key ^ 0x5a) == ('9' ^ 0x5a)))
            return OPEN;
        break;
    case OPEN:
        CASE();
        return SIDE(key == '#') ? LOCKED : OPEN;
    case ALARM:
        CASE();
        return ALARM;
    }
    *wrong += SIDE(key != '*');
    return SIDE(*wrong >= 3) ? ALARM : LOCKED;
}

static int subject(const uint8_t *in)
{
    state s = LOCKED;
    int wrong = 0;
    for (int i = 0; i < SIZE; i++)
        s = step(s, in[i], &wrong);
    if (SIDE(s == OPEN))
        return SIDE(wrong == 2) ? 1 : 2;
    if (SIDE(s == LOCKED && wrong == 0))
        return 3;
    return SIDE(s == ALARM) ? 4 : 0;
}

SIDE_MAIN("0739#*")
