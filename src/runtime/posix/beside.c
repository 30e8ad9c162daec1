/* SPDX-License-Identifier: Apache-2.0 */
/* What functions of the C library have beside the memory behind their arguments: states that they keep,
 * the environment, streams, files and descriptors. */
#include "runtime/posix/libcall.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/fd.h"
#include "runtime/posix/overlay.h"
#include "runtime/posix/shares.h"
#include "wire/api.h"

/* ---- states of the library ---- */

/* Variables that represent them and are never written. A report names one like any other. */
#define X(name) static uint64_t libc_##name;
WIRE_STATES(X)
#undef X

void rt_library_state(const rt_call *c, const char *name, bool is_write)
{
    static const struct {
        const char *name;
        uint64_t *at;
    } states[] = {
#define X(name) {#name, &libc_##name},
        WIRE_STATES(X)
#undef X
    };
    size_t length = strcspn(name, " ");
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (strncmp(states[i].name, name, length) == 0 && states[i].name[length] == 0)
            rt_access((uint64_t)states[i].at, sizeof *states[i].at, is_write, c->number);
    if (is_write)
        rt_changed();
}

/* ---- states that the system keeps ---- */

enum { Y = true, N = false };

static const struct {
    const char *name;
    bool is_whole; /* all readers are known */
} system_states[] = {
#define X(name, is_whole) {#name, is_whole},
    WIRE_SYSTEM_STATES(X)
#undef X
};
#define N_SYSTEM_STATES (sizeof system_states / sizeof system_states[0])

static size_t system_state(const char *name)
{
    size_t length = strcspn(name, " "), i = 0;
    while (i < N_SYSTEM_STATES && (strncmp(system_states[i].name, name, length) != 0 ||
                                   system_states[i].name[length] != 0))
        i++;
    RT_ASSERT(i < N_SYSTEM_STATES);
    return i;
}

static bool is_about_numbers(const rt_call *c, const char *name)
{
    size_t length = strcspn(name, " ");
    bool is_hidden = strncmp(name, WIRE_STATE_HIDDEN, length) == 0;
    if (!is_hidden && strncmp(name, WIRE_STATE_DESCRIPTORS, length) != 0)
        return false;
    if (!is_hidden || rt->fds_seen)
        rt_fd_order(strstr(c->name, "close") ? WIRE_FD_CALL_CLOSE : WIRE_FD_CALL_OPEN, -1,
                    c->number);
    return true;
}

void rt_library_system(const rt_call *c, const char *name, bool is_set)
{
    if (is_about_numbers(c, name))
        return;
    size_t i = system_state(name);
    if (is_set)
        rt_changed();
    if (is_set && !c->is_ours && !rt_identity_takes(c->name, c->ints[0]))
        rt_taint(c->name, c->number);
    bool is_step =
        rt_shared_step(is_set ? WIRE_SET : WIRE_GET, c->number, WIRE_OBJECT_STATE(i));
    if (is_step && is_set && !system_states[i].is_whole)
        rt_gap_once(WIRE_GAP_UNWATCHED, c->number, c->name);
}

/* ---- the environment, as the variable that programs may look at ---- */

#define ENTRIES 1024u
static char *entries[ENTRIES]; /* before a call without callbacks */

/* Entries, with the NULL behind them. */
static uint64_t count_entries(void)
{
    uint64_t n = 0;
    while (environ && n < ENTRIES && environ[n])
        n++;
    return environ && n < ENTRIES ? n + 1 : n;
}

/* As far as one is found, or all. */
static void read_entries(const rt_call *c)
{
    rt_library_read(c, (uint64_t)&environ, sizeof environ);
    const char *name = (const char *)c->ints[0];
    uint64_t n = count_entries(), i = 0;
    bool is_name = !rt_library_is_nowhere((uint64_t)name) && c->signature[0] == 's';
    size_t length = is_name ? strcspn(name, "=") : 0;
    while (i + 1 < n && !(is_name && strncmp(environ[i], name, length) == 0 &&
                          environ[i][length] == '='))
        i++;
    rt_library_read(c, (uint64_t)environ, (i < n ? i + 1 : i) * sizeof *environ);
}

void rt_library_environ(rt_call *c, char word, bool is_after)
{
    if (!is_after)
        read_entries(c);
    if (word != 'u')
        return;
    c->is_late = true;
    uint64_t n = count_entries();
    RT_ASSERT(n <= ENTRIES);
    if (!is_after) {
        c->kept[0] = (uint64_t)environ;
        c->kept[1] = n;
        if (n > 0)
            memcpy(entries, environ, n * sizeof *environ);
        return;
    }
    if ((uint64_t)environ != c->kept[0])
        rt_library_write(c, (uint64_t)&environ, sizeof environ);
    for (uint64_t i = 0; (uint64_t)environ == c->kept[0] && i < c->kept[1] && i < n; i++)
        if (environ[i] != entries[i])
            rt_library_write(c, (uint64_t)&environ[i], sizeof *environ);
}

/* ---- streams and files: their order matters, and is not explored ---- */

static void share(const rt_call *c, uint64_t key, bool is_write, const char *text)
{
    rt_share_use(key, is_write, c->name, text, c->number);
}

/* Relates a stream to its file: two streams may share one. The mode in which it was opened determines what
 * is done to it. */
static void share_file(const rt_call *c, uint64_t stream)
{
    rt_share *s = rt_share_of(stream);
    if (!s->is_known) {
        int fd = fileno((FILE *)stream);
        s->is_known = true;
        s->file = fd > 2 && !rt_fd_is_ours(fd) ? rt_overlay_key(fd) : 0;
        s->is_reader = s->file && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
    }
    if (s->file)
        share(c, s->file, !s->is_reader, "file");
    if (strcmp(c->name, "fclose") == 0 || strcmp(c->name, "freopen") == 0)
        s->is_known = false;
}

/* Handles stdout and stderr. No thread can observe the order of other threads' output, unless it closes a
 * stream or queries its position. */
static void share_output(const rt_call *c, int fd, bool may_swap)
{
    RT_ASSERT(fd >= 0 && fd <= 2);
    share(c, RT_SHARE_FD(fd), !may_swap, "standard stream");
}

void rt_library_stream(const rt_call *c, uint64_t stream, char word)
{
    bool is_write = word != 'e' && word != 'l';
    if (rt_library_is_nowhere(stream))
        return;
    if (stream == (uint64_t)stdout || stream == (uint64_t)stderr) {
        share_output(c, stream == (uint64_t)stdout ? 1 : 2,
                     word == 'p' || word == 'e' || word == 'y');
        return;
    }
    share(c, stream, is_write, "stream");
    share_file(c, stream);
    if (is_write)
        rt_changed();
}

/* B: the k-th variable of the memory stream that the call makes. */
void rt_library_stream_variable(const rt_call *c, uint64_t variable, uint32_t k)
{
    RT_ASSERT(k < sizeof rt->shares->variables / sizeof rt->shares->variables[0]);
    if (c->results[0] != 0)
        rt_share_of(c->results[0])->variables[k] = variable;
}

/* y: a stream that is flushed, or all of them. The variables of a memory stream are written. */
void rt_library_flush(const rt_call *c, uint64_t stream)
{
    for (rt_share *s = rt->shares; s; s = s->next) {
        if (s->variables[0] == 0 || (stream != 0 && s->key != stream))
            continue;
        rt_library_write(c, s->variables[0], sizeof(char *));
        rt_library_write(c, s->variables[1], sizeof(size_t));
        if (strcmp(c->name, "fclose") == 0)
            s->variables[0] = s->variables[1] = 0;
    }
}

/* The runtime does the call for its own descriptors. */
static bool knows_ours(const rt_call *c)
{
    static const char *const known[] = {
#define X(function) #function,
        WIRE_DESCRIPTORS(X) WIRE_STDIN(X)
#undef X
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], c->name) == 0)
            return true;
    return false;
}

/* A pipe or socket between threads is not the kernel's: the function would not find it. */
_Noreturn static void refuse_ours(const rt_call *c)
{
    char what[96];
    snprintf(what, sizeof what, "%.40s of a pipe or socket", c->name);
    rt_refuse(what, c->number);
}

void rt_library_files(const rt_call *c, uint64_t first, uint32_t i)
{
    bool is_range = c->signature[strcspn(c->signature, " ") + 1] == 'v';
    uint32_t last = is_range ? (uint32_t)rt_library_argument(c, i + 1) : UINT32_MAX;
    for (uint32_t fd = (uint32_t)first; fd < RT_MAX_FDS && fd <= last; fd++)
        if (rt_fd_is_ours((int)fd))
            refuse_ours(c);
        else if (rt_share_is_known(RT_SHARE_FD(fd)))
            share(c, RT_SHARE_FD(fd), true, "descriptor");
}

/* What is done to the file of a descriptor. */
static void share_content(const rt_call *c, int fd, char word)
{
    bool only_reads = strncmp(c->name, "read", 4) == 0;
    uint64_t key = strcmp(c->name, "close") == 0 ? 0 : rt_overlay_key(fd);
    if (key)
        share(c, key, word != 'g' && !only_reads, "file");
    if (word != 'g')
        rt_changed();
}

/* Represents all mapped files. */
#define ANY_MAPPED (UINT64_C(1) << 63)

/* Returns the key of the mapped file, 0: none. */
static uint64_t mapped_key(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return 0;
    return (UINT64_C(1) << 63 | (uint64_t)st.st_dev << 40) ^ (uint64_t)st.st_ino;
}

/* What a call does to a file that is mapped happens to that memory as well. */
static void share_mapped(const rt_call *c, int fd)
{
    bool only_asks = strstr(c->name, "stat") != NULL || strcmp(c->name, "close") == 0;
    if (only_asks || rt_is_only_thread() || !rt_share_is_known(ANY_MAPPED))
        return;
    if (rt_share_is_known(mapped_key(fd)))
        rt_gap_once(WIRE_GAP_UNWATCHED, c->number, "a call on a file that is mapped");
}

void rt_library_file(const rt_call *c, uint64_t number, char word)
{
    int fd = (int)number;
    if (rt_fd_is_ours(fd) && !knows_ours(c))
        refuse_ours(c);
    if (fd < 0 || rt_fd_is_ours(fd))
        return;
    if (fd <= 2) {
        share_output(c, fd, word != 'h');
        return;
    }
    share(c, RT_SHARE_FD(fd), word != 'g', "file");
    share_content(c, fd, word);
    share_mapped(c, fd);
}

/* A file that is mapped twice is one memory under two addresses. */
void rt_library_mapping(const rt_call *c)
{
    int flags = (int)c->ints[3], fd = (int)c->ints[4];
    bool is_file = (flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS);
    uint64_t key = is_file ? mapped_key(fd) : 0;
    if (key == 0)
        return;
    rt_share_of(ANY_MAPPED);
    rt_share *s = rt_share_of(key);
    if (s->writes.len > 0)
        rt_gap_once(WIRE_GAP_UNWATCHED, c->number,
                    "mmap of a file that is already mapped");
    rt_clock_set(&s->writes, rt->self->id, 1);
}
