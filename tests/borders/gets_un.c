/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is read by readv.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete gets_un.c:16 readv
 *
 */
#include <stdlib.h>
#include <sys/uio.h>

int main(void)
{
    char b[2] = {0};
    struct iovec v = {b, 2};
    if (readv(0, &v, 1) == 2 && b[0] == 'q')
        abort();
    return 0;
}
