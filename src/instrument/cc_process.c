/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of treadle cc has: texts, temporary files, commands, objects made in processes of their own. */
#include "instrument/cc_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "instrument/support.h"

/* A longer command line goes through a file. */
#define COMMAND_BYTES_MAX (256u << 10)
#define MOST_ERRORS (64u << 20) /* bytes */

const char *ins_driver_keep(ins_driver *d, td_text *text)
{
    char *copy = td_strdup(text->at ? text->at : "");
    td_text_fini(text);
    ins_text_vec_push(&d->texts, copy);
    return copy;
}

void ins_complain(const td_diag *diag)
{
    fprintf(stderr, "treadle cc: %s\n", diag->text);
}

/* --- processes --- */

/* Exit code of a child as a shell would show it. */
static int exit_code(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

_Noreturn void ins_driver_become(const char *path, char **argv)
{
    execvp(path, argv);
    fprintf(stderr, "treadle cc: cannot run %s: %s\n", path, strerror(errno));
    _exit(127);
}

static bool make_folder(ins_driver *d)
{
    if (d->folder[0])
        return true;
    int n = snprintf(d->folder, sizeof d->folder, "%s/treadle-XXXXXX", td_temp_folder());
    if (n >= (int)sizeof d->folder)
        snprintf(d->folder, sizeof d->folder, "/tmp/treadle-XXXXXX");
    if (mkdtemp(d->folder))
        return true;
    fprintf(stderr, "treadle cc: cannot create %s: %s\n", d->folder, strerror(errno));
    d->folder[0] = 0;
    return false;
}

const char *ins_driver_file(ins_driver *d, const char *stem, const char *suffix)
{
    td_text path = {0};
    if (!make_folder(d))
        return NULL;
    td_text_add(&path, "%s/%zu-", d->folder, d->made.len);
    ins_object_name(stem, suffix, &path);
    ins_text_vec_push(&d->made, td_strdup(path.at));
    return ins_driver_keep(d, &path);
}

static void write_word(FILE *out, const char *word)
{
    putc('"', out);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            putc('\\', out);
        putc(*word, out);
    }
    fputs("\"\n", out);
}

/* Moves a long command line into a response file. */
static void shorten(ins_driver *d, ins_word_vec *words)
{
    size_t bytes = 0;
    for (size_t i = 0; i < words->len; i++)
        bytes += strlen(words->at[i]) + 1 + sizeof(char *);
    if (bytes < COMMAND_BYTES_MAX || !make_folder(d))
        return;
    const char *path = ins_driver_file(d, "command", ".rsp");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out == NULL)
        return;
    for (size_t i = 1; i < words->len; i++)
        write_word(out, words->at[i]);
    if (fclose(out) != 0)
        return;
    td_text at = {0};
    td_text_add(&at, "@%s", path);
    TD_ASSERT(words->len > 1);
    words->len = 1;
    ins_word_vec_push(words, ins_driver_keep(d, &at));
}

/* errors: a file that gets what it prints on standard error, or NULL. */
static int run(ins_driver *d, ins_word_vec *words, const char *errors)
{
    TD_ASSERT(words->len > 0);
    shorten(d, words);
    ins_word_vec_push(words, NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "treadle cc: cannot start a process: %s\n", strerror(errno));
        return 1;
    }
    if (pid == 0) {
        int fd = errors ? open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
        if (fd >= 0)
            dup2(fd, STDERR_FILENO);
        ins_driver_become(words->at[0], (char **)words->at);
    }
    return exit_code(pid);
}

int ins_driver_run(ins_driver *d, ins_word_vec *words)
{
    return run(d, words, NULL);
}

int ins_driver_link(ins_driver *d, ins_word_vec *words)
{
    const char *errors = ins_driver_file(d, "link", ".txt");
    int code = run(d, words, errors);
    td_text text = {0};
    td_diag diag = {0};
    if (errors && td_file_read(errors, MOST_ERRORS, &text, &diag) == TD_OK &&
        text.len > 0)
        ins_link_errors_print(text.at);
    td_text_fini(&text);
    return code;
}

/* --- objects --- */

static td_status instrument(const char *object, ins_opts opts)
{
    td_diag diag = {0};
    td_text checks = {0};
    td_status status = ins_support_path(INS_SUPPORT_INLINE, &checks, &diag);
    if (status == TD_OK) {
        opts.inline_bc = checks.at;
        status = ins_object(object, object, &opts, &diag);
    }
    if (status != TD_OK)
        ins_complain(&diag);
    td_text_fini(&checks);
    return status;
}

/* In a process of its own: LLVM ends the process when it meets what it cannot do, and no bitcode
 * may stay behind under the object's name. */
int ins_driver_object(const char *object, const ins_opts *opts)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "treadle cc: cannot start a process: %s\n", strerror(errno));
        return 1;
    }
    if (pid == 0) {
        td_status status = instrument(object, *opts);
        fflush(NULL);
        _exit(status == TD_OK ? 0 : 1);
    }
    int code = exit_code(pid);
    if (code != 0) {
        td_text beside = {0};
        ins_object_beside(object, pid, &beside);
        unlink(beside.at);
        unlink(object);
        td_text_fini(&beside);
    }
    return code;
}
