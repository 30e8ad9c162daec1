/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of threads adds up parts of an array; join is all it needs.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --goal=observations
 * expect: verdict complete */
#include "threads.h"

typedef struct part {
    const int *at;
    int n, sum;
} part;

static const int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static void *add_up(void *arg)
{
    part *p = arg;
    if (p->n <= 2) {
        for (int i = 0; i < p->n; i++)
            p->sum += p->at[i];
        return NULL;
    }
    part left = {p->at, p->n / 2, 0}, right = {p->at + p->n / 2, p->n - p->n / 2, 0};
    pthread_t t;
    pthread_create(&t, NULL, add_up, &left);
    add_up(&right);
    pthread_join(t, NULL);
    p->sum = left.sum + right.sum;
    return NULL;
}

int main(void)
{
    part all = {numbers, 8, 0};
    add_up(&all);
    assert(all.sum == 36);
    return 0;
}
