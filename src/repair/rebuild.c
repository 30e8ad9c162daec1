/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the program with an edited source, as treadle cc built it (trace/build_records.h), and explores it.
 *
 * The files of the user stay as they are: the compiler gets the edited text in place of the file by an overlay, so that names of
 * files, and what it includes, are the same. Compiled again are the sources that are edited, or all of them if the edited
 * file is a header; then the program is linked, with the other objects as they are.
 * What is not possible: programs whose objects are in archives or were moved after they were built, response files that are gone,
 * other variables of the environment for the compiler, code in shared libraries, objects that were made again for the link because
 * the program has symbolic inputs, builds that map their directories away. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/id.h"
#include "base/now.h"
#include "repair/edit.h"

#define SOURCE_MAX ((size_t)4 << 20)
#define LOG_MAX ((size_t)1 << 20)

TD_VEC(char *, word_vec);

static void words_fini(word_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        td_free(v->at[i]);
    word_vec_fini(v);
}

static void push(word_vec *v, const char *word)
{
    word_vec_push(v, td_strdup(word));
}

static char *say(const char *format, const char *what)
{
    td_text text = {0};
    td_text_add(&text, format, what);
    return text.at;
}

/* ---- paths ---- */

static char *real_path(const char *folder, const char *path)
{
    char out[PATH_MAX];
    td_text all = {0};
    if (path[0] != '/' && folder)
        td_text_add(&all, "%s/", folder);
    td_text_add(&all, "%s", path);
    bool is = realpath(all.at, out) != NULL;
    td_text_fini(&all);
    return is ? td_strdup(out) : NULL;
}

static bool is_same_path(const char *folder, const char *path, const char *real)
{
    char *mine = real_path(folder, path);
    bool is = mine && strcmp(mine, real) == 0;
    td_free(mine);
    return is;
}

static char *locate(void *ctx, const char *file)
{
    const rpr_search *x = ctx;
    char *found = NULL;
    for (size_t i = 0; i < x->builds.len && !found; i++)
        found = real_path(x->builds.at[i].folder, file);
    return found ? found : real_path(NULL, file);
}

/* ---- has the file changed since the build? ---- */

static const trc_build_source *source_of(const trc_build *b, const char *path)
{
    for (size_t i = 0; i < b->sources.len; i++)
        if (is_same_path(b->folder, b->sources.at[i].path, path))
            return &b->sources.at[i];
    return NULL;
}

static bool is_newer(const char *path, const char *than)
{
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0)
        return true;
    return a.st_mtim.tv_sec > b.st_mtim.tv_sec || (a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
                                                   a.st_mtim.tv_nsec > b.st_mtim.tv_nsec);
}

/* By its hash; headers, whose hash is not kept, by the time. */
static bool has_changed(const rpr_search *x, const rpr_file_edit *f)
{
    char now[33];
    td_id_print(td_id_hash(f->before.at, f->before.len), now);
    for (size_t i = 0; i < x->builds.len; i++) {
        const trc_build_source *s = source_of(&x->builds.at[i], f->path);
        if (s && *s->hash)
            return strcmp(s->hash, now) != 0;
    }
    return is_newer(f->path, x->recording.program);
}

/* ---- building ---- */

typedef struct builder {
    rpr_search *x;
    const rpr_edit *edit; /* NULL: the program as it is */
    char *dir;
    word_vec objects, instead; /* outputs of the build, and those made again */
    uint64_t end_ms;
    char *why;
} builder;

static void put_json_path(td_text *out, const char *path)
{
    td_text_add(out, "\"");
    for (; *path; path++)
        td_text_add(out, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
    td_text_add(out, "\"");
}

static void put_file(td_text *out, const char *name, const char *contents)
{
    td_text_add(out,
                "%s{\"type\":\"file\",\"name\":", strchr(out->at, '[')[1] ? "," : "");
    put_json_path(out, name);
    td_text_add(out, ",\"external-contents\":");
    put_json_path(out, contents);
    td_text_add(out, "}");
}

/* The edited files, and the list by which the compiler finds them. */
static td_status write_overlay(builder *b, td_diag *diag)
{
    td_text list = {0}, path = {0}, text = {0};
    td_status status = TD_OK;
    td_text_add(&list, "{\"version\":0,\"use-external-names\":\"false\",\"roots\":[");
    for (size_t i = 0; b->edit && status == TD_OK && i < b->edit->files.len; i++) {
        const rpr_file_edit *f = &b->edit->files.at[i];
        td_text_clear(&path);
        td_text_clear(&text);
        td_text_add(&path, "%s/source%zu", b->dir, i);
        rpr_edit_apply(f, &text);
        status = td_file_replace(path.at, text.at, text.len, diag);
        put_file(&list, f->path, path.at);
        for (size_t k = 0; k < b->x->builds.len; k++) {
            const trc_build_source *s = source_of(&b->x->builds.at[k], f->path);
            if (s && strcmp(s->path, f->path) != 0)
                put_file(&list, s->path, path.at);
        }
    }
    td_text_add(&list, "]}\n");
    td_text_clear(&path);
    td_text_add(&path, "%s/overlay.yaml", b->dir);
    if (status == TD_OK)
        status = td_file_replace(path.at, list.at, list.len, diag);
    td_text_fini(&list);
    td_text_fini(&path);
    td_text_fini(&text);
    return status;
}

/* An option that writes another file: left out. *n: its words. */
static bool writes_beside(const char *word, size_t *n)
{
    static const char *const alone[] = {"-MD", "-MMD", "-MP", "-MG", NULL};
    static const char *const with_file[] = {
        "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", NULL};
    *n = 1;
    for (int i = 0; alone[i]; i++)
        if (strcmp(word, alone[i]) == 0)
            return true;
    for (int i = 0; with_file[i]; i++)
        if (strncmp(word, with_file[i], strlen(with_file[i])) == 0) {
            *n = word[strlen(with_file[i])] ? 1 : 2;
            return true;
        }
    return strncmp(word, "-save-temps", 11) == 0 ||
           strncmp(word, "--save-temps", 12) == 0 || strncmp(word, "-Wl,-Map", 8) == 0 ||
           strncmp(word, "-ftime-trace", 12) == 0;
}

static const char *object_instead(builder *b, const trc_build *of, const char *word)
{
    for (size_t i = 0; i < b->objects.len; i++)
        if (is_same_path(of->folder, word, b->objects.at[i]))
            return b->instead.at[i];
    return NULL;
}

/* The first line with an error. */
static char *read_error(const char *log)
{
    td_text text = {0};
    td_diag none = {0};
    char *found = NULL;
    if (td_file_read(log, LOG_MAX, &text, &none) == TD_OK && text.at) {
        const char *at = strstr(text.at, "error:");
        const char *from = at ? at : text.at;
        while (from > text.at && from[-1] != '\n')
            from--;
        size_t n = strcspn(from, "\n");
        text.at[(size_t)(from - text.at) + n] = 0;
        found = td_strdup(from);
    }
    td_text_fini(&text);
    return found ? found : td_strdup("no message");
}

/* Runs a command of the build again. n_replaced: objects that took the place of others. */
static bool run_again(builder *b, const trc_build *of, const char *output,
                      size_t *n_replaced)
{
    static const char *const overlay[] = {"-Xclang", "-ivfsoverlay", "-Xclang"};
    word_vec words = {0};
    td_text text = {0};
    push(&words, "cc");
    for (size_t i = 0, n = 1; i < of->args.len; i += n) {
        const char *word = of->args.at[i];
        n = 1;
        if (writes_beside(word, &n))
            continue;
        const char *instead = word[0] == '-' ? NULL : object_instead(b, of, word);
        *n_replaced += instead != NULL;
        push(&words, instead ? instead : word);
    }
    for (size_t i = 0; of->sources.len > 0 && i < 3; i++)
        push(&words, overlay[i]);
    td_text_add(&text, "%s/overlay.yaml", b->dir);
    if (of->sources.len > 0)
        push(&words, text.at);
    push(&words, "-o");
    push(&words, output);
    word_vec_push(&words, NULL);
    td_text_clear(&text);
    td_text_add(&text, "%s/log", b->dir);
    int code = b->x->opts->build(of->folder, words.at, text.at, b->end_ms);
    if (code != 0) {
        char *error = read_error(text.at);
        td_free(b->why);
        b->why = say("it cannot be built: %s", error);
        td_free(error);
    }
    td_text_fini(&text);
    words_fini(&words);
    return code == 0;
}

/* Headers have no record: whoever could include them is compiled again. */
static bool has_to_be_compiled(const builder *b, const trc_build *of)
{
    for (size_t i = 0; b->edit && i < b->edit->files.len; i++) {
        bool is_source = false;
        const char *path = b->edit->files.at[i].path;
        for (size_t k = 0; k < b->x->builds.len; k++)
            is_source |= source_of(&b->x->builds.at[k], path) != NULL;
        if (!is_source || source_of(of, path))
            return true;
    }
    return false;
}

static bool build_all(builder *b, const char *program)
{
    const trc_build_vec *all = &b->x->builds;
    const trc_build *link = NULL;
    size_t n_replaced = 0, none = 0;
    for (size_t i = 0; i < all->len; i++) {
        const trc_build *of = &all->at[i];
        td_text object = {0};
        if (of->links)
            link = of;
        if (of->links || !has_to_be_compiled(b, of))
            continue;
        td_text_add(&object, "%s/%zu.o", b->dir, i);
        char *was = real_path(NULL, of->output);
        bool ok = was && run_again(b, of, object.at, &none);
        if (!was)
            b->why = say("the object %s is no longer there", of->output);
        else
            word_vec_push(&b->objects, was);
        push(&b->instead, object.at);
        td_text_fini(&object);
        if (!ok)
            return false;
    }
    if (!link) {
        b->why = td_strdup("the program has no record of the command that linked it");
        return false;
    }
    if (b->edit && b->objects.len == 0 && !has_to_be_compiled(b, link)) {
        b->why = td_strdup("the program has no record of how the edited file was built");
        return false;
    }
    if (!run_again(b, link, program, &n_replaced))
        return false;
    if (n_replaced < b->objects.len) {
        b->why = say("%s is not linked by its name, but in an archive perhaps",
                     b->objects.at[0]);
        return false;
    }
    return true;
}

/* The program with an edit, in a folder of the session. *program: its path, or NULL and a sentence. */
static td_status build(rpr_search *x, const rpr_edit *edit, uint64_t end_ms,
                       char **program, char **why, td_diag *diag)
{
    builder b = {.x = x, .edit = edit, .end_ms = end_ms};
    td_text dir = {0}, path = {0};
    char *outer = real_path(NULL, x->dir);
    td_text_add(&dir, "%s/build%u", outer ? outer : x->dir, ++x->n_explored);
    td_free(outer);
    *program = NULL;
    if (mkdir(dir.at, 0777) != 0) {
        td_status status = td_diag_errno(diag, TD_E_SYSTEM, "%s", dir.at);
        td_text_fini(&dir);
        return status;
    }
    b.dir = dir.at;
    td_text_add(&path, "%s/%s", dir.at, rpr_base_of(x->recording.program));
    td_status status = write_overlay(&b, diag);
    if (status == TD_OK && build_all(&b, path.at)) {
        *program = td_strdup(path.at);
        td_free(b.why);
    } else {
        *why = b.why;
    }
    words_fini(&b.objects);
    words_fini(&b.instead);
    td_text_fini(&dir);
    td_text_fini(&path);
    return status;
}

/* ---- an edit for a change ---- */

static void keep_edit(rpr_result *out, rpr_edit *edit, char *why, bool is_explored)
{
    rpr_edit_fini(&out->edit);
    out->edit = *edit;
    td_free(out->edit.why);
    out->edit.why = why;
    out->is_edit_explored = is_explored;
    *edit = (rpr_edit){0};
}

/* An edit that was not explored is kept if it is the first one, and only its reason if it does not even build. */
static void keep_reason(rpr_result *out, rpr_edit *edit, char *why, bool is_shown)
{
    if (is_shown && out->edit.files.len == 0)
        keep_edit(out, edit, why, false);
    else if (out->edit.files.len == 0 && !out->edit.why)
        out->edit.why = why;
    else
        td_free(why);
}

/* The edited program does not build: is that the edit? */
static bool is_edit_wrong(rpr_search *x, uint64_t end_ms)
{
    char *program = NULL, *why = NULL;
    td_diag none = {0};
    bool builds = build(x, NULL, end_ms, &program, &why, &none) == TD_OK && program;
    td_free(program);
    td_free(why);
    return builds;
}

bool rpr_sources_changed(rpr_search *x)
{
    for (size_t i = 0; i < x->facts->points.len; i++) {
        const rpr_point *p = &x->facts->points.at[i];
        for (uint32_t k = 0; k < p->n; k++) {
            rpr_file_edit f = {.path = locate(x, p->places[k].file)};
            td_diag none = {0};
            bool changed = f.path &&
                           td_file_read(f.path, SOURCE_MAX, &f.before, &none) == TD_OK &&
                           f.before.at && has_changed(x, &f);
            if (changed)
                x->out->edit.why =
                    say("%s has changed since the program was built", f.path);
            td_text_fini(&f.before);
            td_free(f.path);
            if (changed)
                return true;
        }
    }
    return false;
}

static td_status try_edit(rpr_search *x, rpr_edit *edit, uint64_t end_ms, bool *holds,
                          bool *cannot, td_diag *diag)
{
    char *program = NULL, *why = NULL;
    rpr_answer answer = RPR_INCOMPLETE;
    for (size_t i = 0; i < edit->files.len; i++)
        if (has_changed(x, &edit->files.at[i])) {
            *cannot = true;
            keep_reason(x->out, edit,
                        say("%s has changed since the program was built",
                            edit->files.at[i].path),
                        false);
            return TD_OK;
        }
    TD_TRY(build(x, edit, end_ms, &program, &why, diag));
    if (!program) {
        bool is_wrong = is_edit_wrong(x, end_ms);
        *cannot = !is_wrong;
        keep_reason(x->out, edit, why, !is_wrong);
        return TD_OK;
    }
    uint64_t now = td_now_ms();
    td_status status =
        rpr_explore_edited(x, program, edit, now < end_ms ? end_ms - now : 1, &answer,
                           &why, &x->out->edit_runs, diag);
    *holds = status == TD_OK && answer == RPR_HOLDS;
    if (*holds)
        keep_edit(x->out, edit, NULL, true);
    else if (status == TD_OK)
        keep_reason(x->out, edit, why, answer == RPR_INCOMPLETE);
    td_free(program);
    return status;
}

td_status rpr_edit_change(rpr_search *x, const rpr_change *c, const char *callees,
                          uint64_t end_ms, bool *holds, bool *cannot, td_diag *diag)
{
    td_status status = TD_OK;
    *holds = *cannot = false;
    for (unsigned way = 0; way < RPR_EDITS && status == TD_OK && !*holds && !*cannot;
         way++) {
        rpr_edit edit;
        if (rpr_edit_make(c, callees, way, locate, x, &edit))
            status = try_edit(x, &edit, end_ms, holds, cannot, diag);
        else if (edit.why) {
            keep_reason(x->out, &edit, edit.why, false);
            edit.why = NULL;
        }
        rpr_edit_fini(&edit);
    }
    return status;
}

/* ---- the edit for the user ---- */

void rpr_diff(const rpr_result *r, const char *folder, td_text *out)
{
    rpr_edit_diff(&r->edit, folder, out);
}

static td_status check_unchanged(const rpr_file_edit *f, td_diag *diag)
{
    td_text now = {0};
    td_status status = td_file_read(f->path, SOURCE_MAX, &now, diag);
    if (status == TD_OK &&
        (now.len != f->before.len || memcmp(now.at, f->before.at, now.len) != 0))
        status = td_diag_set(diag, TD_E_USAGE,
                             "%s has changed since the edit was explored", f->path);
    td_text_fini(&now);
    return status;
}

td_status rpr_apply(const rpr_result *r, const char *folder, td_text *said, td_diag *diag)
{
    TD_ASSERT(r->is_edit_explored);
    for (size_t i = 0; i < r->edit.files.len; i++)
        TD_TRY(check_unchanged(&r->edit.files.at[i], diag));
    for (size_t i = 0; i < r->edit.files.len; i++) {
        const rpr_file_edit *f = &r->edit.files.at[i];
        td_text text = {0};
        rpr_edit_apply(f, &text);
        td_status status = td_file_write(f->path, text.at, text.len, diag);
        td_text_fini(&text);
        TD_TRY(status);
        td_text_add(said, "changed %s\n", rpr_edit_path(f, folder));
    }
    return TD_OK;
}
