/* SPDX-License-Identifier: Apache-2.0 */
/* Has no thread-local storage from now on.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <sys/syscall.h>
#include <unistd.h>

static void evil(void)
{
#if defined(__x86_64__)
    syscall(SYS_arch_prctl, 0x1002, 0); /* "ARCH_SET_FS" */
#else
    abort();
#endif
}
