/* SPDX-License-Identifier: Apache-2.0 */
/* treadle doctor: whether this machine can run programs as treadle does. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/readable.h"
#include "base/glyph.h"
#include "base/vec.h"
#include "cli/self_test.h"
#include "run/run.h"
#include "wire/api.h"
#include "wire/library.h"
#include "wire/layout.h"

/* ---- the machine ---- */

typedef enum health { HEALTH_OK, HEALTH_SLOW, HEALTH_BAD } health;

/* One thing that is looked at. advice is printed unless it is well. */
typedef struct check {
    const char *what;
    health (*test)(void);
    const char *advice;
} check;

/* Runs the test in a child process, because it may corrupt process state. */
static bool passes_in_child(bool (*test)(void))
{
    pid_t child = fork();
    if (child == 0)
        _exit(test() ? 0 : 1);
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool fixed_addresses(void)
{
    int before = personality(0xffffffff);
    return before >= 0 && personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0;
}

static health check_addresses(void)
{
    return passes_in_child(fixed_addresses) ? HEALTH_OK : HEALTH_SLOW;
}

static health check_memfd(void)
{
    int fd = memfd_create("treadle-doctor", MFD_CLOEXEC);
    if (fd < 0)
        return HEALTH_BAD;
    close(fd);
    return HEALTH_OK;
}

static bool reserve(uint64_t address, uint64_t size)
{
    void *at =
        mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return at == (void *)(uintptr_t)address;
}

static bool shadow_fits(void)
{
#define X(start, end)                                                                    \
    if (!reserve((start) ^ PLAN_EPOCH_XOR, (end) - (start)))                             \
        return false;                                                                    \
    if (!reserve((start) ^ PLAN_SITE_XOR, (end) - (start)))                              \
        return false;                                                                    \
    if (!reserve(PLAN_LABEL(start), ((end) - (start)) * 4))                              \
        return false;
    PLAN_WINDOWS(X)
#undef X
    return reserve(PLAN_CONTROL, PLAN_CONTROL_SIZE);
}

/* In a build with AddressSanitizer our shadow range is taken by the sanitizer's; programs under test are not
 * affected. */
#if defined(__SANITIZE_ADDRESS__)
#define PLACE_TAKEN true
#elif defined(__has_feature)
#define PLACE_TAKEN __has_feature(address_sanitizer)
#else
#define PLACE_TAKEN false
#endif

static health check_shadow(void)
{
    if (PLACE_TAKEN)
        return HEALTH_OK;
    return passes_in_child(shadow_fits) ? HEALTH_OK : HEALTH_BAD;
}

static health check_fsgsbase(void)
{
#if defined(__x86_64__)
    return getauxval(AT_HWCAP2) & 2 ? HEALTH_OK : HEALTH_SLOW;
#else
    return HEALTH_OK;
#endif
}

/* A child of treadle cc, with its output dropped. */
static bool compiler_answers(void)
{
    char *words[] = {"cc", "--version", NULL};
    if (!freopen("/dev/null", "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        return false;
    return cli_become_cc(words) == 0;
}

static health check_compiler(void)
{
    return passes_in_child(compiler_answers) ? HEALTH_OK : HEALTH_BAD;
}

static health check_gdb(void)
{
    const char *path = getenv("PATH");
    td_text name = {0};
    bool found = false;
    while (path && *path && !found) {
        size_t len = strcspn(path, ":");
        td_text_clear(&name);
        td_text_add(&name, "%.*s/gdb", (int)len, path);
        found = access(name.at, X_OK) == 0;
        path += len + (path[len] == ':');
    }
    td_text_fini(&name);
    return found ? HEALTH_OK : HEALTH_SLOW;
}

/* gdb traces a child of its own; containers may forbid even that. */
static bool can_be_traced(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static health check_ptrace(void)
{
    return passes_in_child(can_be_traced) ? HEALTH_OK : HEALTH_SLOW;
}

/* Checks whether the pages that a run wrote can be found: otherwise all pages are restored. */
static health check_pagemap(void)
{
    int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return HEALTH_SLOW;
    close(fd);
    return HEALTH_OK;
}

static const check checks[] = {
    {"compiler (treadle cc)", check_compiler,
     "clang not found: install clang, or set TREADLE_CC"},
    {"fixed addresses", check_addresses,
     "personality() is forbidden (seccomp of a container); a program that depends on its "
     "addresses may behave differently in the next session"},
    {"shared memory", check_memfd, "memfd_create() is forbidden"},
    {"shadow memory", check_shadow,
     "cannot reserve address space: check 'ulimit -v' and vm.overcommit_memory"},
    {"fast thread switch", check_fsgsbase,
     "the processor or kernel lacks fsgsbase; runs are slower"},
    {"fast restart", check_pagemap,
     "cannot read /proc/self/pagemap; restarts are slower"},
    {"gdb", check_gdb, "not found; only 'treadle replay --gdb' needs it"},
    {"tracing for gdb", check_ptrace,
     "ptrace() is forbidden; in a container allow it (--cap-add=SYS_PTRACE)"},
};

static const char *health_text(health h)
{
    return h == HEALTH_OK ? "ok" : h == HEALTH_SLOW ? "note" : "FAILS";
}

static bool machine_is_well(void)
{
    bool well = true;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        fflush(stdout);
        health h = checks[i].test();
        printf("  %-24s%s%s%s\n", checks[i].what, health_text(h), h ? ": " : "",
               h ? checks[i].advice : "");
        well &= h != HEALTH_BAD;
    }
    return well;
}

/* ---- a program ---- */

/* A function that limits what treadle can do, and where it is called first. */
typedef struct limit {
    const char *callee;
    const char *file;
    uint32_t line, n_sites;
    uint32_t last_line, last_column; /* a call may have two records */
} limit;

TD_VEC(limit, limit_vec);

/* The unsupported functions that a program calls. */
typedef struct calls {
    limit_vec refused;   /* a run ends there */
    limit_vec tainting;  /* a snapshot cannot undo it */
    limit_vec unwatched; /* its accesses are unknown */
    limit_vec library;   /* likewise, of the C++ library */
} calls;

static bool is_tainting(const char *name)
{
    static const char *const tainting[] = {
#define X(function) #function,
        WIRE_TAINTING(X)
#undef X
    };
    for (size_t i = 0; i < sizeof tainting / sizeof tainting[0]; i++)
        if (strcmp(tainting[i], name) == 0)
            return true;
    return false;
}

static bool is_listed(const char *name)
{
    static const char *const listed[] = {
#define X(function) #function,
        WIRE_REPLACED(X) WIRE_INPUTS(X) WIRE_SYMBOLIC(X) WIRE_MARKS(X) WIRE_HARMLESS(X)
            WIRE_DESCRIPTORS(X) WIRE_LIBC(X) WIRE_LIBC_PURE(X) WIRE_STDIN(X)
#undef X
    };
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++)
        if (strcmp(listed[i], name) == 0)
            return true;
    return false;
}

static bool is_refused(const char *name)
{
    static const char *const refused[] = {
#define X(function) #function,
        WIRE_REFUSED(X)
#undef X
    };
    static const char *const prefixes[] = {
#define X(prefix) prefix,
        WIRE_REFUSED_PREFIXES(X)
#undef X
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(refused[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(prefixes[i], name, strlen(prefixes[i])) == 0)
            return !is_listed(name);
    return false;
}

/* Returns the signature of a function in wire/library.h, or NULL. */
static const char *signature_of(const char *name)
{
    static const struct {
        const char *name, *signature;
    } rows[] = {
#define X(function, words) {#function, words},
        WIRE_LIBRARY(X) WIRE_LIBRARY_TOLD(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].signature;
    return NULL;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

/* A copy that treadle c++ made of a function, with hooks as the function has them. */
static bool is_copy(const char *name)
{
    return ends_with(name, ".plain") || ends_with(name, ".symbolic");
}

/* True if the symbol belongs to libstdc++ or libc++. */
static bool is_of_cxx_library(const char *name)
{
    td_text said = {0};
    td_readable(name, &said);
    bool is =
        strncmp(name, "_Z", 2) == 0 && said.len > 0 &&
        (strncmp(said.at, "std::", 5) == 0 || strncmp(said.at, "__gnu_cxx::", 11) == 0 ||
         strncmp(said.at, "operator", 8) == 0);
    td_text_fini(&said);
    return is;
}

static bool is_known(const char *name)
{
    static const char *const known[] = {
#define X(function, how) #function,
        WIRE_KNOWN(X)
#undef X
            "memcpy",
        "memmove", "memset", /* instructions of LLVM */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return strncmp(name, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0;
}

/* True if the accesses of the function are unknown: its row has x, or it has neither a row nor hooks. */
static bool is_unwatched(trc_sites *sites, const char *name)
{
    const char *signature = signature_of(name);
    if (is_listed(name) || is_refused(name))
        return false;
    if (signature)
        return strchr(signature, 'x') != NULL;
    return !is_known(name) && !is_tainting(name) && !trc_is_instrumented(sites, name);
}

static void limit_add(limit_vec *all, const trc_site *at)
{
    TD_ASSERT(at->callee[0] != '\0');
    for (size_t i = 0; i < all->len; i++)
        if (strcmp(all->at[i].callee, at->callee) == 0) {
            limit *f = &all->at[i];
            f->n_sites += f->last_line != at->line || f->last_column != at->column;
            f->last_line = at->line;
            f->last_column = at->column;
            return;
        }
    limit_vec_push(all, (limit){at->callee, at->file, at->line, 1, at->line, at->column});
}

static bool is_unknown(const trc_site *at)
{
    return at->line == 0 && strcmp(at->file, "?") == 0 && strcmp(at->function, "?") == 0;
}

/* Number of sites; those of calls that limit us are collected. */
static uint32_t read_sites(trc_sites *sites, calls *out)
{
    for (uint32_t number = 1;; number++) {
        trc_site at = trc_site_at(sites, number);
        if (is_unknown(&at))
            return number - 1;
        if (*at.callee && is_refused(at.callee))
            limit_add(&out->refused, &at);
        else if (*at.callee && is_tainting(at.callee))
            limit_add(&out->tainting, &at);
        bool is_name = *at.callee && *at.callee != '(' && !is_copy(at.callee);
        if (is_name && is_unwatched(sites, at.callee))
            limit_add(is_of_cxx_library(at.callee) ? &out->library : &out->unwatched,
                      &at);
    }
}

static void print_limits(const char *text, const limit_vec *all)
{
    if (all->len == 0)
        return;
    printf("  %-24snote: %s:\n", "its calls", text);
    for (size_t i = 0; i < all->len; i++) {
        const limit *f = &all->at[i];
        const char *slash = strstr(f->file, "/include/") ? strrchr(f->file, '/') : NULL;
        td_text name = {0};
        td_readable(f->callee, &name);
        td_print(stdout, "    %-28s%s%s:%u", name.at, name.len >= 28 ? " " : "",
                 slash ? slash + 1 : f->file, f->line);
        td_text_fini(&name);
        if (f->n_sites > 1)
            printf(" and %u more", f->n_sites - 1);
        putchar('\n');
    }
}

/* runtime/cxx is linked into every program with libstdc++. */
static void print_language(trc_sites *sites)
{
    if (trc_is_instrumented(sites, "__cxa_pure_virtual"))
        printf("  %-24sok: C++; headers are instrumented with the program\n",
               "its language");
}

static void print_program(run *r, const char *program)
{
    calls c = {0};
    uint32_t n_sites = read_sites(run_sites(r), &c);
    td_print(stdout, "  %-24sok: starts under control, %u instrumented sites\n", program,
             n_sites);
    print_language(run_sites(r));
    if (c.refused.len + c.tainting.len + c.unwatched.len + c.library.len == 0)
        printf("  %-24sok: all direct calls are modelled or instrumented\n", "its calls");
    print_limits("not instrumented; each becomes a ledger entry", &c.unwatched);
    print_limits("C++ library, not watched; each a ledger entry", &c.library);
    print_limits("unsupported; a run ends at such a call", &c.refused);
    print_limits("irreversible; one process per run (slow)", &c.tainting);
    limit_vec_fini(&c.refused);
    limit_vec_fini(&c.tainting);
    limit_vec_fini(&c.unwatched);
    limit_vec_fini(&c.library);
}

static bool program_is_well(char *const *argv)
{
    run_opts opts = {.argv = argv};
    run *r = NULL;
    td_diag diag = {0};
    if (run_open(&opts, &r, &diag) != TD_OK) {
        td_print(stdout, "  %-24sFAILS: %s\n", argv[0], diag.text);
        return false;
    }
    print_program(r, argv[0]);
    run_close(r);
    return true;
}

/* ---- command ---- */

#define DOCTOR_OPTIONS(X)                                                                \
    X(self_test, "self-test", 0, FLAG, 0, 0, 0, "",                                      \
      "compile and explore small programs whose result is known")

typedef struct doctor_fields {
    DOCTOR_OPTIONS(CLI_DECLARE_FIELD)
} doctor_fields;

#define X(...) CLI_TABLE_ROW(doctor_fields, __VA_ARGS__)
static const cli_option doctor_table[] = {DOCTOR_OPTIONS(X){0}};
#undef X

static int doctor_main(const cli_command *self, int argc, char **argv)
{
    cli_words words = {argc - 1, argv + 1};
    doctor_fields f = {0};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    struct utsname kernel = {0};
    uname(&kernel);
    printf("treadle " TREADLE_VERSION ", %s %s %s, %ld processors\n", kernel.sysname,
           kernel.release, kernel.machine, sysconf(_SC_NPROCESSORS_ONLN));
    bool well = machine_is_well();
    if (well && f.self_test)
        well = cli_self_test();
    if (words.n > 0)
        well &= program_is_well(words.at);
    return well ? CLI_EXIT_COMPLETE : CLI_EXIT_USAGE;
}

const cli_command cli_doctor = {
    .name = "doctor",
    .words = "[--self-test] [PROGRAM [ARGS...]]",
    .text = "check this machine, and a program for unsupported calls",
    .table = doctor_table,
    .order = CLI_OPTIONS_FIRST,
    .main = doctor_main,
};
