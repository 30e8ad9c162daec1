/* SPDX-License-Identifier: Apache-2.0 */
/* The word of a futex is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert futexsym.c:24
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <treadle.h>

static int wrd;
int main(void)
{
    wrd = treadle_u8("n");
    long r = syscall(SYS_futex, &wrd, FUTEX_WAIT_PRIVATE, 77, &(struct timespec){0, 1000},
                     0, 0);
    int e = errno;
    assert(!(r == -1 && e == ETIMEDOUT));
    return 0;
}
