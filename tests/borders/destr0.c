/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor fails.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert destr0.c:12
 */
#include <assert.h>

__attribute__((destructor)) static void fin(void)
{
    assert(0);
}

int main(void)
{
    return 0;
}
