/* SPDX-License-Identifier: Apache-2.0 */
/* A block is used again at once, as glibc does.
 *
 * treadle: -k
 * expect: finding assert aba_malloc1.c:16
 * expect: verdict bug */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    uintptr_t a = (uintptr_t)malloc(64);
    free((void *)a);
    uintptr_t b = (uintptr_t)malloc(64);
    assert(a != b);
    return 0;
}
