/* SPDX-License-Identifier: Apache-2.0 */
/* An input of one bit that is branched on where it is made: both sides are tried.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert bool_direct.c:34
 *
 * treadle:
 * cflags: -g -O2
 * expect: verdict bug
 * expect: finding assert bool_direct.c:34
 *
 * treadle: -k
 * args: loop
 * expect: verdict bug
 * expect: finding assert bool_direct.c:31
 * expect: finding assert bool_direct.c:34
 */
#include <assert.h>
#include <treadle.h>

/* What LLVM has one bit for, the library returns as 8; here somebody declares 32. */
extern int __VERIFIER_nondet_bool(void);

int main(int argc, char **argv)
{
    int n = 0;
    (void)argv;
    while (argc > 1 && treadle_bool("more") && n < 3)
        n++;
    assert(n != 1);
    int left = treadle_bool("left") ? 1 : 2;
    if (!(treadle_bool("right") || left == 1 || __VERIFIER_nondet_bool()))
        assert(0);
    return 0;
}
