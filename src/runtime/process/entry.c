/* SPDX-License-Identifier: Apache-2.0 */
/* What the C library calls in place of main; in an archive of its own, which is linked only into what
 * has a main. */
#include "wire/hooks.h"

wire_main __real_main; /* the linker's word for main */
wire_main __wrap_main;

int __wrap_main(int argc, char **argv, char **envp)
{
    return __treadle_start(argc, argv, envp, __real_main);
}
