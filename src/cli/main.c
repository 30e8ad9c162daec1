/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the subcommand; help and version. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/memory.h"
#include "cli/sentence.h"

/* ---- commands that only start another program ---- */

int cli_become_cc(char **argv)
{
    char path[PATH_MAX + 16];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    if (n <= 0)
        return cli_fail(CLI_EXIT_INTERNAL, "cannot determine where treadle is installed");
    path[n] = 0;
    strcpy(strrchr(path, '/'), "/treadle-cc");
    execv(path, argv);
    return cli_fail(CLI_EXIT_USAGE, "cannot run %s: %s", path, strerror(errno));
}

static void cc_help(FILE *to)
{
    fputs("\nAccepts the arguments of clang, and two of its own:\n"
          "  --inputs        follow symbolic values even if no source makes inputs: for\n"
          "                  --sym-arg, --sym-stdin, --goal=branches and --goal=races\n"
          "  --volatile=HOW  treat volatile accesses as plain (the default), relaxed\n"
          "                  (atomic, unordered) or atomic (loads acquire, stores "
          "release)\n",
          to);
}

/* clang prints its own --help as well: our part comes first. */
static int cc_main(const cli_command *self, int argc, char **argv)
{
    char help[] = "--help";
    if (argc == 2 && strcmp(argv[1], "--help-all") == 0)
        argv[1] = help;
    if (argc == 2 && strcmp(argv[1], help) == 0) {
        printf("usage: treadle %s %s\n", self->name, self->words);
        cc_help(stdout);
        puts("\nThe options of clang:\n");
        fflush(stdout);
    }
    return cli_become_cc(argv);
}

static const cli_command cli_cc = {
    .name = "cc",
    .words = "ARGS...",
    .text = "compile and link like cc; also as treadle-cc",
    .main = cc_main,
    .help = cc_help,
};

/* Tells clang's driver the language and the library to link. */
static int cxx_main(const cli_command *self, int argc, char **argv)
{
    static char mode[] = "--driver-mode=g++";
    char **words = td_alloc(((size_t)argc + 2) * sizeof *words);
    TD_ASSERT(argc > 0 && strcmp(self->name, "c++") == 0);
    words[0] = argv[0];
    words[1] = mode;
    memcpy(words + 2, argv + 1, (size_t)argc * sizeof *words); /* includes the NULL */
    return cli_become_cc(words);
}

static const cli_command cli_cxx = {
    .name = "c++",
    .words = "ARGS...",
    .text = "the same for C++; also as treadle-c++",
    .main = cxx_main,
    .help = cc_help,
};

static const cli_command *const commands[] = {
    &cli_cc,       &cli_cxx,    &cli_run, &cli_replay, &cli_show, &cli_check,  &cli_test,
    &cli_minimize, &cli_weaken, &cli_fix, &cli_report, &cli_top,  &cli_worker, &cli_farm,
    &cli_doctor,   &cli_svcomp, &cli_mcp, &cli_fuzz,   NULL};

/* ---- help ---- */

static void print_exits(FILE *to)
{
    fputs("\nExit status:\n", to);
#define X(name, code, text) fprintf(to, "  %-3d %s\n", code, text);
    CLI_EXITS(X)
#undef X
}

static int print_usage(FILE *to, int code)
{
    fputs("usage: treadle COMMAND ...\n\n"
          "Finds concurrency bugs in C and C++ programs by running them under every "
          "schedule.\n"
          "\nCommands:\n",
          to);
    for (const cli_command *const *c = commands; *c; c++)
        if ((*c)->text)
            fprintf(to, "  %-10s%s\n", (*c)->name, (*c)->text);
    fputs("\nRun 'treadle COMMAND --help' for the options of a command.\n", to);
    print_exits(to);
    return code;
}

static int print_help(const cli_command *c, cli_help help)
{
    bool is_short = c->often && help != CLI_HELP_ALL;
    TD_ASSERT(c->words != NULL && (!c->text || (c->text[0] >= 'a' && c->text[0] <= 'z')));
    printf("usage: treadle %s %s\n", c->name, c->words);
    if (c->text)
        printf("\n%c%s.\n", c->text[0] - 'a' + 'A', c->text + 1);
    if (c->table && c->table->name) {
        fputs("\nOptions:\n", stdout);
        cli_options_help(c->table, is_short ? c->often : NULL, stdout);
    }
    if (is_short)
        printf("\n'treadle %s --help-all' lists all options.\n", c->name);
    else if (c->help)
        c->help(stdout);
    if (c->exits)
        printf("\nExit status:\n%s", c->exits);
    else if (c->table)
        print_exits(stdout);
    return CLI_EXIT_COMPLETE;
}

static int print_version(void)
{
    puts("treadle " TREADLE_VERSION);
    return CLI_EXIT_COMPLETE;
}

/* ---- shared by the commands ---- */

int cli_command_parse(const cli_command *c, cli_words *words, void *fields)
{
    TD_ASSERT(c->table != NULL && words->n >= 0 && words->at[words->n] == NULL);
    cli_help help = CLI_HELP_NONE;
    td_diag diag = {0};
    if (cli_options_parse(c->table, c->order, words, fields, &help, &diag) != TD_OK)
        return cli_fail(CLI_EXIT_USAGE, "%s: %s", c->name, diag.text);
    return help ? print_help(c, help) : -1;
}

int cli_fail(int code, const char *format, ...)
{
    td_text text = {0}, shown = {0};
    va_list args;
    va_start(args, format);
    td_text_addv(&text, format, args);
    va_end(args);
    cli_sentence(text.at ? text.at : "", &shown);
    fprintf(stderr, "treadle: %s\n", shown.at ? shown.at : "");
    td_text_fini(&text);
    td_text_fini(&shown);
    return code;
}

int cli_fail_status(td_status status, const td_diag *diag)
{
    TD_ASSERT(status != TD_OK);
    bool internal = status == TD_E_FORMAT || status == TD_E_LIMIT;
    return cli_fail(internal ? CLI_EXIT_INTERNAL : CLI_EXIT_USAGE, "%s",
                    *diag->text ? diag->text : "unknown error");
}

static bool wants_colour(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && !(no_colour && *no_colour) && term &&
           strcmp(term, "dumb") != 0;
}

rep_opts cli_report_opts(void)
{
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return (rep_opts){.columns = known ? size.ws_col : 0,
                      .colour = wants_colour(),
                      .whole_error = isatty(STDOUT_FILENO) != 1};
}

uint32_t cli_jobs(void)
{
    const char *given = getenv("TREADLE_JOBS");
    long n = given ? strtol(given, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n <= 1024 ? (uint32_t)n : 1;
}

/* ---- dispatch ---- */

static const cli_command *command_find(const char *name)
{
    for (const cli_command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int command_unknown(const char *name)
{
    const char *best = NULL;
    unsigned best_distance = 3;
    for (const cli_command *const *c = commands; *c; c++) {
        unsigned distance = cli_distance((*c)->name, name);
        if ((*c)->text && distance < best_distance) {
            best = (*c)->name;
            best_distance = distance;
        }
    }
    if (best)
        return cli_fail(CLI_EXIT_USAGE, "unknown command '%s'; did you mean '%s'?", name,
                        best);
    return cli_fail(CLI_EXIT_USAGE, "unknown command '%s'; 'treadle --help' lists them",
                    name);
}

static int help_main(const char *name)
{
    if (!name)
        return print_usage(stdout, CLI_EXIT_COMPLETE);
    const cli_command *c = command_find(name);
    return c && c->text ? print_help(c, CLI_HELP_OFTEN) : command_unknown(name);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return print_usage(stderr, CLI_EXIT_USAGE);
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help_main(NULL);
    if (strcmp(name, "help") == 0)
        return help_main(argv[2]);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return print_version();
    const cli_command *c = command_find(name);
    return c ? c->main(c, argc - 1, argv + 1) : command_unknown(name);
}

int main(int argc, char **argv)
{
    cli_streams_open();
    td_memory_last_word(NULL, NULL); /* whatever a library does when it has no memory */
    return cli_streams_close(dispatch(argc, argv));
}
