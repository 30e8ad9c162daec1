/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and standard input: argv[1] a number, argv[2] a text, and lines from stdin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treadle.h>
#include <unistd.h>

#ifdef __TREADLE__
extern void treadle_check(uint64_t value);
#else
#define treadle_check(value) ((void)(value))
#endif

int main(int argc, char **argv)
{
    char line[8], rest[8];
    if (argc < 3)
        return 2;
    int n = atoi(argv[1]);
    treadle_check((uint64_t)n);
    treadle_check((uint64_t)strtol(argv[1], NULL, 0) * 3);
    if (n > 1000)
        treadle_check((uint64_t)n / 7);
    if (strcmp(argv[2], "key") == 0)
        treadle_check(1);
    treadle_check((uint64_t)argv[2][1]);
    int c = getchar();
    treadle_check((uint64_t)c);
    ungetc(c, stdin);
    if (fgets(line, sizeof line, stdin))
        treadle_check((uint64_t)line[0]);
    size_t got = fread(rest, 1, 3, stdin);
    for (size_t i = 0; i < got; i++)
        treadle_check((uint64_t)rest[i] * 5);
    ssize_t more = read(0, rest, sizeof rest);
    printf("%d %s %zd %d\n", n, argv[2], more, feof(stdin));
    return 0;
}
