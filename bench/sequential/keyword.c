/* SPDX-License-Identifier: Apache-2.0 */
/* Commands by strcmp and strncmp of the C library.
 * sides: 14 */
#include "side.h"

enum { SIZE = 5 };

static int command(const char *word)
{
    static const char *const words[] = {"get", "put", "post", "list"};
    for (int i = 0; i < 4; i++)
        if (SIDE(strcmp(word, words[i]) == 0))
            return i;
    return -1;
}

static int subject(const uint8_t *in)
{
    char word[SIZE + 1] = {0};
    memcpy(word, in, SIZE);
    int n = command(word);
    if (SIDE(n == 2))
        return 10;
    if (SIDE(n >= 0))
        return n;
    if (SIDE(strncmp(word, "re", 2) == 0))
        return SIDE(strcmp(word + 2, "set") < 0) ? 11 : 12;
    if (SIDE(strlen(word) == 4))
        return SIDE(strchr(word, ':') != NULL) ? 13 : 14;
    return -1;
}

SIDE_MAIN("getpuoslir:\1", "get\0", "put\0", "post\0", "list\0", "reset\0", "a:bc\0",
          "abcd\0", "rezet\0", "re:::\0")
