/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a program again and again for a number of seconds; prints how often per second. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    double start = now(), limit = atof(argv[1]);
    long n = 0;
    while (now() - start < limit) {
        pid_t pid;
        int status;
        if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0 ||
            waitpid(pid, &status, 0) != pid || status != 0)
            return 1;
        n++;
    }
    printf("%.1f\n", (double)n / (now() - start));
    return 0;
}
