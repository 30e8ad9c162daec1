/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at the text of an argument that is a number, and copies it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <treadle.h>

int main(int argc, char **argv)
{
    char copy[32];
    if (argc < 2)
        return 2;
    strcpy(copy, argv[1]);
    int by_copy = atoi(copy), direct = atoi(argv[1]);
    treadle_assert(by_copy == direct);
    treadle_assert(argv[1][0] == '-' || isdigit((unsigned char)argv[1][0]));
    if (strcmp(argv[1], "77") == 0)
        treadle_assert(direct != 77);
    return 0;
}
