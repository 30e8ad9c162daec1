/* SPDX-License-Identifier: Apache-2.0 */
/* A file that only one can make is a lock. Who makes it first is not explored, since names are no operations: a line of the
 * ledger says so.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not watched file_exclusive.c:21 open, on a name that another thread uses
 * expect: ledger not watched file_exclusive.c:27 unlink, on a name that another thread uses */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int inside;

static void *enter(void *p)
{
    for (int i = 0; i < 2; i++) {
        int fd = open("file_exclusive.lock", O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert(fd >= 0 || errno == EEXIST);
        if (fd < 0)
            continue;
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        unlink("file_exclusive.lock");
        close(fd);
    }
    return p;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(access("file_exclusive.lock", F_OK) == -1 && errno == ENOENT);
    return 0;
}
