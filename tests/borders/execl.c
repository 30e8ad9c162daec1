/* SPDX-License-Identifier: Apache-2.0 */
/* execl and its like replace the process: refused by name.
 *
 * treadle:
 * args: l
 * expect: verdict incomplete
 * expect: ledger not modelled execl.c:30 execl
 *
 * treadle:
 * args: p
 * expect: verdict incomplete
 * expect: ledger not modelled execl.c:32 execlp
 *
 * treadle:
 * args: e
 * expect: verdict incomplete
 * expect: ledger not modelled execl.c:34 execle
 *
 * treadle:
 * args: v
 * expect: verdict incomplete
 * expect: ledger not modelled execl.c:36 execvpe
 */
#define _GNU_SOURCE
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argv[argc - 1][0] == 'l')
        return execl("/bin/true", "true", (char *)0);
    if (argv[argc - 1][0] == 'p')
        return execlp("true", "true", (char *)0);
    if (argv[argc - 1][0] == 'e')
        return execle("/bin/true", "true", (char *)0, (char *const[]){0});
    if (argv[argc - 1][0] == 'v')
        return execvpe("true", (char *const[]){"true", 0}, (char *const[]){0});
    return 0;
}
