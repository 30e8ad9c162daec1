/* SPDX-License-Identifier: Apache-2.0 */
/* The whole of blocks of all sizes may be used, to the last byte, and nothing is reported. It looks at
 * addresses, so a block may be used again at once or later.
 *
 * treadle:
 * expect: runs 2
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (char)i;
    memset(p, 1, n);
    if (n > 0)
        p[n - 1] = 0;
    assert(n == 0 || strlen(p) == n - 1);
}

static void sizes(void)
{
    char *blocks[300];
    for (size_t n = 0; n < 300; n++) {
        blocks[n] = malloc(n);
        fill(blocks[n], n);
    }
    for (size_t n = 0; n < 300; n++)
        free(blocks[n]);
    /* Blocks are used again, for sizes smaller and larger than before. */
    for (int round = 0; round < 100; round++)
        for (size_t n = 1; n < 64; n += 7) {
            char *p = malloc(n + (size_t)round % 16);
            fill(p, n + (size_t)round % 16);
            free(p);
        }
}

static void large(void)
{
    for (size_t n = 60000; n < 3000000; n = n * 3 / 2) {
        char *p = calloc(1, n);
        assert(p[0] == 0 && p[n - 1] == 0);
        p[n - 1] = p[n / 2] = 1;
        p = realloc(p, n + 5);
        assert(p[n - 1] == 1 && p[n / 2] == 1);
        p[n + 4] = 2;
        p = realloc(p, 10);
        fill(p, 10);
        free(p);
    }
}

static void aligned(void)
{
    for (size_t align = 8; align <= 65536; align *= 2) {
        void *p;
        char *q = aligned_alloc(align, align), *r = memalign(align, 3);
        assert(posix_memalign(&p, align, 100) == 0);
        assert((uintptr_t)p % align == 0 && (uintptr_t)q % align == 0);
        fill(p, 100);
        fill(q, align);
        fill(r, 3);
        free(p);
        free(q);
        free(r);
    }
}

static void texts(void)
{
    char *p = strdup("hello"), *q = strndup("hello", 3), *r;
    assert(strlen(p) == 5 && strlen(q) == 3);
    p = realloc(p, 12);
    strcat(strcat(p, " "), q);
    assert(strcmp(p, "hello hel") == 0);
    r = malloc(strlen(p) + 1);
    assert(snprintf(r, strlen(p) + 1, "%s", p) == 9);
    assert(memcmp(p, r, 10) == 0);
    free(p);
    free(q);
    free(r);
}

int main(void)
{
    sizes();
    large();
    aligned();
    texts();
    return 0;
}
