/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is read by getwchar.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete getw_stdin.c:13 getwchar
 */
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    if (getwchar() == L'a')
        abort();
    return 0;
}
