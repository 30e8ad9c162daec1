/* SPDX-License-Identifier: Apache-2.0 */
/* An argument that getopt reads is an input.
 *
 * treadle: --sym-arg=1:str:2
 * args: -a
 * expect: verdict incomplete
 * expect: ledger made concrete getopt1.c:15 getopt
 */
#include <stdlib.h>
#include <unistd.h>

int main(int c, char **v)
{
    int o;
    while ((o = getopt(c, v, "abx")) != -1)
        if (o == 'x')
            abort();
    return 0;
}
