/* SPDX-License-Identifier: Apache-2.0 */
/* Every way in which a symbolic value goes where it is not followed: each line that says so is
 * in the ledger, and no other. */
#define _GNU_SOURCE
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treadle.h>

static int table[16];
static char text[16];
static double real;

static int first_of(const char *s, ...)
{
    return s[0];
}

static int sum_of(int n, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, n);
    while (n-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void)
{
    int x = treadle_int("x");
    unsigned i = treadle_uint("i");
    treadle_symbolic(text, sizeof text - 1, "text");
    real = x;                          /* lost: made concrete */
    int a = sum_of(2, x, 1);           /* followed */
    int b = table[i % 16];             /* a decision */
    long c = strtod(text, NULL) > 1.0; /* lost: made concrete */
    int d = ffsl((long)x);             /* lost: made concrete */
    char *e = malloc(i % 8 + 1);       /* a decision */
    memset(table, 0, i % 5);           /* a decision */
    printf("%d %s\n", x, text);
    fputs(text, stdout);
    int f = x > 3 ? 1 : 2;
    long g = atol(text) + (long)strlen(text);
    char copy[40];
    snprintf(copy, sizeof copy, "%d %s", x, text);
    int h = sscanf(copy, "%d", &a); /* lost: made concrete */
    f += first_of(text);            /* followed */
    free(e);
    return (a + b + (int)c + d + f + (int)g + h) & 0;
}
