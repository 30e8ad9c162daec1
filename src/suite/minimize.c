/* SPDX-License-Identifier: Apache-2.0 */
/* A suite from recorded runs: follows them, and keeps few that cover everything. */
#include "suite/minimize.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/glyph.h"
#include "base/text.h"
#include "suite/suite_int.h"

#define MAX_RECORDING ((size_t)64 << 20) /* bytes */
#define DEFAULT_DIR "treadle-suite"

/* A recording, and what its run showed. */
typedef struct entry {
    char *path;
    td_text text; /* kept: it may lie in the suite that is replaced */
    ses_followed run;
    bool is_kept;
} entry;

TD_VEC(entry, entry_vec);

typedef struct job {
    const sui_min_opts *opts;
    sui_min_result *result;
    FILE *out, *err;
    entry_vec all;
    const char *dir;       /* folder of the suite */
    sto_manifest manifest; /* a harness for each program */
} job;

/* ---- which recordings ---- */

static td_status paths_in(const char *path, sto_text_vec *out, td_diag *diag)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return td_diag_errno(diag, TD_E_USAGE, "cannot open %s", path);
    if (!S_ISDIR(st.st_mode)) {
        sto_text_vec_push(out, td_strdup(path));
        return TD_OK;
    }
    td_text corpus = {0};
    size_t before = out->len;
    td_text_add(&corpus, "%s/corpus", path);
    sto_recordings_in(path, out);
    sto_recordings_in(corpus.at, out);
    td_text_fini(&corpus);
    if (out->len == before)
        return td_diag_set(
            diag, TD_E_USAGE,
            "there is no recording in %s: 'treadle run --keep-runs' records runs", path);
    return TD_OK;
}

static void say_left(job *j, const char *path, const char *why)
{
    td_print(j->err, "treadle: skipped %s: %s\n", path, why);
}

/* What a recording is worth. */
static void weigh(job *j, entry *e)
{
    sui_min_result *r = j->result;
    const ses_followed *f = &e->run;
    if (f->is_bug && f->as_recorded) {
        e->is_kept = true;
        r->n_bugs++;
    } else if (f->is_bug) {
        r->n_left++;
        say_left(j, e->path, "it no longer fails (NOT REPRODUCED)");
    } else if (f->failed) {
        r->n_failed++;
        say_left(j, e->path, "the run fails now: inspect it with treadle replay");
    } else if (!f->as_recorded) {
        r->n_left++;
        say_left(j, e->path, "it diverged from the recording (NOT REPRODUCED)");
    } else {
        r->n_runs++;
    }
}

static td_status follow_all(job *j, td_diag *diag)
{
    sto_text_vec paths = {0};
    td_status status = TD_OK;
    for (size_t i = 0; i < j->opts->n && status == TD_OK; i++)
        status = paths_in(j->opts->paths[i], &paths, diag);
    for (size_t i = 0; i < paths.len && status == TD_OK; i++) {
        entry e = {.path = td_strdup(paths.at[i])};
        td_diag inner = {0};
        status = td_file_read(e.path, MAX_RECORDING, &e.text, &inner);
        if (status == TD_OK)
            status = ses_follow(e.path, j->opts->exec, &e.run, &inner);
        if (status != TD_OK)
            td_diag_set(diag, TD_E_USAGE, "%s: %s", e.path, inner.text);
        else
            weigh(j, &e);
        entry_vec_push(&j->all, e);
    }
    sto_texts_free(&paths);
    return status == TD_OK ? TD_OK : TD_E_USAGE;
}

/* Sites have numbers in each program: programs are chosen for one by one. */
static void choose_of(job *j, const char *program)
{
    sui_candidate *all = td_alloc((j->all.len + 1) * sizeof *all);
    for (size_t i = 0; i < j->all.len; i++) {
        const ses_followed *f = &j->all.at[i].run;
        if (strcmp(f->program, program) == 0)
            all[i] = (sui_candidate){.items = f->items.at,
                                     .n_items = f->items.len,
                                     .cost = f->n_choices};
    }
    sui_choose(all, j->all.len);
    td_id_set seen = {0};
    for (size_t i = 0; i < j->all.len; i++) {
        j->all.at[i].is_kept |= all[i].is_chosen;
        j->result->n_kept += all[i].is_chosen;
        for (size_t k = 0; k < all[i].n_items; k++)
            if (td_id_set_add(&seen, all[i].items[k].id))
                j->result->n_items[all[i].items[k].kind]++;
    }
    td_id_set_fini(&seen);
    td_free(all);
}

/* ---- the suite ---- */

/* The path of a file as seen from a directory; both are absolute and have no links in them. */
static void relative(const char *dir, const char *file, td_text *out)
{
    size_t same = 0;
    for (size_t i = 0; dir[i] && dir[i] == file[i]; i++)
        if (dir[i] == '/')
            same = i + 1;
    size_t n = strlen(dir);
    if (strncmp(dir, file, n) == 0 && file[n] == '/') {
        td_text_add(out, "%s", file + n + 1);
        return;
    }
    td_text_add(out, "../");
    for (const char *p = dir + same; *p; p++)
        if (*p == '/')
            td_text_add(out, "../");
    td_text_add(out, "%s", file + same);
}

/* The program of a recording as the manifest has it; caller frees. */
static char *program_text(const job *j, const char *program)
{
    char dir[PATH_MAX], file[PATH_MAX];
    td_text text = {0};
    if (program[0] == '/' || !realpath(j->dir, dir) || !realpath(program, file))
        td_text_add(&text, "%s", program);
    else
        relative(dir, file, &text);
    return text.at;
}

static bool has_name(const sto_manifest *m, const char *name)
{
    for (size_t i = 0; i < m->harnesses.len; i++)
        if (strcmp(m->harnesses.at[i].name, name) == 0)
            return true;
    return false;
}

/* A name that no other harness has; caller frees. */
static char *harness_name(const sto_manifest *m, const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *base = slash ? slash + 1 : program;
    td_text name = {0};
    td_text_add(&name, "%s", sto_is_name(base) ? base : "program");
    for (unsigned i = 2; has_name(m, name.at); i++) {
        td_text_clear(&name);
        td_text_add(&name, "%.50s-%u", sto_is_name(base) ? base : "program", i);
    }
    return name.at;
}

/* dir/ID.treadle, or another name if that is taken; caller frees. */
static char *free_path(const char *dir, const char *from)
{
    const char *base = strrchr(from, '/') ? strrchr(from, '/') + 1 : from;
    size_t n = strcspn(base, ".");
    td_text path = {0};
    td_text_add(&path, "%s/%.*s.treadle", dir, (int)n, base);
    for (unsigned i = 2; access(path.at, F_OK) == 0; i++) {
        td_text_clear(&path);
        td_text_add(&path, "%s/%.*s-%u.treadle", dir, (int)n, base, i);
    }
    return path.at;
}

static td_status copy_to(const char *dir, const entry *e, td_diag *diag)
{
    char *to = free_path(dir, e->path);
    td_status status = td_file_replace(to, e->text.at, e->text.len, diag);
    td_free(to);
    return status;
}

static td_status write_program(job *j, const char *program, td_diag *diag)
{
    td_text dir = {0};
    char *made = NULL;
    sto_harness h = {.name = harness_name(&j->manifest, program)};
    sto_text_vec_push(&h.options, td_strdup("--replay-only"));
    sto_text_vec_push(&h.words, program_text(j, program));
    sto_harness_vec_push(&j->manifest.harnesses, h);
    td_text_add(&dir, "%s/treadle-known/%s", j->dir, h.name);
    td_status status = sto_dir_create(dir.at, h.name, &made, diag);
    for (size_t i = 0; i < j->all.len && status == TD_OK; i++)
        if (j->all.at[i].is_kept && strcmp(j->all.at[i].run.program, program) == 0)
            status = copy_to(dir.at, &j->all.at[i], diag);
    td_free(made);
    td_text_fini(&dir);
    return status;
}

/* Removes the recordings of an older suite, and nothing else. */
static void clear_old(const job *j, const char *manifest)
{
    td_text text = {0};
    sto_manifest old = {{0}};
    if (td_file_read(manifest, MAX_RECORDING, &text, NULL) == TD_OK &&
        sto_manifest_parse(text.at ? text.at : "", text.len, &old, NULL) == TD_OK)
        for (size_t i = 0; i < old.harnesses.len; i++) {
            td_text dir = {0};
            sto_text_vec paths = {0};
            td_text_add(&dir, "%s/treadle-known/%s", j->dir, old.harnesses.at[i].name);
            sto_recordings_in(dir.at, &paths);
            for (size_t k = 0; k < paths.len; k++)
                unlink(paths.at[k]);
            sto_texts_free(&paths);
            td_text_fini(&dir);
        }
    sto_manifest_fini(&old);
    td_text_fini(&text);
}

static td_status make_room(job *j, const char *manifest, td_diag *diag)
{
    char *made = NULL;
    if (access(manifest, F_OK) == 0 && !j->opts->force)
        return td_diag_set(diag, TD_E_USAGE, "%s exists already (--force replaces it)",
                           manifest);
    td_status status = sto_dir_create(j->dir, "suite", &made, diag);
    td_free(made);
    if (status == TD_OK)
        clear_old(j, manifest);
    return status;
}

/* The first kept recording of its program. */
static bool is_first(const job *j, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (j->all.at[i].is_kept &&
            strcmp(j->all.at[i].run.program, j->all.at[at].run.program) == 0)
            return false;
    return j->all.at[at].is_kept;
}

static td_status write_suite(job *j, const char *manifest, td_diag *diag)
{
    td_text text = {0};
    TD_TRY(make_room(j, manifest, diag));
    for (size_t i = 0; i < j->all.len; i++)
        if (is_first(j, i))
            TD_TRY(write_program(j, j->all.at[i].run.program, diag));
    sto_manifest_print(&j->manifest, &text);
    td_status status = td_file_write(manifest, text.at, text.len, diag);
    td_text_fini(&text);
    return status;
}

/* ---- all of it ---- */

static void say_result(const job *j, const char *manifest)
{
    const sui_min_result *r = j->result;
    fprintf(j->out, "treadle: %u of %u %s kept, for ", r->n_kept, r->n_runs,
            r->n_runs == 1 ? "run" : "runs");
    const char *before = "";
#define X(name, text)                                                                    \
    fprintf(j->out, "%s%llu " text, before,                                              \
            (unsigned long long)r->n_items[SES_ITEM_##name]);                            \
    before = ", ";
    SES_ITEMS(X)
#undef X
    fputc('\n', j->out);
    if (r->n_bugs > 0)
        fprintf(j->out, "treadle: %u %s that still %s\n", r->n_bugs,
                r->n_bugs == 1 ? "bug" : "bugs", r->n_bugs == 1 ? "fails" : "fail");
    td_print(j->out, "treadle: suite %s\n", manifest);
    td_print(j->out, "treadle: replay it with: treadle test %s\n", j->dir);
}

static bool is_seen(const job *j, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(j->all.at[i].run.program, j->all.at[at].run.program) == 0)
            return true;
    return false;
}

static void job_fini(job *j)
{
    for (size_t i = 0; i < j->all.len; i++) {
        td_free(j->all.at[i].path);
        td_text_fini(&j->all.at[i].text);
        ses_followed_fini(&j->all.at[i].run);
    }
    entry_vec_fini(&j->all);
    sto_manifest_fini(&j->manifest);
}

td_status sui_minimize(const sui_min_opts *opts, sui_min_result *out, td_diag *diag)
{
    *out = (sui_min_result){0};
    job j = {.opts = opts,
             .result = out,
             .out = opts->out ? opts->out : stdout,
             .err = opts->err ? opts->err : stderr,
             .dir = opts->out_dir ? opts->out_dir : DEFAULT_DIR};
    td_text manifest = {0};
    td_text_add(&manifest, "%s/" STO_MANIFEST, j.dir);
    td_status status = follow_all(&j, diag);
    for (size_t i = 0; i < j.all.len && status == TD_OK; i++)
        if (!is_seen(&j, i))
            choose_of(&j, j.all.at[i].run.program);
    if (status == TD_OK && out->n_kept + out->n_bugs > 0)
        status = write_suite(&j, manifest.at, diag);
    if (status == TD_OK && out->n_kept + out->n_bugs > 0)
        say_result(&j, manifest.at);
    td_text_fini(&manifest);
    job_fini(&j);
    return status;
}
