/* SPDX-License-Identifier: Apache-2.0 */
/* Before anything else runs: the control page, the shadow, and whether treadle is in control. */
#include "runtime/process/process.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"
#include "wire/started.h"

static void map_plane(uint64_t xor, int prot)
{
#define X(lo, hi)                                                                        \
    rt_sys_reserve(lo ^ xor, hi - lo, prot);                                             \
    rt_sys(SYS_madvise, (long)(lo ^ xor), (long)(hi - lo), MADV_DONTDUMP);
    PLAN_WINDOWS(X)
#undef X
}

/* The number behind NAME= in the environment, or -1. */
static int env_number(char **envp, const char *name)
{
    size_t len = strlen(name);
    for (; *envp; envp++) {
        if (strncmp(*envp, name, len) != 0 || (*envp)[len] != '=')
            continue;
        int value = 0;
        for (const char *c = *envp + len + 1; *c >= '0' && *c <= '9' && value < 100000;
             c++)
            value = value * 10 + (*c - '0');
        return value;
    }
    return -1;
}

static void map_shared(int fd)
{
    if (rt_sys_map(PLAN_SHM, sizeof(wire_shm), PROT_READ | PROT_WRITE, MAP_SHARED, fd) !=
        0)
        rt_sys_cannot_reserve();
    rt_sys(SYS_close, fd, 0, 0);
    rt->shm = (wire_shm *)PLAN_SHM;
    if (rt->shm->magic != WIRE_MAGIC || rt->shm->version != WIRE_VERSION) {
        rt_sys_say("treadle: this program was built by another version of treadle\n");
        rt_sys_exit(71);
    }
}

/* Behind the rest of the shared memory. */
static void map_marks(int fd)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    long got =
        rt_sys6(SYS_mmap, (long)PLAN_COVER, (long)PLAN_COVER_SIZE, PROT_READ | PROT_WRITE,
                flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd,
                fd < 0 ? 0 : (long)WIRE_COVER_OFFSET);
    if (got != (long)PLAN_COVER)
        rt_sys_cannot_reserve();
    rt_sys(SYS_madvise, (long)PLAN_COVER, (long)PLAN_COVER_SIZE, MADV_DONTDUMP);
}

/* The upper half of the heap for large blocks. */
#define SERVICE_HEAP (PLAN_BIG_HEAP + PLAN_BIG_HEAP_SIZE / 2)

static void take_control(int shm, int pipe)
{
    RT_ASSERT(!rt_controlled);
    int both = PROT_READ | PROT_WRITE;
    rt_sys_reserve(PLAN_STATE, PLAN_STATE_SIZE, both);
    rt_sys_reserve(PLAN_SLOTS, PLAN_N_SLOTS * PLAN_SLOT_SIZE, both);
    rt_sys_reserve(PLAN_MAIN_HEAP, PLAN_MAIN_HEAP_SIZE, both);
    rt_sys_reserve(PLAN_BIG_HEAP, PLAN_BIG_HEAP_SIZE, both);
    rt_sys_reserve(PLAN_ARGS, PLAN_ARGS_SIZE, both);
    map_plane(PLAN_SITE_XOR, both);
    map_shared(shm);
    rt->above = &rt_above_core;
    rt->pipe = pipe;
    rt->direct = pipe < 0;
    rt_heap_init(&rt->main_heap, 0);
    rt->big_heap =
        (rt_heap){.base = PLAN_BIG_HEAP, .top = PLAN_BIG_HEAP, .end = SERVICE_HEAP};
    rt->service_heap = (rt_heap){.base = SERVICE_HEAP,
                                 .top = SERVICE_HEAP,
                                 .end = PLAN_BIG_HEAP + PLAN_BIG_HEAP_SIZE};
    rt_controlled = true;
    RT_ASSERT(rt->above && rt->shm);
}

/* ---- the list of programs that were started (wire/started.h) ---- */

#define LISTED_BYTES ((uint64_t)1 << 20)

static const char *env_text(char **envp, const char *name)
{
    size_t len = strlen(name);
    for (; *envp; envp++)
        if (strncmp(*envp, name, len) == 0 && (*envp)[len] == '=')
            return *envp + len + 1;
    return NULL;
}

/* The next place; a text that does not fit is left out, and then nothing is written. */
static char *list_text(char *at, const char *end, const char *text)
{
    size_t size = strlen(text) + 1;
    if (!at || (uint64_t)(end - at) < size)
        return NULL;
    memcpy(at, text, size);
    return at + size;
}

static char *list_texts(char *at, const char *end, char **texts)
{
    char number[24], *digit = number + sizeof number - 1;
    size_t n = 0;
    while (texts[n])
        n++;
    *digit = 0;
    size_t left = n;
    do
        *--digit = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    at = list_text(at, end, digit);
    for (size_t i = 0; i < n; i++)
        at = list_text(at, end, texts[i]);
    return at;
}

static void list_start(const char *path, char **argv, char **envp)
{
    char here[4096];
    long memory = rt_sys6(SYS_mmap, 0, (long)LISTED_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory < 0 && memory > -4096)
        return;
    char *first = (char *)memory, *at = NULL;
    const char *end = first + LISTED_BYTES;
    long n = rt_sys6(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)here,
                     sizeof here - 1, 0, 0);
    if (n > 0) {
        here[n] = 0;
        at = list_text(first, end, here);
    }
    if (rt_sys(SYS_getcwd, (long)here, sizeof here, 0) > 0)
        at = list_text(at, end, here);
    at = list_texts(at, end, argv[0] ? argv + 1 : argv);
    at = list_texts(at, end, envp);
    long fd = rt_sys6(SYS_openat, AT_FDCWD, (long)path,
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666, 0, 0);
    if (at && fd >= 0)
        rt_sys(SYS_write, fd, memory, at - first);
    if (fd >= 0)
        rt_sys(SYS_close, fd, 0, 0);
    rt_sys(SYS_munmap, memory, (long)LISTED_BYTES, 0);
}

static void before_all(int argc, char **argv, char **envp)
{
    (void)argc;
    if (rt_real_resolve)
        rt_real_resolve();
    rt_sys_reserve(PLAN_CONTROL, PLAN_CONTROL_SIZE, PROT_READ | PROT_WRITE);
    rt_sys_reserve(PLAN_KNOWN, PLAN_N_KNOWN * 8, PROT_READ | PROT_WRITE);
    int shm = env_number(envp, WIRE_ENV_SHM);
    map_plane(PLAN_EPOCH_XOR, shm < 0 ? PROT_READ : PROT_READ | PROT_WRITE);
    map_marks(shm);
    if (shm >= 0)
        take_control(shm, env_number(envp, WIRE_ENV_PIPE));
    else if (env_text(envp, WIRE_ENV_STARTED))
        list_start(env_text(envp, WIRE_ENV_STARTED), argv, envp);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **, char **) = before_all;

/* ---- arguments ---- */

/* Copies the words one behind the other; *at moves on. */
static char **copy_words(char **words, uint64_t *at)
{
    size_t n = 0;
    while (words[n])
        n++;
    char **list = (char **)*at;
    char *text = (char *)(list + n + 1);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(words[i], "TREADLE_", 8) == 0 ||
            strncmp(words[i], "LD_BIND_NOW=", 12) == 0)
            continue;
        size_t size = strlen(words[i]) + 1;
        list[kept++] = memcpy(text, words[i], size);
        text += size;
    }
    list[kept] = NULL;
    *at = ((uint64_t)text + 15) & ~UINT64_C(15);
    return list;
}

static void keep_words(rt_words *w, uint64_t start, uint64_t end)
{
    w->start = start;
    w->size = end - start;
    w->saved = rt_saved_alloc(w->size);
    memcpy(w->saved, (const void *)start, w->size);
}

static void copy_arguments(int argc, char **argv, char **envp)
{
    uint64_t args = PLAN_ARGS, env = PLAN_ARGS + PLAN_ARGS_SIZE / 2;
    rt->argc = argc;
    rt->argv = copy_words(argv, &args);
    uint64_t first_word = (uint64_t)rt->argv;
    args = rt_given_prepare(args);
    rt->envp = copy_words(envp, &env);
    environ = rt->envp;
    keep_words(&rt->words[0], first_word, args);
    keep_words(&rt->words[1], (uint64_t)rt->envp, env);
}

void rt_arguments_restore(void)
{
    RT_ASSERT(rt->words[0].saved && rt->words[1].saved);
    for (int i = 0; i < 2; i++)
        memcpy((void *)rt->words[i].start, rt->words[i].saved, rt->words[i].size);
}

RT_EXPORT int __treadle_start(int argc, char **argv, char **envp, wire_main *user_main)
{
    if (!rt_controlled)
        return user_main(argc, argv, envp);
    rt->user_main = user_main;
    copy_arguments(argc, argv, envp);
    rt_images_publish();
    rt_exit_prepare();
    rt_foreign_prepare();
    rt_images_facts facts = rt_images_look();
    rt->uses = facts.uses;
    rt->sends = facts.sends;
    bool may_call_back =
        facts.calls_others || !rt_foreign_is_known((uint64_t)rt->user_main);
    if (((rt->uses & WIRE_USES_UNWINDS) || may_call_back) && rt_real_unwinds)
        rt_real_unwinds();
    rt->has_wide = facts.has_wide;
    rt->fds_watched = facts.polls && facts.makes_sockets;
    rt->fds_seen = facts.tells_numbers;
    rt->fds_apart = !facts.polls || rt->fds_watched;
    rt->alone = !facts.creates;
    rt->registers = facts.registers;
    if (facts.makes_inputs || rt->n_given > 0 || rt->shm->sym_stdin > 0) {
        rt_labels_map();
        rt->makes_inputs = rt->symbolic = true;
        PLAN_CTL->symbolic = 1;
    }
    rt_zygote();
}
