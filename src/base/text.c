/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text; whole files. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/vec.h"

/* Room for n more bytes and the zero. */
static void reserve(td_text *t, size_t n)
{
    TD_ASSERT(n < SIZE_MAX / 2 - t->len);
    if (t->len + n + 1 > t->cap)
        t->at = td_grow(t->at, &t->cap, t->len + n + 1, 1);
}

void td_text_addv(td_text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    errno = 0;
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0 && errno == ENOMEM)
        td_memory_out(0);
    TD_ASSERT(n >= 0);
    reserve(t, (size_t)n);
    vsnprintf(t->at + t->len, (size_t)n + 1, format, again);
    va_end(again);
    t->len += (size_t)n;
}

void td_text_add(td_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    td_text_addv(t, format, args);
    va_end(args);
}

void td_text_put(td_text *t, const char *bytes, size_t n)
{
    reserve(t, n);
    if (n > 0)
        memcpy(t->at + t->len, bytes, n);
    t->len += n;
    t->at[t->len] = 0;
}

void td_text_clear(td_text *t)
{
    t->len = 0;
    if (t->at)
        t->at[0] = 0;
}

void td_text_fini(td_text *t)
{
    td_free(t->at);
    *t = (td_text){0};
}

bool td_duration_parse(const char *text, uint64_t *ms)
{
    static const struct unit {
        const char *name;
        uint64_t ms;
    } units[] = {{"ms", 1},    {"s", 1000},    {"", 1000},
                 {"m", 60000}, {"min", 60000}, {"h", 3600000}};
    if (!isdigit((unsigned char)*text))
        return false;
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    for (size_t i = 0; errno == 0 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0 && value <= UINT64_MAX / units[i].ms) {
            *ms = value * units[i].ms;
            return true;
        }
    return false;
}

bool td_size_parse(const char *text, uint64_t *bytes)
{
    static const char units[] = "kmgt";
    if (!isdigit((unsigned char)*text))
        return false;
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    const char *unit =
        *end ? strchr(units, tolower((unsigned char)*end)) : units; /* never NUL */
    unsigned shift = *end && unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno != 0 || !unit || value > UINT64_MAX >> shift)
        return false;
    end += *end != '\0';
    if (*end && strcmp(end, "iB") != 0 && strcmp(end, "B") != 0)
        return false;
    *bytes = value << shift;
    return true;
}

void td_count_print(uint64_t n, td_text *out)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    TD_ASSERT(len > 0 && (size_t)len < sizeof digits);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            td_text_put(out, ",", 1);
        td_text_put(out, &digits[i], 1);
    }
}

void td_size_print(uint64_t bytes, char out[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    bool is_whole = value == (double)(uint64_t)value;
    snprintf(out, 32, is_whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

/* Reads to the end, whatever size the file claims to have (those under /proc claim 0). */
static td_status read_all(int fd, const char *path, size_t limit, td_text *out,
                          td_diag *diag)
{
    char buffer[16384];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return td_diag_errno(diag, TD_E_SYSTEM, "cannot read %s", path);
        td_text_put(out, buffer, (size_t)n);
        if (out->len > limit)
            return td_diag_set(diag, TD_E_LIMIT, "%s is larger than %zu bytes", path,
                               limit);
        if (n == 0)
            return TD_OK;
    }
}

static bool is_open_already(const char *path)
{
    static const char *const given[] = {"/dev/stdin", "/dev/null"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (strcmp(path, given[i]) == 0)
            return true;
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0;
}

static td_status check_kind(const char *path, const struct stat *st, td_diag *diag)
{
    if (S_ISREG(st->st_mode) || is_open_already(path))
        return TD_OK;
    if (S_ISDIR(st->st_mode))
        return td_diag_set(diag, TD_E_SYSTEM, "cannot read %s: Is a directory", path);
    return td_diag_set(diag, TD_E_SYSTEM, "cannot read %s: it is not a file but a %s",
                       path,
                       S_ISFIFO(st->st_mode)   ? "pipe"
                       : S_ISSOCK(st->st_mode) ? "socket"
                                               : "device");
}

td_status td_file_check(const char *path, td_diag *diag)
{
    struct stat st;
    return stat(path, &st) == 0 ? check_kind(path, &st, diag) : TD_OK;
}

/* Opened without waiting for a writer; then it is known what it is. */
td_status td_file_read(const char *path, size_t limit, td_text *out, td_diag *diag)
{
    struct stat st;
    td_text_clear(out);
    int more = is_open_already(path) ? 0 : O_NONBLOCK | O_NOCTTY;
    int fd = open(path, O_RDONLY | O_CLOEXEC | more);
    if (fd < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "cannot open %s", path);
    td_status status = TD_OK;
    if (fstat(fd, &st) == 0)
        status = check_kind(path, &st, diag);
    if (status == TD_OK)
        status = read_all(fd, path, limit, out, diag);
    close(fd);
    return status;
}

/* flags: O_TRUNC, or O_EXCL for a file that must be new. */
static td_status write_all(const char *path, const char *bytes, size_t n, int flags,
                           td_diag *diag)
{
    int fd =
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, 0666);
    if (fd < 0 && errno == ENXIO)
        return td_diag_set(diag, TD_E_SYSTEM, "no process reads from %s", path);
    if (fd < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "cannot create %s", path);
    td_status status = TD_OK;
    fcntl(fd, F_SETFL, 0); /* from here on it may wait for its reader */
    while (n > 0 && status == TD_OK) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR)
            status = td_diag_errno(diag, TD_E_SYSTEM, "cannot write %s", path);
        if (done > 0) {
            bytes += done;
            n -= (size_t)done;
        }
    }
    if (close(fd) < 0 && status == TD_OK)
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot write %s", path);
    return status;
}

/* A device, a pipe or a link must be written through, not replaced by a file. */
static bool can_be_replaced(const char *path)
{
    struct stat st;
    return lstat(path, &st) < 0 || S_ISREG(st.st_mode);
}

td_status td_file_write(const char *path, const char *bytes, size_t n, td_diag *diag)
{
    if (can_be_replaced(path))
        return td_file_replace(path, bytes, n, diag);
    return write_all(path, bytes, n, O_TRUNC, diag);
}

const char *td_temp_folder(void)
{
    const char *chosen = getenv("TMPDIR");
    return chosen && chosen[0] ? chosen : "/tmp";
}

td_status td_file_replace(const char *path, const char *bytes, size_t n, td_diag *diag)
{
    td_text beside = {0};
    td_text_add(&beside, "%s.%ld.tmp", path, (long)getpid());
    unlink(beside.at);
    td_status status = write_all(beside.at, bytes, n, O_EXCL, diag);
    if (status == TD_OK && rename(beside.at, path) < 0)
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot create %s", path);
    if (status != TD_OK)
        unlink(beside.at);
    td_text_fini(&beside);
    return status;
}
