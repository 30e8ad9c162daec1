/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a symbolic value concrete gives a ledger line each: expect: gaps 3 */
#include <stdarg.h>
#include <stdlib.h>
#include <treadle.h>

static int table[256];

static int variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(void)
{
    uint8_t x = treadle_u8("x");
    double half = x / 2.0;                /* a float */
    int sum = table[x];                   /* an address is a decision, no gap */
    sum += div((int)x, 3).quot;           /* the library */
    sum += variadic(1, (int)x);           /* followed, no gap */
    __asm__ volatile("" : : "r"((int)x)); /* assembly */
    for (int round = 0; round < 3; round++)
        sum += table[(uint8_t)(x + 1)] + (int)half; /* once */
    return sum == 12345;
}
