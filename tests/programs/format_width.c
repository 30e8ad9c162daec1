/* SPDX-License-Identifier: Apache-2.0 */
/* A width that is too large for an int is none to the C library: one character is stored, and one is accessed.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 1
 *
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 1 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char c = 0, text[2] = {0};
    /* The last one is 1 more than a multiple of 2^64. */
    const char *formats[] = {"%2147483648c", "%99999999999c", "%18446744073709551617c"};
    for (int i = 0; i < 3; i++)
        assert(sscanf("xyz", formats[i], &c) == 1 && c == 'x');
    const char *precise = "%.99999999999s";
    assert(snprintf(text, sizeof text, precise, "abc") < 0);
    return 0;
}
