/* SPDX-License-Identifier: Apache-2.0 */
/* A date as YYYYMMDD: digits, months, lengths of months, leap years.
 * sides: 30 */
#include "side.h"

enum { SIZE = 8 };

static int number(const uint8_t *in, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++) {
        if (SIDE((uint8_t)(in[i] - '0') > 9))
            return -1;
        value = value * 10 + (in[i] - '0');
    }
    return value;
}

static bool is_leap(int year)
{
    if (SIDE(year % 4 != 0))
        return false;
    if (SIDE(year % 100 != 0))
        return true;
    return SIDE(year % 400 == 0);
}

static int days(int year, int month)
{
    if (SIDE(month == 2))
        return is_leap(year) ? 29 : 28;
    if (SIDE(month == 4 || month == 6 || month == 9 || month == 11))
        return 30;
    return 31;
}

static int subject(const uint8_t *in)
{
    int year = number(in, 4), month = number(in + 4, 2), day = number(in + 6, 2);
    if (SIDE(year < 0) || SIDE(month < 0) || SIDE(day < 0))
        return 1;
    if (SIDE(year < 1583))
        return 2;
    if (SIDE(month < 1) || SIDE(month > 12))
        return 3;
    if (SIDE(day < 1))
        return 4;
    if (SIDE(day > days(year, month)))
        return 5;
    if (SIDE(month == 2 && day == 29 && year == 2000))
        return 6;
    return 0;
}

SIDE_MAIN("0123456789", "20000229", "19000229", "20000431", "20000101", "1600021x")
