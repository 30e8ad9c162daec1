/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of treadle in a process of their own. */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "base/vec.h"

TD_VEC(char *, child_words);

/* folder NULL: the one we are in. */
static _Noreturn void become(child_words *words, const char *folder, const char *log)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int out = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)
                  : null;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* a session blocks signals */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (null >= 0 && out >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
        (!folder || (chdir(folder) == 0 && setenv("PWD", folder, 1) == 0)))
        execv("/proc/self/exe", words->at);
    _exit(127);
}

static pid_t start(char *const *words, const char *folder, const char *log)
{
    static char self[] = "treadle";
    child_words all = {0};
    TD_ASSERT(words[0] != NULL);
    child_words_push(&all, self);
    for (; *words; words++)
        child_words_push(&all, *words);
    child_words_push(&all, NULL);
    pid_t child = fork();
    if (child == 0)
        become(&all, folder, log);
    child_words_fini(&all);
    return child;
}

/* waitpid() with options; 0 if the process has not ended. */
static pid_t wait_for(pid_t child, int options, int *status)
{
    pid_t ended = -1;
    while (child > 0 && (ended = waitpid(child, status, options)) < 0 && errno == EINTR)
        ;
    return ended;
}

static int code_of(pid_t ended, int status)
{
    if (ended < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int cli_child(char *const *words, const char *log)
{
    int status = 0;
    pid_t ended = wait_for(start(words, NULL, log), 0, &status);
    return code_of(ended, status);
}

static int run_while(pid_t child, bool (*keep)(void *ctx), void *ctx)
{
    enum { GRACE_MS = 1000, STEP_MS = 10 };
    int status = 0;
    pid_t ended = 0;
    while (child > 0 && (ended = wait_for(child, WNOHANG, &status)) == 0 && keep(ctx))
        ;
    if (ended == 0)
        kill(child, SIGTERM);
    for (int ms = 0; ended == 0 && ms < GRACE_MS; ms += STEP_MS) {
        const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
        nanosleep(&step, NULL);
        ended = wait_for(child, WNOHANG, &status);
    }
    if (ended == 0) {
        kill(child, SIGKILL);
        ended = wait_for(child, 0, &status);
    }
    return code_of(child > 0 ? ended : -1, status);
}

int cli_child_while(char *const *words, const char *log, bool (*keep)(void *ctx),
                    void *ctx)
{
    return run_while(start(words, NULL, log), keep, ctx);
}

static bool is_before(void *ctx)
{
    const uint64_t *end_ms = ctx;
    const struct timespec step = {.tv_nsec = 2000000};
    nanosleep(&step, NULL);
    return td_now_ms() < *end_ms;
}

int cli_child_in(const char *folder, char *const *words, const char *log, uint64_t end_ms)
{
    return run_while(start(words, folder, log), is_before, &end_ms);
}
