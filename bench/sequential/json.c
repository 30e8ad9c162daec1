/* SPDX-License-Identifier: Apache-2.0 */
/* A tokenizer of JSON that also checks how brackets nest. Space or '\0' ends the text.
 * sides: 40 */
#include "side.h"

enum { SIZE = 5, DEPTH = 4 };

typedef struct reader {
    const uint8_t *in;
    int at, depth;
    uint8_t open[DEPTH];
} reader;

static uint8_t peek(const reader *r)
{
    return r->at < SIZE ? r->in[r->at] : 0;
}

static bool word(reader *r, const char *rest)
{
    for (; *rest; rest++) {
        r->at++;
        if (SIDE(peek(r) != (uint8_t)*rest))
            return false;
    }
    r->at++;
    return true;
}

static bool string(reader *r)
{
    for (;;) {
        uint8_t c = (r->at++, peek(r));
        if (SIDE(c < 0x20))
            return false;
        if (SIDE(c == '"'))
            break;
        if (SIDE(c == '\\')) {
            c = (r->at++, peek(r));
            if (SIDE(c != '"' && c != '\\' && c != 'n'))
                return false;
        }
    }
    r->at++;
    return true;
}

static bool number(reader *r)
{
    if (SIDE(peek(r) == '-'))
        r->at++;
    uint8_t first = peek(r);
    if (SIDE((uint8_t)(first - '0') > 9))
        return false;
    r->at++;
    while (SIDE((uint8_t)(peek(r) - '0') <= 9)) {
        if (SIDE(first == '0'))
            return false;
        r->at++;
    }
    return true;
}

static bool bracket(reader *r, uint8_t c)
{
    if (SIDE(c == '[') || SIDE(c == '{')) {
        if (SIDE(r->depth == DEPTH))
            return false;
        r->open[r->depth++] = c;
        r->at++;
        return true;
    }
    if (SIDE(r->depth == 0))
        return false;
    r->at++;
    return SIDE(r->open[--r->depth] + 2 == c);
}

static bool token(reader *r, uint8_t c)
{
    switch (c) {
    case '[':
    case ']':
    case '{':
    case '}':
        CASE();
        return bracket(r, c);
    case '"':
        CASE();
        return string(r);
    case 't':
        CASE();
        return word(r, "rue");
    case 'n':
        CASE();
        return word(r, "ull");
    case ',':
    case ':':
        CASE();
        r->at++;
        return r->depth > 0;
    default:
        CASE();
        return number(r);
    }
}

static int subject(const uint8_t *in)
{
    reader r = {.in = in};
    int n = 0;
    while (SIDE(peek(&r) > ' ')) {
        if (SIDE(!token(&r, peek(&r))))
            return -1;
        n++;
    }
    return SIDE(r.depth == 0) ? n : -2;
}

SIDE_MAIN("[]{}\"\\n-09tu,: ", "true ", "null ", "[[[[[")
