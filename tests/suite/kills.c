/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the treadle that runs it along, before main. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void kill_parent(void)
{
    if (getenv("TREADLE_TEST_KILLS"))
        kill(getppid(), SIGKILL);
}

int main(void)
{
    return 0;
}
