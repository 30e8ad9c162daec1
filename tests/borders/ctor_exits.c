/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor ends the process.
 *
 * treadle: --exit-code
 * hand: 7
 * expect: verdict bug
 * expect: finding exit ctor_exits.c:13 */
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void leave(void)
{
    _exit(7);
}

int main(void)
{
    abort();
}
