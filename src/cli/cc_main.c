/* SPDX-License-Identifier: Apache-2.0 */
/* treadle-cc, which `treadle cc` becomes. A program of its own: loading LLVM takes longer than
 * many a session. */
#include "instrument/instrument.h"

#include <signal.h>

static void do_nothing(int signal)
{
    (void)signal;
}

/* A write beyond the size limit of files fails, and does not end the process. Programs that are
 * started do not inherit this. */
static void survive_limit(void)
{
    struct sigaction with = {.sa_handler = do_nothing};
    sigaction(SIGXFSZ, &with, NULL);
}

int main(int argc, char **argv)
{
    survive_limit();
    return ins_cc_main(argc, argv);
}
