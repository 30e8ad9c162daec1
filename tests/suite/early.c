/* SPDX-License-Identifier: Apache-2.0 */
/* Ends before main: no constructor that treadle knows of. */
#include <unistd.h>

static void leave(void)
{
    _exit(7);
}

__attribute__((section(".init_array"), used)) static void (*const first)(void) = leave;

int main(void)
{
    return 0;
}
