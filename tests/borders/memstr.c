/* SPDX-License-Identifier: Apache-2.0 */
/* An input is written to a stream in memory.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete memstr.c:20 fprintf
 *
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char *b;
    size_t l;
    FILE *f = open_memstream(&b, &l);
    fprintf(f, "%d", treadle_u8("n"));
    fclose(f);
    assert(strcmp(b, "77"));
    return 0;
}
