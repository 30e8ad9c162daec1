/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a run behave as the kernel's: the same program, started by hand, asserts the same of real ones.
 *
 * treadle:
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE 1
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[64];

static const char *content(const char *name)
{
    int fd = open(name, O_RDONLY);
    assert(fd >= 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    assert(n >= 0);
    text[n] = 0;
    assert(close(fd) == 0);
    return text;
}

static void put(const char *name, int flags, const char *what)
{
    int fd = open(name, flags, 0640);
    assert(fd >= 0);
    assert(write(fd, what, strlen(what)) == (ssize_t)strlen(what));
    assert(close(fd) == 0);
}

static void opening(void)
{
    assert(access("fc_a", F_OK) == -1 && errno == ENOENT);
    assert(open("fc_a", O_RDONLY) == -1 && errno == ENOENT);
    put("fc_a", O_WRONLY | O_CREAT | O_EXCL, "one");
    assert(open("fc_a", O_WRONLY | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
    put("fc_a", O_WRONLY | O_APPEND, " two");
    assert(strcmp(content("fc_a"), "one two") == 0);
    put("fc_a", O_WRONLY | O_TRUNC, "3");
    assert(strcmp(content("./fc_a"), "3") == 0);
    assert(open("fc_a", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
    assert(open("fc_a/b", O_RDONLY) == -1 && errno == ENOTDIR);
    assert(open("no/b", O_WRONLY | O_CREAT, 0600) == -1 && errno == ENOENT);
    assert(open(".", O_WRONLY) == -1 && errno == EISDIR);
}

static void reading(void)
{
    int fd = open("fc_a", O_RDWR), two = dup(fd);
    char b[8] = "";
    struct iovec v[2] = {{"ab", 2}, {"cd", 2}};
    assert(two == fd + 1);
    assert(writev(fd, v, 2) == 4 && lseek(two, 0, SEEK_CUR) == 4);
    assert(pwrite(fd, "X", 1, 1) == 1 && pread(fd, b, 4, 0) == 4);
    assert(strcmp(b, "aXcd") == 0);
    assert(lseek(fd, 1, SEEK_SET) == 1 && read(two, b, 2) == 2 && b[0] == 'X');
    assert(ftruncate(fd, 2) == 0 && lseek(fd, 0, SEEK_END) == 2);
    assert(fsync(fd) == 0 && close(fd) == 0 && close(two) == 0);
    assert(truncate("fc_a", 1) == 0 && strcmp(content("fc_a"), "a") == 0);
    fd = open("fc_a", O_RDONLY);
    assert(write(fd, "x", 1) == -1 && errno == EBADF);
    close(fd);
}

static void attributes(void)
{
    struct stat by_name, by_fd;
    mode_t mask = umask(077);
    int fd = open("fc_b", O_RDWR | O_CREAT, 0666);
    assert(umask(mask) == 077);
    assert(write(fd, "12345", 5) == 5);
    assert(stat("fc_b", &by_name) == 0 && fstat(fd, &by_fd) == 0);
    assert(by_name.st_ino == by_fd.st_ino && by_name.st_dev == by_fd.st_dev);
    assert(by_fd.st_nlink == 1 && by_fd.st_size == 5 && by_fd.st_uid == geteuid());
    assert(S_ISREG(by_fd.st_mode) && (by_fd.st_mode & 0777) == 0600);
    assert(chmod("fc_b", 0444) == 0 && fstat(fd, &by_fd) == 0);
    assert((by_fd.st_mode & 0777) == 0444 && access("fc_b", R_OK) == 0);
    assert(stat("fc_a", &by_fd) == 0 && by_fd.st_ino != by_name.st_ino);
    assert(unlink("fc_b") == 0 && unlink("fc_b") == -1 && errno == ENOENT);
    assert(fstat(fd, &by_fd) == 0 && by_fd.st_nlink == 0);
    assert(stat("fc_b", &by_name) == -1 && errno == ENOENT);
    assert(pread(fd, text, 5, 0) == 5);
    close(fd);
}

static void names(void)
{
    struct stat st;
    put("fc_c", O_WRONLY | O_CREAT, "c");
    assert(rename("fc_c", "fc_d") == 0 && access("fc_c", F_OK) == -1);
    assert(rename("fc_c", "fc_e") == -1 && errno == ENOENT);
    assert(rename("fc_d", "fc_a") == 0 && strcmp(content("fc_a"), "c") == 0);
    assert(link("fc_a", "fc_f") == 0 && stat("fc_a", &st) == 0 && st.st_nlink == 2);
    put("fc_f", O_WRONLY | O_APPEND, "f");
    assert(strcmp(content("fc_a"), "cf") == 0 && unlink("fc_a") == 0);
    assert(strcmp(content("fc_f"), "cf") == 0 && stat("fc_f", &st) == 0 &&
           st.st_nlink == 1);
    assert(symlink("fc_f", "fc_l") == 0 && strcmp(content("fc_l"), "cf") == 0);
    assert(lstat("fc_l", &st) == 0 && S_ISLNK(st.st_mode) && st.st_size == 4);
    assert(readlink("fc_l", text, sizeof text) == 4 && text[3] == 'f');
    assert(readlink("fc_f", text, sizeof text) == -1 && errno == EINVAL);
    assert(open("fc_l", O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
    put("fc_l", O_WRONLY | O_TRUNC, "by link");
    assert(strcmp(content("fc_f"), "by link") == 0);
    char *path = realpath("fc_l", NULL);
    assert(path && strcmp(strrchr(path, '/'), "/fc_f") == 0);
    free(path);
    assert(remove("fc_l") == 0 && access("fc_f", F_OK) == 0);
}

static int count(const char *name, const char *one)
{
    int n = 0;
    DIR *d = opendir(name);
    assert(d);
    for (const struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, one) == 0;
    closedir(d);
    return n;
}

static void directories(void)
{
    struct stat st;
    assert(mkdir("fc_sub", 0755) == 0 && mkdir("fc_sub", 0755) == -1 && errno == EEXIST);
    put("fc_sub/x", O_WRONLY | O_CREAT, "x");
    assert(mkdir("fc_sub/deep", 0700) == 0);
    put("fc_sub/deep/../deep/y", O_WRONLY | O_CREAT, "y");
    assert(stat("fc_sub", &st) == 0 && S_ISDIR(st.st_mode));
    assert(count("fc_sub", "x") == 1 && count("fc_sub", "deep") == 1 &&
           count("fc_sub", "y") == 0);
    assert(count(".", "fc_sub") == 1 && count(".", "fc_f") == 1 &&
           count(".", "fc_a") == 0);
    assert(rmdir("fc_sub") == -1 && errno == ENOTEMPTY);
    assert(unlink("fc_sub") == -1 && errno == EISDIR);
    assert(rename("fc_sub/deep/y", "fc_y") == 0 && rename("fc_sub/deep", "fc_deep") == 0);
    assert(rmdir("fc_deep") == 0 && unlink("fc_sub/x") == 0 && rmdir("fc_sub") == 0);
    assert(count(".", "fc_sub") == 0 && strcmp(content("fc_y"), "y") == 0 &&
           unlink("fc_y") == 0);
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert(here >= 0 && faccessat(here, "fc_f", R_OK, 0) == 0);
    assert(chdir("/") == 0 && access("fc_f", F_OK) == -1);
    int fd = openat(here, "fc_f", O_RDONLY);
    assert(fd == here + 1 && fchdir(here) == 0 && access("fc_f", F_OK) == 0);
    close(fd);
    close(here);
}

static void streams(void)
{
    char line[32];
    int n = 0;
    FILE *f = fopen("fc_s", "w+");
    assert(f && fprintf(f, "line %d\n", 1) == 7 && fputs("end", f) >= 0);
    rewind(f);
    assert(fgets(line, sizeof line, f) && strcmp(line, "line 1\n") == 0);
    assert(fseek(f, 5, SEEK_SET) == 0 && fscanf(f, "%d", &n) == 1 && n == 1);
    assert(fclose(f) == 0);
    f = fopen("fc_s", "a");
    assert(f && fwrite("!", 1, 1, f) == 1 && fclose(f) == 0);
    assert(strcmp(content("fc_s"), "line 1\nend!") == 0);
    f = tmpfile();
    assert(f && fputs("gone", f) >= 0 && ftell(f) == 4 && fclose(f) == 0);
    char name[] = "fc_nameXXXXXX";
    int fd = mkstemp(name);
    assert(fd >= 0 && access(name, F_OK) == 0 && unlink(name) == 0);
    close(fd);
    unlink("fc_s");
}

static void others(void)
{
    struct rlimit was, now;
    char b[4] = "xyz";
    assert(getrlimit(RLIMIT_FSIZE, &was) == 0);
    now = was;
    now.rlim_cur = now.rlim_max = 4096;
    assert(setrlimit(RLIMIT_FSIZE, &now) == 0);
    assert(getrlimit(RLIMIT_FSIZE, &now) == 0 && now.rlim_max == 4096);
    int fd = open("/dev/null", O_RDWR);
    assert(fd >= 0 && write(fd, b, 3) == 3 && read(fd, b, 3) == 0);
    close(fd);
    fd = open("/proc/self/status", O_RDONLY);
    assert(fd >= 0 && read(fd, b, 4) == 4 && memcmp(b, "Name", 4) == 0);
    close(fd);
    fd = open("/dev/fd/0", O_RDONLY | O_CLOEXEC);
    close(fd);
    assert(unlink("fc_f") == 0);
}

int main(void)
{
    opening();
    reading();
    attributes();
    names();
    directories();
    streams();
    others();
    return 0;
}
