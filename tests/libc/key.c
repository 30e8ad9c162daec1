/* SPDX-License-Identifier: Apache-2.0 */
/* Fails for one number, one word and one line only. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[16];
    if (argc < 3 || atoi(argv[1]) * 3 != 3705)
        return 0;
    if (strcmp(argv[2], "open") != 0 || !fgets(line, sizeof line, stdin))
        return 0;
    assert(strtol(line, NULL, 10) != 427 || toupper(line[3]) != 'Q');
    return 0;
}
