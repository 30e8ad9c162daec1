/* SPDX-License-Identifier: Apache-2.0 */
/* treadle worker: the agent of a machine. Data from the farm is not trusted: it can choose options and items
 * of the search, never the program. */
#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/memory.h"
#include "report/text/lines.h"
#include "campaign/worker_process.h"
#include "store/store.h"

#define WORKER_OPTIONS(X)                                                                \
    X(farm, "farm", 0, TEXT, 0, 0, 0, "ADDRESS",                                         \
      "address of the farm: postgresql://...")                                           \
    X(campaign, "campaign", 0, NUMBER, 1, INT64_MAX, 0, "N",                             \
      "number of the campaign (default: the newest)")                                    \
    X(jobs, "jobs", 'j', NUMBER, 1, 1024, 0, "N",                                        \
      "number of workers (default: one per processor)")                                  \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "sessions and logs (default: treadle-out/worker.PID)")                             \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "print errors only")

typedef struct worker_fields {
    WORKER_OPTIONS(CLI_DECLARE_FIELD)
} worker_fields;

#define X(...) CLI_TABLE_ROW(worker_fields, __VA_ARGS__)
static const cli_option worker_table[] = {WORKER_OPTIONS(X){0}};
#undef X

static td_status make_dir(const char *path, td_diag *diag)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return td_diag_errno(diag, TD_E_USAGE, "cannot create the directory '%s'", path);
    return TD_OK;
}

static td_status make_out(const worker_fields *f, td_text *out, td_diag *diag)
{
    if (f->out)
        td_text_add(out, "%s", f->out);
    else
        td_text_add(out, "%s/worker.%ld", sto_out_dir(), (long)getpid());
    if (!f->out)
        TD_TRY(make_dir(sto_out_dir(), diag));
    return make_dir(out->at, diag);
}

/* Prints the campaign with printable characters only. */
static void say_campaign(const worker_fields *f, const sto_campaign *c, uint32_t jobs)
{
    td_text command = {0};
    if (f->quiet)
        return;
    rep_put_cut(&command, c->command, 200, REP_CUT_RIGHT);
    fprintf(stderr, "treadle: %u worker%s for the campaign of %s\n", jobs,
            jobs == 1 ? "" : "s", command.at ? command.at : "?");
    td_text_fini(&command);
}

static td_status work(const worker_fields *f, char **argv, sto_link *l, td_diag *diag)
{
    sto_campaign c;
    td_text dir = {0};
    uint32_t jobs = f->jobs ? (uint32_t)f->jobs : cli_jobs();
    TD_ASSERT(jobs >= 1 && argv[0] != NULL);
    TD_TRY(sto_campaign_open(l, f->campaign, &c, diag));
    td_status status = cli_run_words_check(c.options, diag);
    if (status == TD_OK)
        status = make_out(f, &dir, diag);
    if (status == TD_OK) {
        say_campaign(f, &c, jobs);
        const cam_agent_opts opts = {.jobs = jobs,
                                     .hire = {.self = "treadle",
                                              .where = f->farm,
                                              .campaign = sto_campaign_number(l),
                                              .words = c.options,
                                              .dir = dir.at,
                                              .own_memory = td_memory_default() / jobs,
                                              .argv = argv}};
        status = cam_agent(&opts, l, diag);
    }
    td_text_fini(&dir);
    sto_campaign_fini(&c);
    return status;
}

static int worker_main(const cli_command *self, int argc, char **argv)
{
    worker_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    sto_link *l = NULL;
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (!f.farm || !sto_is_farm(f.farm))
        return cli_fail(CLI_EXIT_USAGE, "worker requires --farm=postgresql://...");
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "worker requires the program of the campaign: treadle "
                        "worker --farm=ADDRESS [--] PROGRAM [ARGS...]");
    td_status status = sto_link_open(f.farm, &l, &diag);
    if (status == TD_OK)
        status = work(&f, words.at, l, &diag);
    sto_link_close(l);
    return status == TD_OK ? CLI_EXIT_COMPLETE : cli_fail_status(status, &diag);
}

const cli_command cli_worker = {
    .name = "worker",
    .words = "--farm=ADDRESS [OPTIONS] [--] PROGRAM [ARGS...]",
    .text = "join a campaign started by 'treadle run --farm'",
    .table = worker_table,
    .order = CLI_OPTIONS_FIRST,
    .main = worker_main,
};
