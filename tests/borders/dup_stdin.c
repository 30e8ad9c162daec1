/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is read by a copy of its descriptor.
 *
 * treadle: --sym-stdin=4
 * expect: verdict incomplete
 * expect: ledger made concrete dup_stdin.c:15 dup
 *
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int d = dup(0);
    char c = 0;
    read(d, &c, 1);
    if (c == 'q')
        abort();
    return 0;
}
