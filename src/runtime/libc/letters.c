/* SPDX-License-Identifier: Apache-2.0 */
/* <ctype.h> in the C locale. No branches: the result is an expression of the letter, and
 * nothing is decided before the program does. */
#include "runtime/libc/libc_int.h"

#define TEST(name, condition)                                                            \
    EXPORT int OURS(name)(int letter)                                                    \
    {                                                                                    \
        unsigned c = (unsigned)letter;                                                   \
        return (int)(condition);                                                         \
    }

static unsigned is_letter(unsigned c)
{
    return is_between(c | 32, 'a', 'z');
}

static unsigned is_digit(unsigned c)
{
    return is_between(c, '0', '9');
}

TEST(isalpha, is_letter(c))
TEST(isdigit, is_digit(c))
TEST(isalnum, is_letter(c) | is_digit(c))
TEST(isblank, (c == ' ') | (c == '\t'))
TEST(iscntrl, (c < 32) | (c == 127))
TEST(isgraph, is_between(c, 33, 126))
TEST(islower, is_between(c, 'a', 'z'))
TEST(isupper, is_between(c, 'A', 'Z'))
TEST(isprint, is_between(c, 32, 126))
TEST(ispunct, is_between(c, 33, 126) & !(is_letter(c) | is_digit(c)))
TEST(isspace, (c == ' ') | is_between(c, '\t', '\r'))
TEST(isxdigit, is_digit(c) | is_between(c | 32, 'a', 'f'))
TEST(isascii, c < 128)
TEST(toascii, c & 127)
TEST(tolower, lower(c))
TEST(toupper, c - (is_between(c, 'a', 'z') << 5))
