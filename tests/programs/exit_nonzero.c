/* SPDX-License-Identifier: Apache-2.0 */
/* A non-zero exit code is a finding only on request.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 3
 *
 * treadle: --search=all --exit-code
 * expect: verdict bug
 * expect: finding exit exit_nonzero.c:16 */
#include <stdlib.h>

int main(void)
{
    exit(3);
}
