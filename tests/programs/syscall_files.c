/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is made, written and read by the numbers of system calls: part of the run, and what the calls
 * read and write is watched.
 *
 * treadle:
 * expect: runs 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * args: race
 * expect: verdict bug
 * expect: finding race syscall_files.c:51 syscall_files.c:33
 *
 * treadle:
 * args: path
 * expect: verdict bug
 * expect: finding race syscall_files.c:46 syscall_files.c:35 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char text[] = "abcdefgh", name[] = "syscall-files.tmp";
static int races, renames;

static void *touch(void *arg)
{
    if (races)
        text[3] = 'x';
    if (renames)
        name[0] = 'S';
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    struct stat st;
    races = argc > 1 && strcmp(argv[1], "race") == 0;
    renames = argc > 1 && strcmp(argv[1], "path") == 0;
    pthread_create(&t, NULL, touch, NULL);
    long fd = syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(fd >= 0);
    assert(syscall(SYS_write, fd, "ABCDEFGH", 8) == 8);
    assert(syscall(SYS_lseek, fd, 0, SEEK_SET) == 0);
    assert(syscall(SYS_fstat, fd, &st) == 0 && st.st_size == 8);
    assert(syscall(SYS_read, fd, text, 8) == 8);
    if (!races && !renames)
        assert(memcmp(text, "ABCDEFGH", 8) == 0);
    assert(syscall(SYS_close, fd) == 0);
    assert(syscall(SYS_read, fd, text, 8) == -1);
    assert(syscall(SYS_unlinkat, AT_FDCWD, name, 0) == 0);
    pthread_join(t, NULL);
    return 0;
}
