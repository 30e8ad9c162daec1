/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is opened by its name.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete fileno_stdin.c:14 fopen
 *
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *f = fopen("/dev/stdin", "r");
    int c = f ? fgetc(f) : -1;
    if (c == 'q')
        abort();
    return 0;
}
