/* SPDX-License-Identifier: Apache-2.0 */
/* Calls what treadle refuses, and what it can only do slowly. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int before = nice(0);
    if (before > 40)
        return errno;
    if (argc > 1 && fork() == 0)
        return system(argv[1]);
    return argc > 2 ? system(argv[2]) : 0;
}
