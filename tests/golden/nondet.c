/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks the processor for the time behind treadle's back, and makes ten digits
 * of it: lines of the report must break at the same words each time. */
#include <stdatomic.h>

#define BASE 1000000000
#define number_of_the_moment()                                                           \
    ({                                                                                   \
        unsigned n;                                                                      \
        __asm__ volatile("rdtsc; xor %%edx, %%edx" : "=a"(n) : : "rdx");                 \
        n;                                                                               \
    })
static atomic_ullong x;

int main(void)
{
    atomic_store(&x, BASE + number_of_the_moment() % BASE);
    return 0;
}
