/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks the processor for the time behind treadle's back.
 *
 * treadle: --search=all
 * arch: x86_64
 * expect: verdict bug
 * expect: finding nondet nondet.c:14 */
#include <stdatomic.h>

static atomic_ullong x;

int main(void)
{
    atomic_store(&x, __builtin_ia32_rdtsc());
    return 0;
}
