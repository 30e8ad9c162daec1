/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of treadle check up to the manifest. */
#include "check/check.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check_int.h"
#include "run/run.h"
#include "store/manifest.h"

#define MAX_NAME 60u

static void tests_free(chk_test_vec *tests)
{
    for (size_t i = 0; i < tests->len; i++)
        chk_test_fini(&tests->at[i]);
    chk_test_vec_fini(tests);
}

/* ---- the manifest ---- */

static bool is_taken(const sto_manifest *m, const char *name)
{
    for (size_t i = 0; i < m->harnesses.len; i++)
        if (strcmp(m->harnesses.at[i].name, name) == 0)
            return true;
    return false;
}

/* A name of a harness: its letters, and a number where another test has it. */
static char *name_for(const sto_manifest *m, const char *from)
{
    td_text name = {0};
    for (const char *at = from; *at && name.len < MAX_NAME - 5; at++) {
        bool fits = isalnum((unsigned char)*at) || (name.len > 0 && strchr("._+-", *at));
        if (fits || (name.len > 0 && name.at[name.len - 1] != '-'))
            td_text_put(&name, fits ? at : "-", 1);
    }
    if (name.len == 0)
        td_text_add(&name, "test");
    size_t base = name.len;
    for (unsigned n = 2; is_taken(m, name.at); n++) {
        name.len = base;
        td_text_add(&name, "-%u", n);
    }
    return name.at;
}

static void add_harness(sto_manifest *m, const chk_test *t)
{
    sto_harness h = {.name = name_for(m, t->name)};
    if (t->dir) {
        td_text word = {0};
        td_text_add(&word, "--cd=%s", t->dir);
        sto_text_vec_push(&h.options, word.at);
    }
    sto_text_vec_push(&h.options, td_strdup("--env=CK_FORK=no"));
    for (size_t i = 0; i < t->env.len; i++) {
        td_text word = {0};
        td_text_add(&word, "--env=%s", t->env.at[i]);
        sto_text_vec_push(&h.options, word.at);
    }
    sto_text_vec_push(&h.words, td_strdup(t->program));
    for (size_t i = 0; i < t->args.len; i++)
        sto_text_vec_push(&h.words, td_strdup(t->args.at[i]));
    sto_harness_vec_push(&m->harnesses, h);
}

static td_status write_manifest(const chk *c, const chk_test_vec *tests, td_diag *diag)
{
    sto_manifest m = {{0}};
    td_text text = {0};
    char *path = chk_join(c->opts->work, STO_MANIFEST);
    for (size_t i = 0; i < tests->len; i++)
        add_harness(&m, &tests->at[i]);
    sto_manifest_print(&m, &text);
    td_status status = td_file_write(path, text.at, text.len, diag);
    sto_manifest_fini(&m);
    td_text_fini(&text);
    td_free(path);
    return status;
}

/* ---- steps ---- */

static void divide_all(chk *c, chk_test_vec *out)
{
    for (size_t i = 0; i < c->tests.len; i++) {
        const chk_test *t = &c->tests.at[i];
        td_diag why = {0};
        if (run_program_check(t->program, &why) == TD_OK) {
            chk_divide(c, t, out);
            continue;
        }
        c->n_left_out++;
        fprintf(c->opts->err, "treadle check: skipped: %s: %s\n", t->name, why.text);
    }
}

static void fini(chk *c)
{
    td_free(c->source);
    td_free(c->build);
    td_free(c->log);
    td_free(c->started);
    tests_free(&c->tests);
}

td_status chk_prepare(const chk_opts *opts, size_t *n_tests, td_diag *diag)
{
    char source[PATH_MAX];
    chk_test_vec cases = {0};
    chk c = {.opts = opts};
    if (!realpath(opts->dir, source))
        return td_diag_errno(diag, TD_E_USAGE, "cannot read the directory %s", opts->dir);
    c.source = td_strdup(source);
    c.build = chk_join(opts->work, "build");
    c.log = chk_join(opts->work, "build.log");
    c.started = chk_join(opts->work, "started");
    unlink(c.log);
    mkdir(c.build, 0777);
    td_status status = chk_project(&c, diag);
    if (status == TD_OK)
        divide_all(&c, &cases);
    if (status == TD_OK && cases.len == 0)
        status = td_diag_set(diag, TD_E_USAGE,
                             "the project has no test that is a program built with "
                             "treadle cc (%s)",
                             c.log);
    if (status == TD_OK)
        status = write_manifest(&c, &cases, diag);
    *n_tests = cases.len;
    tests_free(&cases);
    fini(&c);
    return status;
}
