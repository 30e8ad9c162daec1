/* SPDX-License-Identifier: Apache-2.0 */
/* Programs built with treadle cc list themselves when they start (WIRE_ENV_STARTED): so whatever runs the tests, a
 * rule of make, a script, a wrapper of libtool, the programs are known with their arguments, directory and
 * environment. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check_int.h"
#include "wire/started.h"

#define MAX_LIST ((size_t)256 << 20)
#define MAX_TESTS 10000u

/* Returns the next text of the list, or NULL. */
static const char *next(const td_text *list, size_t *at)
{
    const char *text = list->at + *at;
    const char *end =
        *at < list->len ? (const char *)memchr(text, 0, list->len - *at) : NULL;
    if (!end)
        return NULL;
    *at += (size_t)(end - text) + 1;
    return text;
}

/* Texts with their number in front. */
static bool take_texts(const td_text *list, size_t *at, sto_text_vec *out)
{
    const char *number = next(list, at);
    long n = number ? strtol(number, NULL, 10) : -1;
    for (long i = 0; i < n; i++) {
        const char *text = next(list, at);
        if (!text)
            return false;
        sto_text_vec_push(out, td_strdup(text));
    }
    return n >= 0;
}

/* The surroundings of a command, and what we set for it. */
static bool is_passing(const char *env)
{
    static const char *const names[] = {
        "_=",  "PWD=", "OLDPWD=", "SHLVL=",    "MAKE",  "MFLAGS=",     "TREADLE_",
        "CC=", "CXX=", "CFLAGS=", "CXXFLAGS=", "PATH=", "LD_BIND_NOW="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(env, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool is_ours(const char *env)
{
    size_t n = strcspn(env, "=");
    char *name = td_strdup(env);
    name[n] = 0;
    const char *value = getenv(name);
    bool same = env[n] && value && strcmp(value, env + n + 1) == 0;
    td_free(name);
    return same;
}

static void keep_own_env(sto_text_vec *env)
{
    size_t n = 0;
    for (size_t i = 0; i < env->len; i++) {
        if (is_passing(env->at[i]) || is_ours(env->at[i]))
            td_free(env->at[i]);
        else
            env->at[n++] = env->at[i];
    }
    env->len = n;
}

static bool is_same(const chk_test *a, const chk_test *b)
{
    if (strcmp(a->program, b->program) != 0 || a->args.len != b->args.len)
        return false;
    for (size_t i = 0; i < a->args.len; i++)
        if (strcmp(a->args.at[i], b->args.at[i]) != 0)
            return false;
    return true;
}

static bool is_known(const chk *c, const chk_test *t)
{
    for (size_t i = 0; i < c->tests.len; i++)
        if (is_same(&c->tests.at[i], t))
            return true;
    return false;
}

/* The name of the program, without what libtool puts before it. */
static char *name_of(const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *base = slash ? slash + 1 : program;
    return td_strdup(strncmp(base, "lt-", 3) == 0 ? base + 3 : base);
}

void chk_started_read(chk *c)
{
    td_text list = {0};
    size_t at = 0;
    bool whole = td_file_read(c->started, MAX_LIST, &list, NULL) == TD_OK;
    while (whole && at < list.len && c->tests.len < MAX_TESTS) {
        chk_test t = {0};
        const char *program = next(&list, &at), *dir = program ? next(&list, &at) : NULL;
        whole = dir && take_texts(&list, &at, &t.args) && take_texts(&list, &at, &t.env);
        if (whole) {
            t.program = td_strdup(program);
            t.dir = td_strdup(dir);
            t.name = name_of(program);
            keep_own_env(&t.env);
        }
        if (whole && access(program, X_OK) == 0 && !is_known(c, &t))
            chk_test_vec_push(&c->tests, t);
        else
            chk_test_fini(&t);
    }
    td_text_fini(&list);
}
