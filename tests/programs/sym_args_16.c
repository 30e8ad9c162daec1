/* SPDX-License-Identifier: Apache-2.0 */
/* As many arguments are inputs as there can be.
 *
 * cflags: --inputs
 * args: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
 * treadle: -k --sym-arg=1:i8 --sym-arg=2:i8 --sym-arg=3:i8 --sym-arg=4:i8 --sym-arg=5:i8 --sym-arg=6:i8 --sym-arg=7:i8 --sym-arg=8:i8 --sym-arg=9:i8 --sym-arg=10:i8 --sym-arg=11:i8 --sym-arg=12:i8 --sym-arg=13:i8 --sym-arg=14:i8 --sym-arg=15:i8 --sym-arg=16:i8
 * expect: verdict bug
 * expect: finding assert sym_args_16.c:16
 */
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    assert(atoi(argv[16]) != 77);
    return 0;
}
