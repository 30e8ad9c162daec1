/* SPDX-License-Identifier: Apache-2.0 */
/* A non-zero exit status is a finding unless it is to be ignored; here in every run.
 *
 * treadle: --search=all --exit-code=ignore
 * expect: runs 1
 * expect: verdict nothing-explored
 * hand: 3
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: says every run so far exits with 3
 * expect: finding exit exit_nonzero.c:23
 *
 * treadle: --search=all --exit-code
 * expect: verdict bug
 * expect: finding exit exit_nonzero.c:23 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    puts("FAIL");
    exit(3);
}
