/* SPDX-License-Identifier: Apache-2.0 */
/* treadle fix: a change with which a finding is gone. */
#include "cli/cli.h"

#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
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
      "time limit for all candidates together (default: 10s, with an edit 60s)")         \
    X(exit_code, "exit-code", 0, WORD, 0, 0, 0, "report|ignore",                         \
      "a non-zero exit status is a bug, or not (default: report)")                       \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "session directories (default: in treadle-out)")                                   \
    X(json, "json", 0, TEXT, 0, 0, 0, "FILE", "write the result as JSON")                \
    X(diff, "diff", 0, FLAG, 0, 0, 0, "",                                                \
      "print the change as a diff of the source, built and explored")                    \
    X(apply, "apply", 0, FLAG, 0, 0, 0, "", "write that edit to the source files")       \
    X(sarif, "sarif", 0, TEXT, 0, 0, 0, "FILE",                                          \
      "write the finding as SARIF, with that edit as its fix")

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

static bool wants_edit(const fix_fields *f)
{
    return f->diff || f->apply || f->sarif;
}

static bool has_edit(const fix_fields *f, const rpr_result *r)
{
    return r->best != RPR_NONE && (!wants_edit(f) || r->is_edit_explored);
}

/* Where paths of a diff begin. */
static char *this_folder(void)
{
    char path[PATH_MAX];
    return td_strdup(getcwd(path, sizeof path) ? path : "/");
}

/* Nothing but the diff is on standard output. */
static td_status print_edit(const fix_fields *f, const rpr_opts *o, const rpr_result *r,
                            td_diag *diag)
{
    td_text text = {0};
    char *folder = this_folder();
    td_status status = TD_OK;
    const char *why = r->edit.why ? r->edit.why : "no change was found that holds";
    if (f->diff && r->best != RPR_NONE)
        rpr_diff(r, folder, &text);
    fwrite(text.at, 1, text.len, stdout);
    bool is_shown = text.len > 0;
    td_text_clear(&text);
    if (!r->is_edit_explored)
        fprintf(stderr,
                is_shown ? "treadle: not built and explored: %s\n"
                         : "treadle: no edit: %s\n",
                why);
    if (f->sarif) {
        rpr_sarif(r, o, folder, &text);
        status = td_file_write(f->sarif, text.at, text.len, diag);
        td_text_clear(&text);
    }
    if (status == TD_OK && f->apply && r->is_edit_explored) {
        status = rpr_apply(r, folder, &text, diag);
        fwrite(text.at, 1, text.len, f->diff ? stderr : stdout);
    }
    td_text_fini(&text);
    td_free(folder);
    return status;
}

static td_status print_all(const fix_fields *f, const rpr_opts *o, const rpr_result *r,
                           td_diag *diag)
{
    td_text text = {0};
    td_status status = TD_OK;
    rpr_text(r, cli_report_opts().columns, &text);
    if (!f->diff)
        fwrite(text.at, 1, text.len, stdout);
    td_text_clear(&text);
    if (wants_edit(f))
        status = print_edit(f, o, r, diag);
    if (status == TD_OK && f->json) {
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
                     .build = wants_edit(&f) ? cli_child_in : NULL,
                     .exits = exit_with,
                     .report = cli_report_opts()};
    rpr_result result = {0};
    td_status status = rpr_run(&opts, &ses_exec_run, &result, &diag);
    if (status == TD_OK)
        status = print_all(&f, &opts, &result, &diag);
    code = has_edit(&f, &result) ? CLI_EXIT_COMPLETE : CLI_EXIT_INCOMPLETE;
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
    .exits = "  0   a change was found, with --diff, --apply or --sarif as an edit that "
             "was explored\n"
             "  2   usage error, or the finding is not reproduced\n"
             "  3   none was found\n"
             "  70  internal error\n",
    .main = fix_main,
};
