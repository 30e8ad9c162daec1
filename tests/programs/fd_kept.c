/* SPDX-License-Identifier: Apache-2.0 */
/* A program that closes all numbers, opens as many files as it can, and copies to a high number, as servers do at their
 * start: it meets none of the runtime's descriptors, and each run finds the same. Pipes have the same limit as files.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int n;

static void *adds(void *arg)
{
    n++;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct rlimit limit;
    int opened = 3;
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    getrlimit(RLIMIT_NOFILE, &limit);
    while (open("/dev/null", O_RDONLY) >= 0)
        opened++;
    assert(errno == EMFILE && opened == (int)limit.rlim_cur);
    assert(dup(0) < 0 && dup2(0, opened + 1) < 0 && errno == EBADF);
    int ends[2];
    close(opened - 1);
    assert(pipe(ends) < 0 && errno == EMFILE);
    close(opened - 2);
    assert(pipe(ends) == 0 && ends[0] + ends[1] == 2 * opened - 3);
    assert(dup2(ends[0], opened + 1) < 0 && errno == EBADF);
    assert(fcntl(ends[0], F_DUPFD, opened) < 0 && errno == EINVAL);
    pthread_create(&t, NULL, adds, NULL);
    n++;
    pthread_join(t, NULL);
    return n != 2;
}
