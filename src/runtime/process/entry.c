/* SPDX-License-Identifier: Apache-2.0 */
/* The main of a program whose own main was renamed; in an archive of its own, so that it is
 * linked only then. */
#include "wire/hooks.h"

int __treadle_start(int argc, char **argv, char **envp);

int main(int argc, char **argv, char **envp)
{
    return __treadle_start(argc, argv, envp);
}
