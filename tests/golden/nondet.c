/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks the processor for the time behind treadle's back, and makes ten digits
 * of it: lines of the report must break at the same words each time. */
#include <stdatomic.h>

#define BASE 1000000000

static atomic_ullong x;

int main(void)
{
    atomic_store(&x, BASE + __builtin_ia32_rdtsc() % BASE);
    return 0;
}
