/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks the processor for the time behind treadle's back.
 *
 * treadle: --search=all
 * arch: x86_64
 * expect: verdict bug
 * expect: finding nondet nondet.c:19 */
#include <stdatomic.h>
#define number_of_the_moment()                                                           \
    ({                                                                                   \
        unsigned n;                                                                      \
        __asm__ volatile("rdtsc; xor %%edx, %%edx" : "=a"(n) : : "rdx");                 \
        n;                                                                               \
    })
static atomic_ullong x;

int main(void)
{
    atomic_store(&x, number_of_the_moment());
    return 0;
}
