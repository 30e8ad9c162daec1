/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of structures have the effect that they have in C, whatever their members are: loads and stores take
 * the place of memcpy. Onto itself, overlapping, with holes, in pieces that are no members.
 *
 * treadle:
 * hand: 0
 * expect: verdict complete
 * expect: runs 1
 *
 * treadle:
 * cflags: -O0
 * hand: 0
 * expect: verdict complete
 * expect: runs 1 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct mixed {
    char first;
    double real;
    short half;
    union {
        int whole;
        char part[12];
    } either;
    unsigned low : 3, high : 9;
    int64_t last;
} mixed;

typedef struct odd {
    char bytes[7];
} odd;

typedef struct large {
    long words[9];
} large;

typedef struct fours {
    int at[6];
} fours;

static mixed one;
static odd two;
static large three;
static fours four;

static void *worker(void *arg)
{
    struct all {
        mixed m;
        odd o;
        large l;
    } *p = arg;
    one = p->m;
    two = p->o;
    three = p->l;
    return arg;
}

static void fill(void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)(i * 37 + 11);
}

int main(void)
{
    struct all {
        mixed m;
        odd o;
        large l;
    } *p = malloc(sizeof *p);
    pthread_t t;
    fill(p, sizeof *p);
    pthread_create(&t, NULL, worker, p);
    pthread_join(t, NULL);
    assert(memcmp(&one, &p->m, sizeof one) == 0);
    assert(memcmp(&two, &p->o, sizeof two) == 0);
    assert(memcmp(&three, &p->l, sizeof three) == 0);

    mixed *self = &one;
    one = *self;
    assert(memcmp(&one, &p->m, sizeof one) == 0);

    for (int i = 0; i < 6; i++)
        four.at[i] = i;
    memmove(four.at + 1, four.at, 5 * sizeof(int));
    for (int i = 1; i < 6; i++)
        assert(four.at[i] == i - 1);
    memmove(four.at, four.at + 1, 5 * sizeof(int));
    for (int i = 0; i < 5; i++)
        assert(four.at[i] == i);
    free(p);
    return 0;
}
