/* SPDX-License-Identifier: Apache-2.0 */
/* A line of several pieces is written under the lock of the stream, which is recursive.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

#include <stdio.h>

static int n_open, n_lines;

static void put_piece(void)
{
    flockfile(stdout);
    assert(n_open == 1);
    funlockfile(stdout);
}

static void *put_line(void *arg)
{
    flockfile(stdout);
    n_open++;
    put_piece();
    put_piece();
    n_open--;
    n_lines++;
    funlockfile(stdout);
    return arg;
}

int main(void)
{
    run_two(put_line, put_line);
    assert(n_lines == 2);
    return 0;
}
