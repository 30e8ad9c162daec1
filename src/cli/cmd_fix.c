/* SPDX-License-Identifier: Apache-2.0 */
/* treadle fix: a change with which a finding is gone. */
#include "cli/cli.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "cli/child.h"
#include "repair/repair.h"
#include "store/store.h"

#define FIX_OPTIONS(X)                                                                   \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "time limit for all candidates together (default: 10s)")                           \
    X(exit_code, "exit-code", 0, WORD, 0, 0, 0, "report|ignore",                         \
      "a non-zero exit status is a bug, or not (default: report)")                       \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "session directories (default: in treadle-out)")                                   \
    X(json, "json", 0, TEXT, 0, 0, 0, "FILE", "write the result as JSON")

typedef struct fix_fields {
    FIX_OPTIONS(CLI_DECLARE_FIELD)
} fix_fields;

#define X(...) CLI_TABLE_ROW(fix_fields, __VA_ARGS__)
static const cli_option fix_table[] = {FIX_OPTIONS(X){0}};
#undef X

/* Memory is out: nothing is tidied up. */
static void exit_with(rep_verdict verdict)
{
    (void)verdict;
    _exit(CLI_EXIT_INCOMPLETE);
}

static td_status print_all(const fix_fields *f, const rpr_result *r, td_diag *diag)
{
    td_text text = {0};
    td_status status = TD_OK;
    rpr_text(r, cli_report_opts().columns, &text);
    fwrite(text.at, 1, text.len, stdout);
    td_text_clear(&text);
    if (f->json) {
        rpr_json(r, &text);
        status = td_file_write(f->json, text.at, text.len, diag);
    }
    td_text_fini(&text);
    return status;
}

/* ---- for the report of a session ---- */

#define MOST_JSON (16u << 20)
#define GRACE_MS 100u

typedef struct errand {
    const ses_fix_request *of;
    uint64_t end_ms;
} errand;

static bool keeps(void *ctx)
{
    const errand *e = ctx;
    const struct timespec step = {.tv_nsec = 2000000};
    nanosleep(&step, NULL);
    return td_now_ms() < e->end_ms && e->of->goes_on(e->of->ctx);
}

static int unlink_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    remove(path);
    return 0;
}

static void run_child(const ses_fix_request *r, const char *json)
{
    static char fix[] = "fix", end[] = "--", ignore[] = "--exit-code=ignore",
                report[] = "--exit-code=report";
    td_text time = {0}, out = {0}, result = {0}, recording = {0};
    errand e = {r, td_now_ms() + r->time_ms + GRACE_MS};
    td_text_add(&time, "--time=%" PRIu64 "ms", r->time_ms);
    td_text_add(&out, "--out=%s", r->dir);
    td_text_add(&result, "--json=%s", json);
    td_text_add(&recording, "%s", r->recording);
    char *words[] = {
        fix, time.at,      out.at, result.at, r->ignores_exit ? ignore : report,
        end, recording.at, NULL};
    cli_child_while(words, NULL, keeps, &e);
    td_text_fini(&time);
    td_text_fini(&out);
    td_text_fini(&result);
    td_text_fini(&recording);
}

bool cli_find_fix(const ses_fix_request *request, rep_fix *out)
{
    td_text json = {0}, text = {0};
    td_diag none = {0};
    *out = (rep_fix){0};
    td_text_add(&json, "%s/fix.json", request->dir);
    if (mkdir(request->dir, 0777) != 0) /* somebody's folder stays as it is */
        return false;
    run_child(request, json.at);
    if (td_file_read(json.at, MOST_JSON, &text, &none) == TD_OK &&
        rep_fix_parse(text.at ? text.at : "", text.len, out, &none) != TD_OK)
        *out = (rep_fix){0};
    nftw(request->dir, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
    td_text_fini(&json);
    td_text_fini(&text);
    return out->command != NULL;
}

static int fix_main(const cli_command *self, int argc, char **argv)
{
    fix_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n != 1)
        return cli_fail(CLI_EXIT_USAGE, "fix requires one finding: treadle fix FINDING");
    td_diag diag = {0};
    char *path = NULL;
    if (sto_find_recording(words.at[0], &path, &diag) != TD_OK)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    rpr_opts opts = {.version = TREADLE_VERSION,
                     .recording = path,
                     .out_dir = f.out,
                     .time_ms = f.time,
                     .ignores_exit = f.exit_code == 1,
                     .exits = exit_with,
                     .report = cli_report_opts()};
    rpr_result result = {0};
    td_status status = rpr_run(&opts, &ses_exec_run, &result, &diag);
    if (status == TD_OK)
        status = print_all(&f, &result, &diag);
    code = result.best != RPR_NONE ? CLI_EXIT_COMPLETE : CLI_EXIT_INCOMPLETE;
    rpr_result_fini(&result);
    td_free(path);
    if (status == TD_E_FORMAT)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    return status == TD_OK ? code : cli_fail_status(status, &diag);
}

const cli_command cli_fix = {
    .name = "fix",
    .words = "[OPTIONS] FINDING",
    .text = "search for a change with which a finding is gone",
    .table = fix_table,
    .exits = "  0   a change was found\n"
             "  2   usage error, or the finding is not reproduced\n"
             "  3   none was found\n"
             "  70  internal error\n",
    .main = fix_main,
};
