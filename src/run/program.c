/* SPDX-License-Identifier: Apache-2.0 */
/* The program's process: shared memory, start, the zygote's messages, its end. */
#include "run/run_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"

#define START_TIMEOUT_MS 20000
/* Exit status of a runtime that cannot work, as where it is of another version. */
#define REFUSES 71

/* ---- shared memory ---- */

td_status run_shm_create(const run_opts *opts, uint32_t n_stacks, run_program *p,
                         td_diag *diag)
{
    TD_ASSERT(!p->shm && opts->given.n_args <= WIRE_MAX_SYM_ARGS &&
              opts->given.n_weaker <= WIRE_MAX_WEAKER &&
              opts->given.n_repairs <= WIRE_MAX_REPAIRS);
    p->shm_fd = memfd_create("treadle", MFD_CLOEXEC);
    if (p->shm_fd < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "memfd_create");
    /* Untouched pages of the marks take no memory. */
    if (ftruncate(p->shm_fd, WIRE_COVER_OFFSET + PLAN_COVER_SIZE) != 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "sizing the shared memory");
    void *at = mmap(NULL, WIRE_COVER_OFFSET + PLAN_COVER_SIZE, PROT_READ | PROT_WRITE,
                    MAP_SHARED, p->shm_fd, 0);
    if (at == MAP_FAILED)
        return td_diag_errno(diag, TD_E_SYSTEM, "mapping the shared memory");
    p->shm = at;
    p->marks = (const uint8_t *)at + WIRE_COVER_OFFSET;
    p->shm->magic = WIRE_MAGIC;
    p->shm->version = WIRE_VERSION;
    p->shm->restart = opts->restart;
    p->shm->carrier = opts->carrier;
    p->shm->n_stacks = n_stacks;
    p->shm->keep_files = opts->keep_files;
    p->shm->keep_output = opts->keep_output || opts->output || opts->capture;
    p->shm->sym_stdin = opts->given.stdin_bytes;
    p->shm->spurious = opts->given.spurious;
    p->shm->reuse = opts->given.reuse;
    p->shm->every_round = opts->given.every_round;
    p->shm->n_sym_args = opts->given.n_args;
    memcpy(p->shm->sym_args, opts->given.args, sizeof p->shm->sym_args);
    p->shm->n_weaker = (uint32_t)opts->given.n_weaker;
    for (size_t i = 0; i < opts->given.n_weaker; i++)
        p->shm->weaker[i] = trc_weaker_wire(&opts->given.weaker[i]);
    p->shm->heap_limit = opts->heap_limit ? opts->heap_limit : UINT64_C(1) << 30;
    /* A real thread cannot be put back to its start. */
    if (opts->carrier == WIRE_CARRIER_THREADS)
        p->shm->restart = WIRE_RESTART_FORK;
    return TD_OK;
}

/* ---- start ---- */

/* A name without a slash would be another file for a shell, which looks for it elsewhere. */
td_status run_program_check(const char *path, td_diag *diag)
{
    if (!strchr(path, '/'))
        return td_diag_set(diag, TD_E_PROGRAM, "'%s' is not a path: type ./%s", path,
                           path);
    td_text file = {0};
    td_status status = td_file_read(path, (size_t)2 << 30, &file, diag);
    if (status != TD_OK)
        return status;
    static const char mark[] = "__treadle_start";
    bool elf = file.len > 4 && memcmp(file.at, "\177ELF", 4) == 0;
    bool built = elf && (memmem(file.at, file.len, mark, sizeof mark - 1) ||
                         memmem(file.at, file.len, "treadle_sites", 13));
    td_text_fini(&file);
    if (!elf)
        return td_diag_set(diag, TD_E_PROGRAM, "%s is not a program (ELF file)", path);
    if (!built)
        return td_diag_set(diag, TD_E_PROGRAM, "%s was not built with treadle cc", path);
    return TD_OK;
}

static void set_number(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

static void redirect(const char *path, int flags, int to)
{
    int fd = open(path, flags);
    if (fd >= 0) {
        dup2(fd, to);
        if (fd != to)
            close(fd);
    }
}

/* In the child. The runtime reserves far more addresses than it uses: a limit on them is for treadle
 * alone, the program has --memory. Where memory runs short, the program is to go first. */
static void free_the_space(void)
{
    static const char first[] = "1000";
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, now;
    if (setrlimit(RLIMIT_AS, &all) != 0 && getrlimit(RLIMIT_AS, &now) == 0) {
        now.rlim_cur = now.rlim_max;
        setrlimit(RLIMIT_AS, &now);
    }
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? write(fd, first, sizeof first - 1) : 0;
    if (fd >= 0 && n >= 0)
        close(fd);
}

/* In the child: becomes the program, or sends errno through the socket. */
_Noreturn static void become_program(const run_opts *opts, int shm_fd, int socket)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (!opts->keep_output) {
        redirect("/dev/null", O_RDONLY, 0);
        const char *to = opts->output ? opts->output : "/dev/null";
        redirect(to, O_WRONLY | O_APPEND, 1);
        redirect(to, O_WRONLY | O_APPEND, 2);
    }
    for (int i = 0; opts->capture && i < 2; i++)
        dup2(opts->capture[i], i + 1);
    free_the_space();
    if (!opts->aslr)
        personality(ADDR_NO_RANDOMIZE);
    fcntl(shm_fd, F_SETFD, 0);
    fcntl(socket, F_SETFD, 0);
    set_number(WIRE_ENV_SHM, shm_fd);
    set_number(WIRE_ENV_PIPE, socket);
    setenv("LD_BIND_NOW", "1", 1);
    execv(opts->argv[0], opts->argv);
    wire_message m = {UINT32_MAX, errno};
    if (write(socket, &m, sizeof m) < 0)
        _exit(126);
    _exit(127);
}

static bool socket_ready(int socket, uint32_t timeout_ms)
{
    struct pollfd fd = {.fd = socket, .events = POLLIN};
    return poll(&fd, 1, (int)timeout_ms) == 1;
}

static bool receive(run_program *p, uint32_t timeout_ms, wire_message *m)
{
    return socket_ready(p->socket, timeout_ms) &&
           recv(p->socket, m, sizeof *m, MSG_DONTWAIT) == sizeof *m;
}

/* The program needs more addresses than any limit in use has. */
static bool space_is_limited(void)
{
    struct rlimit now;
    return getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_max != RLIM_INFINITY &&
           now.rlim_max < PLAN_UNIT;
}

/* Its exit status; -1: it has not ended within a moment, or otherwise. */
static int exit_status(run_program *p)
{
    int status = 0;
    for (unsigned i = 0; i < 10; i++) {
        if (waitpid(p->zygote, &status, WNOHANG) == p->zygote) {
            p->zygote = 0;
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        poll(NULL, 0, 10);
    }
    return -1;
}

static td_status no_answer(const run_opts *opts, run_program *p, td_diag *diag)
{
    if (space_is_limited())
        return td_diag_set(
            diag, TD_E_PROGRAM,
            "cannot start %s: the address space is limited. Set the hard limit (ulimit "
            "-Hv) to unlimited; --own-memory limits treadle itself",
            opts->argv[0]);
    if (exit_status(p) == REFUSES)
        return td_diag_set(diag, TD_E_PROGRAM,
                           "%s refuses to start: if it was built by another version of "
                           "treadle, rebuild it",
                           opts->argv[0]);
    return td_diag_set(diag, TD_E_PROGRAM, "%s ended or hung before main", opts->argv[0]);
}

/* A program that may not be killed, as it has another user now, is not waited for: it ends by itself when the
 * socket is closed. */
static void end_processes(run_program *p)
{
    if (p->runner > 0) {
        kill(-p->runner, SIGKILL);
        kill(p->runner, SIGKILL);
    }
    if (p->socket > 0)
        close(p->socket);
    if (p->zygote > 0) {
        kill(-p->zygote, SIGKILL);
        bool is_killed = kill(p->zygote, SIGKILL) == 0;
        waitpid(p->zygote, NULL, is_killed ? 0 : WNOHANG);
    }
    p->runner = p->zygote = 0;
    p->socket = 0;
}

td_status run_program_start(const run_opts *opts, run_program *p, td_diag *diag)
{
    TD_ASSERT(p->shm && p->zygote == 0 && p->socket == 0);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "socketpair");
    p->zygote = fork();
    if (p->zygote < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "fork");
    if (p->zygote == 0)
        become_program(opts, p->shm_fd, pair[1]);
    close(pair[1]);
    p->socket = pair[0];
    wire_message m;
    if (!receive(p, START_TIMEOUT_MS, &m))
        return no_answer(opts, p, diag);
    if (m.kind == UINT32_MAX) {
        errno = m.value;
        return td_diag_errno(diag, TD_E_PROGRAM, "cannot start %s", opts->argv[0]);
    }
    if (m.kind != WIRE_MSG_READY)
        return td_diag_set(diag, TD_E_PROGRAM, "unexpected answer from %s at its start",
                           opts->argv[0]);
    return TD_OK;
}

td_status run_program_restart(const run_opts *opts, run_program *p, td_diag *diag)
{
    wire_shm *shm = p->shm;
    uint32_t n = shm->n_images <= WIRE_MAX_IMAGES ? shm->n_images : WIRE_MAX_IMAGES;
    wire_image *before = td_alloc((n + 1) * sizeof *before);
    memcpy(before, shm->images, n * sizeof *before);
    end_processes(p);
    td_status status = run_program_start(opts, p, diag);
    if (status == TD_OK &&
        (n != shm->n_images || memcmp(before, shm->images, n * sizeof *before) != 0))
        status =
            td_diag_set(diag, TD_E_PROGRAM,
                        "%s has different addresses when it is restarted", opts->argv[0]);
    td_free(before);
    return status;
}

td_status run_program_spawn(run_program *p, td_diag *diag)
{
    TD_ASSERT(p->runner == 0); /* one at a time */
    wire_message m = {WIRE_MSG_SPAWN, 0};
    if (send(p->socket, &m, sizeof m, MSG_NOSIGNAL) != sizeof m ||
        !receive(p, START_TIMEOUT_MS, &m) || m.kind != WIRE_MSG_PID || m.value <= 0)
        return td_diag_set(diag, TD_E_PROGRAM, "cannot fork the program's process");
    p->runner = m.value;
    return TD_OK;
}

/* ---- end ---- */

bool run_program_wait_death(run_program *p, uint32_t timeout_ms, int *status)
{
    wire_message m;
    if (!socket_ready(p->socket, timeout_ms))
        return false;
    ssize_t n = recv(p->socket, &m, sizeof m, MSG_DONTWAIT);
    if (n != 0 && (n != sizeof m || m.kind != WIRE_MSG_DIED))
        return false;
    p->runner = 0;
    /* The other end is closed: the zygote is dead, and its runner dies with it. */
    *status = n == 0 ? SIGKILL : m.value;
    return true;
}

bool run_program_died(run_program *p, int *status)
{
    return run_program_wait_death(p, 0, status);
}

uint64_t run_program_cpu_ms(const run_program *p)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(p->runner, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The name in the file may hold anything. */
char run_program_state(const run_program *p)
{
    char path[64];
    td_text stat = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->runner);
    char state = 'X';
    if (td_file_read(path, 4096, &stat, NULL) == TD_OK) {
        const char *end = strrchr(stat.at, ')');
        state = end && end[1] == ' ' ? end[2] : 'X';
    }
    td_text_fini(&stat);
    return state;
}

void run_program_close(run_program *p)
{
    end_processes(p);
    if (p->shm)
        munmap(p->shm, WIRE_COVER_OFFSET + PLAN_COVER_SIZE);
    if (p->shm_fd > 0)
        close(p->shm_fd);
    *p = (run_program){0};
}
