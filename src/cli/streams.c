/* SPDX-License-Identifier: Apache-2.0 */
/* Turns closed standard streams and the size limit of files into an error message and an exit code, instead
 * of death by a signal. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Opens /dev/null for each closed stream, in the direction that makes every use fail: otherwise a file
 * opened later would get the stream's number, and its output. */
static void fill_streams(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void do_nothing(int signal)
{
    (void)signal;
}

/* Handles the signal, so that the system call fails instead. Unlike an ignored signal, a handler is not
 * inherited by started programs. */
static void survive(int signal)
{
    struct sigaction old, new = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(signal, &new, NULL);
}

void cli_streams_open(void)
{
    fill_streams();
    survive(SIGPIPE);
    survive(SIGXFSZ);
}

int cli_streams_close(int code)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int error = errno;
    if (!failed && !ferror(stdout))
        return code;
    return cli_fail(
        code == CLI_EXIT_COMPLETE || code == CLI_EXIT_INCOMPLETE ? CLI_EXIT_USAGE : code,
        "cannot write to standard output: %s", error ? strerror(error) : "it is closed");
}
