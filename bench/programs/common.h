/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share: a size from the command line, threads by number. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 200 };

typedef void *body(void *number);

/* The argument at that place; without one, preset. It lies in [1, most]. */
static inline int size_arg(int argc, char **argv, int at, int preset, int most)
{
    int n = at < argc ? atoi(argv[at]) : preset;
    if (n >= 1 && n <= most)
        return n;
    fprintf(stderr, "argument %d wants a number from 1 to %d\n", at, most);
    exit(2);
}

static inline int has_word(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return 1;
    return 0;
}

static inline pthread_t start(body *f, int number)
{
    pthread_t t;
    pthread_create(&t, NULL, f, (void *)(intptr_t)number);
    return t;
}

/* Threads 0 to n-1 of one body. */
static inline void start_all(pthread_t *t, int n, body *f)
{
    for (int i = 0; i < n; i++)
        t[i] = start(f, i);
}

static inline void join_all(const pthread_t *t, int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

/* main's end in most programs: the other threads go on. */
static inline int leave(void)
{
    pthread_exit(NULL);
    return 0;
}
