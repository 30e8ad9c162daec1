/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is read by another stream.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete fdopen_stdin.c:14 fdopen
 *
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *f = fdopen(0, "r");
    int c = f ? fgetc(f) : -1;
    if (c == 'q')
        abort();
    return 0;
}
