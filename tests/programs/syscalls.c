/* SPDX-License-Identifier: Apache-2.0 */
/* System calls by number: those that do no harm.
 *
 * treadle:
 * cflags: -D_GNU_SOURCE
 * expect: runs 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * cflags: -D_GNU_SOURCE
 * args: other
 * expect: runs 1
 * expect: verdict incomplete
 * expect: ledger not modelled syscalls.c:32 system call 63 */
#include <assert.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct utsname name;
    (void)argv;
    assert(syscall(SYS_getpid) == getpid());
    assert(syscall(SYS_gettid) == gettid());
    assert(syscall(SYS_sched_yield) == 0);
    assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) >= 0);
    assert(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0);
    if (argc > 1)
        assert(syscall(SYS_uname, &name) == 0);
    return 0;
}
