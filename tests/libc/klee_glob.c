/* SPDX-License-Identifier: Apache-2.0 */
/* Marked for KLEE: a pattern with stars and question marks against a text.
 *
 * run: -k
 * verdict: complete
 * decisions: 5 */
#include <klee/klee.h>
#include <string.h>

static int matches(const char *pattern, const char *text)
{
    for (; *pattern; pattern++, text++) {
        if (*pattern == '*') {
            for (;; text++) {
                if (matches(pattern + 1, text))
                    return 1;
                if (*text == 0)
                    return 0;
            }
        }
        if (*text == 0 || (*pattern != '?' && *pattern != *text))
            return 0;
    }
    return *text == 0;
}

int main(void)
{
    char pattern[4], text[] = "loom";
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    klee_prefer_cex(pattern, pattern[0] >= 'a');
    pattern[3] = 0;
    if (matches(pattern, text))
        klee_assert(strpbrk(pattern, "*?lom") != NULL || pattern[0] == 0);
    return 0;
}
