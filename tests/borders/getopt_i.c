/* SPDX-License-Identifier: Apache-2.0 */
/* A letter of an option is an input.
 *
 * treadle: --sym-arg=1:str:1
 * expect: verdict incomplete
 * expect: ledger made concrete getopt_i.c:17 getopt
 */
#include <stdlib.h>
#include <unistd.h>

int main(int c, char **v)
{
    static char arg[3] = "-";
    arg[1] = v[1][0];
    char *w[] = {v[0], arg, 0};
    int o;
    while ((o = getopt(2, w, "abx")) != -1)
        if (o == 'x')
            abort();
    return 0;
}
