/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the treadle that runs it along, before main: no constructor that treadle knows of. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void kill_parent(void)
{
    if (getenv("TREADLE_TEST_KILLS"))
        kill(getppid(), SIGKILL);
}

__attribute__((section(".init_array"),
               used)) static void (*const first)(void) = kill_parent;

int main(void)
{
    return 0;
}
