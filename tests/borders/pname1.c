/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a thread is an input.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete pname1.c:19 the name of a thread
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

int main(void)
{
    char b[3] = "az", c[16] = {0};
    b[0] = (char)treadle_u8("b");
    if (!b[0])
        return 0;
    pthread_setname_np(pthread_self(), b);
    pthread_getname_np(pthread_self(), c, 16);
    assert(c[0] != 'q');
    return 0;
}
