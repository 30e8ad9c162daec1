/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is read by scanf.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete scanf_stdin.c:14 scanf
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 0;
    if (scanf("%d", &n) == 1 && n == 42)
        abort();
    return 0;
}
