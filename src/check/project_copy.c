/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of the source, with times, so that make sees what it would see there. What is there already and as old
 * is left as it is: a second check builds only what changed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check_int.h"

#define MAX_DEPTH 64

static bool is_left_out(const char *name)
{
    static const char *const names[] = {".", "..", ".git", "treadle-out"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool copy_bytes(int in, int out, size_t size)
{
    while (size > 0) {
        ssize_t n = sendfile(out, in, NULL, size);
        if (n <= 0)
            return n == 0;
        size -= (size_t)n;
    }
    return true;
}

static td_status copy_file(const char *from, const char *to, const struct stat *st,
                           td_diag *diag)
{
    struct stat old;
    const struct timespec times[2] = {st->st_atim, st->st_mtim};
    if (stat(to, &old) == 0 && old.st_size == st->st_size &&
        old.st_mtim.tv_sec == st->st_mtim.tv_sec &&
        old.st_mtim.tv_nsec == st->st_mtim.tv_nsec)
        return TD_OK;
    unlink(to);
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st->st_mode & 0777);
    bool good = in >= 0 && out >= 0 && copy_bytes(in, out, (size_t)st->st_size) &&
                futimens(out, times) == 0;
    int error = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    errno = error;
    return good ? TD_OK : td_diag_errno(diag, TD_E_USAGE, "cannot copy %s", from);
}

static td_status copy_link(const char *from, const char *to, td_diag *diag)
{
    char target[PATH_MAX];
    ssize_t n = readlink(from, target, sizeof target - 1);
    if (n < 0)
        return td_diag_errno(diag, TD_E_USAGE, "cannot copy %s", from);
    target[n] = 0;
    unlink(to);
    if (symlink(target, to) != 0)
        return td_diag_errno(diag, TD_E_USAGE, "cannot copy %s", from);
    return TD_OK;
}

static td_status copy_tree(const char *from, const char *to, unsigned depth,
                           td_diag *diag)
{
    td_status status = TD_OK;
    if (depth > MAX_DEPTH)
        return td_diag_set(diag, TD_E_USAGE, "%s: more than %d folders deep", from,
                           MAX_DEPTH);
    DIR *d = opendir(from);
    if (!d)
        return td_diag_errno(diag, TD_E_USAGE, "cannot read %s", from);
    if (mkdir(to, 0777) != 0 && errno != EEXIST)
        status = td_diag_errno(diag, TD_E_USAGE, "cannot create %s", to);
    for (struct dirent *e; status == TD_OK && (e = readdir(d)) != NULL;) {
        struct stat st;
        if (is_left_out(e->d_name))
            continue;
        char *in = chk_join(from, e->d_name), *out = chk_join(to, e->d_name);
        if (lstat(in, &st) != 0)
            status = td_diag_errno(diag, TD_E_USAGE, "cannot read %s", in);
        else if (S_ISDIR(st.st_mode))
            status = copy_tree(in, out, depth + 1, diag);
        else if (S_ISLNK(st.st_mode))
            status = copy_link(in, out, diag);
        else if (S_ISREG(st.st_mode))
            status = copy_file(in, out, &st, diag);
        td_free(in);
        td_free(out);
    }
    closedir(d);
    return status;
}

td_status chk_copy(const char *from, const char *to, td_diag *diag)
{
    return copy_tree(from, to, 0, diag);
}
