/* SPDX-License-Identifier: Apache-2.0
 * c-blosc: two threads compress two blocks. */
#include <assert.h>
#include <string.h>

#include "blosc.h"

enum { BLOCK = 256, SIZE = 2 * BLOCK };

int main(void)
{
    static char plain[SIZE], packed[SIZE + BLOSC_MAX_OVERHEAD];
    for (int i = 0; i < SIZE; i++)
        plain[i] = i / 64;
    blosc_init();
    blosc_set_nthreads(2);
    blosc_set_blocksize(BLOCK);
    blosc_set_splitmode(BLOSC_NEVER_SPLIT);
    int n = blosc_compress(1, 0, 1, SIZE, plain, packed, sizeof packed);
#ifdef DECOMPRESS
    static char back[SIZE];
    assert(blosc_decompress(packed, back, SIZE) == SIZE);
    assert(memcmp(plain, back, SIZE) == 0);
#endif
    blosc_destroy();
    assert(n > 0 && n < SIZE);
    return 0;
}
