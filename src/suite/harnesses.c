/* SPDX-License-Identifier: Apache-2.0 */
/* From a directory or a manifest to harnesses. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "run/run.h"
#include "suite/suite_int.h"

#define MAX_MANIFEST ((size_t)16 << 20) /* bytes */
#define KNOWN "treadle-known"

static char *join(const char *dir, const char *name)
{
    td_text path = {0};
    td_text_add(&path, "%s/%s", dir, name);
    return path.at;
}

static bool is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- options of a harness ---- */

static td_status wrong(const sto_harness *from, td_diag *diag, const char *text)
{
    return td_diag_set(diag, TD_E_USAGE, "line %u: %s", from->line, text);
}

static bool expectation_find(const char *word, sui_expect *out)
{
#define X(name, text)                                                                    \
    if (strcmp(word, text) == 0) {                                                       \
        *out = SUI_EXPECT_##name;                                                        \
        return true;                                                                     \
    }
    SUI_EXPECTATIONS(X)
#undef X
    return false;
}

/* The value if the word is this option, else NULL. */
static const char *value_of(const char *word, const char *option)
{
    size_t n = strlen(option);
    return strncmp(word, option, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* Options that treadle test gives itself would fight with those of a line. */
static bool is_ours(const char *word)
{
    static const char *const ours[] = {"--out", "--json", "--jobs", "--no-known"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(word, ours[i]) == 0 || value_of(word, ours[i]))
            return true;
    return false;
}

static td_status option_take(sui_harness *h, const sto_harness *from, const char *word,
                             td_diag *diag)
{
    const char *expect = value_of(word, "--expect"), *time = value_of(word, "--time");
    if (is_ours(word))
        return td_diag_set(diag, TD_E_USAGE, "line %u: %s is an option of treadle test",
                           from->line, word);
    if (strcmp(word, "--replay-only") == 0) {
        h->replay_only = h->needs_known = true;
        return TD_OK;
    }
    if (value_of(word, "--cd")) {
        td_free(h->cd);
        h->cd = td_strdup(value_of(word, "--cd"));
        return TD_OK;
    }
    if (value_of(word, "--env")) {
        sto_text_vec_push(&h->env, td_strdup(value_of(word, "--env")));
        return TD_OK;
    }
    if (expect) {
        if (!expectation_find(expect, &h->expect))
            return wrong(from, diag, "--expect requires complete, no-bug or bug");
        return TD_OK;
    }
    if (time && !td_duration_parse(time, &h->time_ms))
        return wrong(from, diag, "--time requires a duration like 500ms, 10s or 5m");
    if (!time)
        sto_text_vec_push(&h->options, td_strdup(word));
    return TD_OK;
}

/* ---- harnesses ---- */

static void known_add(sui_harness *h, char *path)
{
    const char *base = strrchr(path, '/') + 1;
    sui_known k = {.path = path, .id = td_strdup(base)};
    k.id[strlen(base) - strlen(".treadle")] = 0;
    sto_recording r;
    td_diag diag = {0};
    if (sto_recording_read(path, &r, &diag) == TD_OK) {
        k.is_bug = *r.fail_kind != 0;
        sto_recording_fini(&r);
    } else {
        k.state = SUI_UNREADABLE;
        k.why = td_strdup(diag.text);
    }
    sui_known_vec_push(&h->known, k);
}

static void known_find(const sui *s, sui_harness *h)
{
    sto_text_vec paths = {0};
    char *dir = join(s->known_dir, h->name);
    sto_recordings_in(dir, &paths);
    td_free(dir);
    for (size_t i = 0; i < paths.len; i++)
        known_add(h, paths.at[i]);
    sto_text_vec_fini(&paths);
}

/* Takes over program. */
static sui_harness *harness_add(sui *s, const char *name, char *program)
{
    const sui_opts *o = s->opts;
    sui_harness h = {.name = td_strdup(name),
                     .program = program,
                     .time_ms = o->time_ms ? o->time_ms : SUI_TIME_MS,
                     .expect = o->expect,
                     .may_be_sequential = o->tells_next,
                     .replay_only = o->replay_only};
    known_find(s, &h);
    sui_harness_vec_push(&s->all, h);
    return &s->all.at[s->all.len - 1];
}

static td_status harness_take(sui *s, const char *dir, const sto_harness *from,
                              td_diag *diag)
{
    const char *program = from->words.at[0];
    sui_harness *h =
        harness_add(s, from->name,
                    program[0] == '/' ? td_strdup(program) : join(dir, program));
    for (size_t i = 1; i < from->words.len; i++)
        sto_text_vec_push(&h->args, td_strdup(from->words.at[i]));
    for (size_t i = 0; i < from->options.len; i++)
        TD_TRY(option_take(h, from, from->options.at[i], diag));
    return TD_OK;
}

/* ---- a manifest ---- */

static td_status plan_manifest(sui *s, const char *dir, const char *path, td_diag *diag)
{
    td_text text = {0};
    sto_manifest m = {{0}};
    td_diag inner = {0};
    td_status status = td_file_read(path, MAX_MANIFEST, &text, diag);
    if (status == TD_OK) {
        status = sto_manifest_parse(text.at ? text.at : "", text.len, &m, &inner);
        for (size_t i = 0; status == TD_OK && i < m.harnesses.len; i++)
            status = harness_take(s, dir, &m.harnesses.at[i], &inner);
        if (status != TD_OK)
            status = td_diag_set(diag, TD_E_USAGE, "%s: %s", path, inner.text);
        sto_manifest_fini(&m);
    }
    td_text_fini(&text);
    return status;
}

/* ---- a directory ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_executable(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* A file that looks like a harness but is not one is counted, so nothing is left out silently. */
static void file_take(sui *s, const char *dir, const char *name)
{
    char *path = join(dir, name);
    bool is_harness = false;
    if (is_executable(path)) {
        is_harness = sto_is_name(name) && run_program_check(path, NULL) == TD_OK;
        s->n_left_out += !is_harness;
    }
    if (is_harness)
        harness_add(s, name, path);
    else
        td_free(path);
}

static td_status plan_files(sui *s, const char *dir, td_diag *diag)
{
    sto_text_vec names = {0};
    DIR *d = opendir(dir);
    if (!d)
        return td_diag_errno(diag, TD_E_USAGE, "cannot read the directory %s", dir);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        sto_text_vec_push(&names, td_strdup(e->d_name));
    closedir(d);
    qsort(names.at, names.len, sizeof *names.at, by_name);
    for (size_t i = 0; i < names.len; i++)
        file_take(s, dir, names.at[i]);
    sto_texts_free(&names);
    return TD_OK;
}

static td_status plan_dir(sui *s, const char *dir, td_diag *diag)
{
    char *manifest = join(dir, STO_MANIFEST);
    td_status status = access(manifest, F_OK) == 0 ? plan_manifest(s, dir, manifest, diag)
                                                   : plan_files(s, dir, diag);
    td_free(manifest);
    return status;
}

/* ---- some of them ---- */

static void harness_fini(sui_harness *h)
{
    td_free(h->name);
    td_free(h->program);
    td_free(h->dir);
    td_free(h->log);
    td_free(h->why);
    td_free(h->cd);
    sto_texts_free(&h->env);
    sto_texts_free(&h->args);
    sto_texts_free(&h->options);
    for (size_t i = 0; i < h->known.len; i++) {
        td_free(h->known.at[i].path);
        td_free(h->known.at[i].id);
        td_free(h->known.at[i].why);
    }
    sui_known_vec_fini(&h->known);
    sto_past_fini(&h->past);
}

static bool is_wanted(const sui_opts *o, const char *name)
{
    for (size_t i = 0; i < o->n_only; i++)
        if (strcmp(o->only[i], name) == 0)
            return true;
    return o->n_only == 0;
}

static td_status keep_wanted(sui *s, td_diag *diag)
{
    size_t n = 0;
    for (size_t i = 0; i < s->all.len; i++) {
        if (is_wanted(s->opts, s->all.at[i].name))
            s->all.at[n++] = s->all.at[i];
        else
            harness_fini(&s->all.at[i]);
    }
    s->all.len = n;
    if (s->opts->n_only > n)
        return td_diag_set(diag, TD_E_USAGE, "not all requested harnesses are in %s",
                           s->opts->path);
    if (n == 0)
        return td_diag_set(diag, TD_E_USAGE, "there is no harness in %s", s->opts->path);
    return TD_OK;
}

/* The directory of a manifest; caller frees. */
static char *dir_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    td_text dir = {0};
    if (!slash)
        return td_strdup(".");
    td_text_put(&dir, path, slash == path ? 1 : (size_t)(slash - path));
    return dir.at;
}

td_status sui_plan(sui *s, td_diag *diag)
{
    const char *path = s->opts->path;
    bool from_dir = is_dir(path);
    char *dir = from_dir ? td_strdup(path) : dir_of(path);
    for (size_t n = strlen(dir); n > 1 && dir[n - 1] == '/'; n--)
        dir[n - 1] = 0;
    s->known_dir = s->opts->known ? td_strdup(s->opts->known) : join(dir, KNOWN);
    td_status status =
        from_dir ? plan_dir(s, dir, diag) : plan_manifest(s, dir, path, diag);
    td_free(dir);
    return status == TD_OK ? keep_wanted(s, diag) : status;
}

void sui_plan_fini(sui *s)
{
    for (size_t i = 0; i < s->all.len; i++)
        harness_fini(&s->all.at[i]);
    sui_harness_vec_fini(&s->all);
    td_free(s->known_dir);
    td_free(s->dir);
}
