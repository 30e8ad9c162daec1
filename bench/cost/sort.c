/* SPDX-License-Identifier: Apache-2.0 */
/* Quicksort with insertion sort for small parts, of integers and of records. */
#include "kernel.h"

#define N_ITEMS 60000
#define SMALL 12

typedef struct item {
    uint64_t weight;
    uint32_t key;
    uint32_t origin;
} item;

static int32_t numbers[N_ITEMS];
static item items[N_ITEMS];

#define SORT(name, type, less)                                                           \
    static void name##_insertion(type *a, long n)                                        \
    {                                                                                    \
        for (long i = 1; i < n; i++) {                                                   \
            type x = a[i];                                                               \
            long j = i;                                                                  \
            for (; j > 0 && less(x, a[j - 1]); j--)                                      \
                a[j] = a[j - 1];                                                         \
            a[j] = x;                                                                    \
        }                                                                                \
    }                                                                                    \
    static void name(type *a, long n)                                                    \
    {                                                                                    \
        while (n > SMALL) {                                                              \
            type pivot = a[n / 2];                                                       \
            long i = 0, j = n - 1;                                                       \
            while (i <= j) {                                                             \
                while (less(a[i], pivot))                                                \
                    i++;                                                                 \
                while (less(pivot, a[j]))                                                \
                    j--;                                                                 \
                if (i <= j) {                                                            \
                    type t = a[i];                                                       \
                    a[i++] = a[j];                                                       \
                    a[j--] = t;                                                          \
                }                                                                        \
            }                                                                            \
            name(a, j + 1);                                                              \
            a += i;                                                                      \
            n -= i;                                                                      \
        }                                                                                \
        name##_insertion(a, n);                                                          \
    }

#define LESS(x, y) ((x) < (y))
#define LESS_KEY(x, y) ((x).key < (y).key)

SORT(sort_numbers, int32_t, LESS)
SORT(sort_items, item, LESS_KEY)

static uint64_t kernel(uint32_t round)
{
    uint64_t state = round, sum = 0;
    for (uint32_t i = 0; i < N_ITEMS; i++) {
        numbers[i] = (int32_t)kernel_random(&state);
        items[i] = (item){.weight = i, .key = kernel_random(&state), .origin = i};
    }
    sort_numbers(numbers, N_ITEMS);
    sort_items(items, N_ITEMS);
    for (uint32_t i = 0; i < N_ITEMS; i += 97)
        sum = sum * 3 + (uint64_t)numbers[i] + items[i].key + items[i].origin;
    return sum;
}

KERNEL_MAIN(5)
