/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of treadle in a process of their own. */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/vec.h"

TD_VEC(char *, child_words);

static _Noreturn void become(child_words *words, const char *log)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int out = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)
                  : null;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (null >= 0 && out >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", words->at);
    _exit(127);
}

int cli_child(char *const *words, const char *log)
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
        become(&all, log);
    int status = 0;
    pid_t ended = -1;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    child_words_fini(&all);
    if (ended < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
