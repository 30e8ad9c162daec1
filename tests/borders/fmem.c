/* SPDX-License-Identifier: Apache-2.0 */
/* An input is written to a buffer by a stream.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched fmem.c:18 fmemopen
 * expect: ledger made concrete fmem.c:19 fputc
 *
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <treadle.h>

int main(void)
{
    char b[16] = {0};
    FILE *f = fmemopen(b, 16, "w");
    fputc(treadle_u8("n"), f);
    fclose(f);
    assert(b[0] != 'q');
    return 0;
}
