/* SPDX-License-Identifier: Apache-2.0 */
/* Merge sort; halves are sorted by threads of their own.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <string.h>

#include "threads.h"

typedef struct part {
    int *at;
    int n;
} part;

static int numbers[6] = {5, 2, 6, 1, 4, 3};

static void merge(int *at, int n_left, int n)
{
    int copy[6], i = 0, j = n_left;
    memcpy(copy, at, (size_t)n * sizeof *at);
    for (int k = 0; k < n; k++)
        at[k] = j == n || (i < n_left && copy[i] < copy[j]) ? copy[i++] : copy[j++];
}

static void *sort(void *arg)
{
    part *p = arg;
    if (p->n <= 1)
        return NULL;
    part left = {p->at, p->n / 2}, right = {p->at + p->n / 2, p->n - p->n / 2};
    pthread_t t;
    pthread_create(&t, NULL, sort, &left);
    sort(&right);
    pthread_join(t, NULL);
    merge(p->at, left.n, p->n);
    return NULL;
}

int main(void)
{
    part all = {numbers, 6};
    sort(&all);
    for (int i = 0; i < 6; i++)
        assert(numbers[i] == i + 1);
    return 0;
}
