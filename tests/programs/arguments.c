/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and environment arrive.
 *
 * treadle: --search=all
 * args: one "two words" ""
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
    assert(argc == 4 && argv[4] == NULL);
    assert(strcmp(argv[1], "one") == 0);
    assert(strcmp(argv[2], "two words") == 0);
    assert(argv[3][0] == '\0');
    assert(getenv("PATH") != NULL && envp[0] != NULL);
    return 0;
}
