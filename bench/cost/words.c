/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: functions of the C library are most of the time. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>

#include "kernel.h"

#define N_WORDS 256u

static char words[N_WORDS][40], line[100];

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static uint64_t look_at(const char *word, const char *next)
{
    uint64_t sum = strlen(word) + (memcmp(word, next, 8) > 0);
    strcpy(line, word);
    strcat(line, next);
    sum += (uint64_t)(strchr(line, '-') - line) + (strstr(line, "longer") != NULL);
    for (const char *s = line; *s; s++)
        sum += (uint64_t)(isdigit((unsigned char)*s) ? *s - '0'
                                                     : tolower((unsigned char)*s));
    return sum + (uint64_t)atoi(word + 5) + (uint64_t)strtol(next + 5, NULL, 10);
}

static uint64_t kernel(uint32_t round)
{
    uint64_t state = round, sum = 0;
    for (uint32_t i = 0; i < N_WORDS; i++)
        snprintf(words[i], sizeof words[i], "word-%u-%s", kernel_random(&state) % 1000,
                 i % 3 ? "short" : "a somewhat longer one");
    qsort(words, N_WORDS, sizeof words[0], by_text);
    for (uint32_t i = 0; i < N_WORDS; i++) {
        sum = sum * 3 + look_at(words[i], words[N_WORDS - 1 - i]);
        sum += bsearch(words[i], words, N_WORDS, sizeof words[0], by_text) != NULL;
    }
    return sum;
}

KERNEL_MAIN(200)
