/* SPDX-License-Identifier: Apache-2.0 */
/* Marked for KLEE: the kind of a triangle by its sides.
 *
 * run: -k
 * verdict: complete
 * decisions: 5 */
#include <klee/klee.h>

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static enum kind classify(int a, int b, int c)
{
    if (a + b <= c || b + c <= a || a + c <= b)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    return a == b || b == c || a == c ? ISOSCELES : SCALENE;
}

int main(void)
{
    int sides[3];
    klee_make_symbolic(sides, sizeof sides, "sides");
    for (int i = 0; i < 3; i++)
        klee_assume(sides[i] > 0 & sides[i] < 100);
    enum kind kind = classify(sides[0], sides[1], sides[2]);
    klee_assert(kind != EQUILATERAL || sides[0] == sides[2]);
    klee_warning("classified");
    return 0;
}
