/* SPDX-License-Identifier: Apache-2.0 */
/* An input is written to a file and read back.
 *
 * treadle:
 * expect: verdict incomplete
 *
 * expect: ledger made concrete viafile.c:21 write
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
#include <treadle.h>

int main(void)
{
    char nm[] = "./brkXXXXXX";
    int fd = mkstemp(nm);
    unlink(nm);
    unsigned char c = treadle_u8("n");
    write(fd, &c, 1);
    lseek(fd, 0, 0);
    unsigned char d = 0;
    read(fd, &d, 1);
    assert(d != 77);
    return 0;
}
