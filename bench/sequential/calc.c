/* SPDX-License-Identifier: Apache-2.0 */
/* A calculator: digits, the four operations, parentheses. '\0' or the end ends it.
 * sides: 32 */
#include "side.h"

enum { SIZE = 5 };

typedef struct reader {
    const uint8_t *in;
    int at, error, depth;
} reader;

static int sum(reader *r);

static int peek(const reader *r)
{
    return r->at < SIZE ? r->in[r->at] : 0;
}

static int factor(reader *r)
{
    int c = peek(r), value;
    if (SIDE((unsigned)c - '0' < 10)) {
        r->at++;
        return c - '0';
    }
    if (SIDE(c != '(')) {
        r->error = 1;
        return 0;
    }
    r->at++;
    value = sum(r);
    if (SIDE(peek(r) != ')'))
        r->error = 2;
    r->at++;
    return value;
}

static int product(reader *r)
{
    int value = factor(r);
    while (SIDE(!r->error)) {
        int c = peek(r), right;
        if (SIDE(c != '*') && SIDE(c != '/'))
            return value;
        r->at++;
        right = factor(r);
        if (SIDE(c == '*'))
            value *= right;
        else if (SIDE(right == 0))
            r->error = 3;
        else
            value /= right;
    }
    return value;
}

static int sum(reader *r)
{
    int value = product(r);
    while (SIDE(!r->error)) {
        int c = peek(r);
        if (SIDE(c != '+') && SIDE(c != '-'))
            return value;
        r->at++;
        value += SIDE(c == '+') ? product(r) : -product(r);
    }
    return value;
}

static int subject(const uint8_t *in)
{
    reader r = {in, 0, 0, 0};
    int value = sum(&r);
    if (SIDE(r.error))
        return -r.error;
    if (SIDE(peek(&r) != 0))
        return -4;
    if (SIDE(value == 63))
        return 1;
    return SIDE(value < -50) ? 2 : 0;
}

SIDE_MAIN("029(+-*/)\0", "7*9\0", "0-9*9", "8/0\0", "(1+2)")
