/* SPDX-License-Identifier: Apache-2.0 */
/* Which fork a thread takes first; with WRONG, or if forks.h says so, the second thread begins with the other one. */
#include "forks.h"

int first_fork(int is_second);

int first_fork(int is_second)
{
#ifdef WRONG
    return is_second;
#endif
    return ARE_CROSSED && is_second;
}
