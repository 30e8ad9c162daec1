/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads use a file at once: which is first is not explored, and a line of the ledger says so.
 *
 * treadle:
 * expect: verdict incomplete
 *
 * expect: ledger not watched file_shared.c:18 pwrite, on a file that another thread uses
 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fd;
static void *a(void *p)
{
    pwrite(fd, "x", 1, 0);
    return 0;
}
static void *b(void *p)
{
    char c;
    assert(pread(fd, &c, 1, 0) == 0);
    return 0;
}
int main(void)
{
    char n[] = "./brkXXXXXX";
    fd = mkstemp(n);
    unlink(n);
    pthread_t t, u;
    pthread_create(&t, 0, b, 0);
    pthread_create(&u, 0, a, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
