/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory we may use: limits of the machine, control groups, a reserve. */
#include "base/memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CHUNK 65536u /* smaller than what malloc maps by itself */
#define N_CHUNKS 256u
#define MAX_PATH 4096
#define CRASH_STACK (256u << 10) /* to print a result on */

/* The allocator has no context to keep this in. */
static struct {
    uint64_t limit; /* 0: none */
    uint64_t space; /* RLIMIT_AS; 0: none */
    void *reserve
        [N_CHUNKS]; /* in the allocator's hands, so that no new addresses are needed */
    uint32_t n_reserve;
    bool has_handler; /* an exit() handler is registered */
    bool has_failed;
    bool is_ending;
    bool has_crashed;
    char crash_stack[CRASH_STACK];
    int status; /* to end with; 0: 70 */
    td_memory_word *word;
    void *ctx;
} td_memory;

/* ---- what there is ---- */

/* A number at the start of a small file; without allocating. 0: none. */
static uint64_t number_in(const char *path)
{
    char text[32];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    return strtoull(text, NULL, 10);
}

static uint64_t lower(uint64_t a, uint64_t b)
{
    return b > 0 && (a == 0 || b < a) ? b : a;
}

/* The lowest limit of a control group and of those around it. */
static uint64_t group_limit(const char *root, const char *group, const char *file)
{
    char dir[MAX_PATH], path[MAX_PATH + 64];
    uint64_t limit = 0;
    if (strlen(root) + strlen(group) >= sizeof dir)
        return 0;
    snprintf(dir, sizeof dir, "%s%s", root, group);
    for (;;) {
        snprintf(path, sizeof path, "%s/%s", dir, file);
        limit = lower(limit, number_in(path));
        char *slash = strrchr(dir, '/');
        if (strlen(dir) <= strlen(root) || !slash)
            return limit;
        *slash = '\0';
    }
}

/* 0:: is version 2; a list with memory in it is version 1. */
static uint64_t groups_limit(void)
{
    char line[MAX_PATH];
    uint64_t limit = 0;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *kinds = strchr(line, ':');
        char *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        if (kinds[1] == '\0')
            limit = lower(limit, group_limit("/sys/fs/cgroup", group, "memory.max"));
        else if (strcmp(kinds + 1, "memory") == 0)
            limit = lower(limit, group_limit("/sys/fs/cgroup/memory", group,
                                             "memory.limit_in_bytes"));
    }
    if (f)
        fclose(f);
    return limit;
}

static uint64_t space_limit(void)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return 0;
    return space.rlim_cur;
}

uint64_t td_memory_default(void)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t least = lower(pages * (uint64_t)sysconf(_SC_PAGESIZE), groups_limit());
    return lower(least, space_limit()) / 4 * 3;
}

/* ---- what is used ---- */

typedef struct use {
    uint64_t space, own; /* bytes */
} use;

/* Returns zero if /proc is missing: then only failing allocations show the limit. */
static use use_now(void)
{
    char text[128];
    uint64_t space = 0, resident = 0, shared = 0, page = (uint64_t)sysconf(_SC_PAGESIZE);
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return (use){0};
    text[n] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &space, &resident, &shared) != 3)
        return (use){0};
    return (use){space * page, (resident > shared ? resident - shared : 0) * page};
}

uint64_t td_memory_used(void)
{
    return use_now().own;
}

void td_memory_trim(void)
{
    malloc_trim(0);
}

void td_memory_limit(uint64_t bytes)
{
    td_memory.limit = bytes;
    td_memory.space = space_limit();
    td_memory.has_failed = false;
    while (bytes > 0 && td_memory.n_reserve < N_CHUNKS) {
        void *chunk = malloc(CHUNK);
        if (!chunk)
            return;
        td_memory.reserve[td_memory.n_reserve++] = chunk;
    }
}

td_memory_state td_memory_look(void)
{
    if (td_memory.has_failed)
        return TD_MEMORY_FAILED;
    use now = use_now();
    if (td_memory.limit && now.own >= td_memory.limit - td_memory.limit / 16)
        return TD_MEMORY_LIMIT;
    bool is_near = td_memory.space && now.space >= td_memory.space - td_memory.space / 8;
    return is_near ? TD_MEMORY_SPACE : TD_MEMORY_ENOUGH;
}

/* ---- the end ---- */

bool td_memory_spare(void)
{
    bool has_more = td_memory.n_reserve > 0;
    td_memory.has_failed = true;
    if (has_more)
        mallopt(M_TRIM_THRESHOLD, INT_MAX); /* what is freed stays with us */
    while (td_memory.n_reserve > 0)
        free(td_memory.reserve[--td_memory.n_reserve]);
    return has_more;
}

static _Noreturn void end(const char *why)
{
    char text[128];
    bool is_first = !td_memory.is_ending;
    td_memory.is_ending = true;
    td_memory_spare();
    if (is_first && td_memory.word)
        td_memory.word(td_memory.ctx, why);
    int n = snprintf(text, sizeof text, "treadle: %s\n", why);
    ssize_t written = write(STDERR_FILENO, text, (size_t)n);
    (void)written;
    _exit(td_memory.status ? td_memory.status : 70);
}

/* A library called exit() while there is something left to print. */
static void on_exit_call(void)
{
    if (td_memory.word && !td_memory.is_ending)
        end("a library ended the process");
}

/* Libraries assert what does not hold without memory, or follow a NULL, as libdw does; and a stack may be too
 * small. What was found by then is printed. */
static void on_crash(int signal)
{
    td_memory.has_crashed = true;
    end(signal == SIGABRT ? "a library aborted: out of memory?"
                          : "crashed: out of memory or stack in a library?");
}

/* A sanitizer reports crashes itself. */
static void catch_crashes(void)
{
#ifndef __SANITIZE_ADDRESS__
    const stack_t alternative = {.ss_sp = td_memory.crash_stack,
                                 .ss_size = sizeof td_memory.crash_stack};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigaltstack(&alternative, NULL);
    sigaction(SIGABRT, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#endif
}

void td_memory_last_word(td_memory_word *word, void *ctx)
{
    if (!td_memory.has_handler) {
        td_memory.has_handler = atexit(on_exit_call) == 0;
        catch_crashes();
    }
    td_memory.word = word;
    td_memory.ctx = ctx;
}

bool td_memory_crashed(void)
{
    return td_memory.has_crashed;
}

void td_memory_status(int status)
{
    td_memory.status = status;
}

void td_memory_out(size_t asked)
{
    char why[80] = "out of memory";
    if (asked > 0)
        snprintf(why, sizeof why, "out of memory (%zu bytes requested)", asked);
    end(why);
}
