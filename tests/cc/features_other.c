/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
struct {
    int x, y;
} ext_s = {3, 4};
int ext_other(int a)
{
    ext_s.y += a;
    return ext_s.x;
}
unsigned sleep(unsigned s)
{
    return s + 1;
} /* the program's own */
