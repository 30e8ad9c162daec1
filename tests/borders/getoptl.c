/* SPDX-License-Identifier: Apache-2.0 */
/* An argument that getopt_long reads is an input.
 *
 * treadle: --sym-arg=1:str:2
 * args: -a
 * expect: verdict incomplete
 * expect: ledger made concrete getoptl.c:16 getopt_long
 */
#include <getopt.h>
#include <stdlib.h>

int main(int c, char **v)
{
    static struct option l[] = {{"x", 0, 0, 'x'}, {0}};
    int o;
    while ((o = getopt_long(c, v, "ab", l, 0)) != -1)
        if (o == 'x')
            abort();
    return 0;
}
