/* SPDX-License-Identifier: Apache-2.0 */
/* Test programs by case. A framework is recognised by a symbol of its programs; it lists its cases by an
 * option, and runs one of them by another. A program of none of them, or whose list cannot be read, is one
 * case. */
#include <string.h>

#include "check/check_int.h"

#define MAX_LIST ((size_t)16 << 20) /* bytes */
#define MAX_PROGRAM ((size_t)2 << 30)
#define MAX_CASES 2000u
#define LIST_MS 20000u

typedef struct framework {
    const char *mark, *list, *one; /* symbol; option that lists; option that selects */
    const char *escaped;           /* letters of a name with a backslash before them */
    void (*read)(const char *text, sto_text_vec *out);
} framework;

static void add(sto_text_vec *out, const char *text, size_t n)
{
    td_text copy = {0};
    td_text_put(&copy, text, n);
    if (n > 0 && out->len < MAX_CASES)
        sto_text_vec_push(out, copy.at);
    else
        td_text_fini(&copy);
}

/* "Suite.\n  Case  # comment\n" */
static void read_google(const char *text, sto_text_vec *out)
{
    td_text suite = {0};
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t n = strcspn(at, "\n"), name = strcspn(at, " \n#");
        if (*at != ' ' && name > 1 && at[name - 1] == '.') {
            td_text_clear(&suite);
            td_text_put(&suite, at, name);
        } else if (strncmp(at, "  ", 2) == 0 && suite.len > 0) {
            td_text full = {0};
            td_text_add(&full, "%s%.*s", suite.at, (int)strcspn(at + 2, " \n#"), at + 2);
            if (n > 2 && !strstr(full.at, "DISABLED_"))
                add(out, full.at, full.len);
            td_text_fini(&full);
        }
    }
    td_text_fini(&suite);
}

/* A name on each line. */
static void read_lines(const char *text, sto_text_vec *out)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        add(out, at, strcspn(at, "\n"));
}

/* Those that are paths: "# random seed", "1..2" and the like come between them. */
static void read_paths(const char *text, sto_text_vec *out)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (*at == '/')
            add(out, at, strcspn(at, "\n"));
}

/* "[doctest] ...\n====\nname\n====\n[doctest] ...\n" */
static void read_doctest(const char *text, sto_text_vec *out)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, "[doctest]", 9) != 0 && strncmp(at, "====", 4) != 0)
            add(out, at, strcspn(at, "\n"));
}

/* Four blanks for each suite above, and a star: "suite*\n    case*\n". A suite is followed by what is in it. */
static void read_boost(const char *text, sto_text_vec *out)
{
    sto_text_vec above = {0};
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t depth = strspn(at, " ") / 4, name = strcspn(at + 4 * depth, "*:\n");
        const char *after = at + strcspn(at, "\n");
        after += *after == '\n';
        if (at[4 * depth + name] != '*' || depth > above.len)
            continue;
        while (above.len > depth)
            td_free(above.at[--above.len]);
        td_text path = {0};
        if (depth > 0)
            td_text_add(&path, "%s/", above.at[depth - 1]);
        td_text_put(&path, at + 4 * depth, name);
        if (strspn(after, " ") / 4 <= depth)
            add(out, path.at, path.len);
        sto_text_vec_push(&above, path.at);
    }
    sto_texts_free(&above);
}

static const framework frameworks[] = {
    {"_ZN7testing8UnitTest", "--gtest_list_tests", "--gtest_filter=", "", read_google},
    {"list-test-names-only", "--list-test-names-only", "", "\\,[", read_lines},
    {"_ZN7doctest", "--list-test-cases", "--test-case=", "\\,", read_doctest},
    {"5boost9unit_test", "--list_content", "--run_test=", "", read_boost},
    {"g_test_run", "-l", "-p", "", read_paths},
};

static const framework *framework_of(const chk_test *t)
{
    td_text file = {0};
    const framework *found = NULL;
    if (td_file_read(t->program, MAX_PROGRAM, &file, NULL) != TD_OK)
        return NULL;
    for (size_t i = 0; !found && i < sizeof frameworks / sizeof frameworks[0]; i++)
        if (memmem(file.at, file.len, frameworks[i].mark, strlen(frameworks[i].mark)))
            found = &frameworks[i];
    td_text_fini(&file);
    return found;
}

/* The project selects cases itself. */
static bool is_divided(const framework *f, const chk_test *t)
{
    for (size_t i = 0; i < t->args.len; i++)
        if (*f->one ? strncmp(t->args.at[i], f->one, strlen(f->one)) == 0
                    : t->args.at[i][0] != '-')
            return true;
    return false;
}

static void list_cases(const chk *c, const framework *f, const chk_test *t,
                       sto_text_vec *out)
{
    char *file = chk_join(c->opts->work, "cases.txt");
    td_text text = {0};
    const char **words = td_alloc((t->args.len + 3) * sizeof *words);
    words[0] = t->program;
    for (size_t i = 0; i < t->args.len; i++)
        words[i + 1] = t->args.at[i];
    words[t->args.len + 1] = f->list;
    words[t->args.len + 2] = NULL;
    int code = chk_command_run(&(chk_command){.words = words,
                                              .dir = t->dir,
                                              .env = &t->env,
                                              .output = file,
                                              .most_ms = LIST_MS});
    if (code < 127 && td_file_read(file, MAX_LIST, &text, NULL) == TD_OK && text.len > 0)
        f->read(text.at, out);
    td_free(words);
    td_free(file);
    td_text_fini(&text);
}

static void add_case(const framework *f, const chk_test *t, const char *name,
                     chk_test_vec *out)
{
    chk_test one = {0};
    td_text word = {0}, full = {0};
    chk_test_copy(t, &one);
    td_text_add(&word, "%s", strcmp(f->one, "-p") == 0 ? "" : f->one);
    for (const char *at = name; *at; at++)
        td_text_add(&word, "%s%c", strchr(f->escaped, *at) ? "\\" : "", *at);
    if (strcmp(f->one, "-p") == 0)
        sto_text_vec_push(&one.args, td_strdup("-p"));
    sto_text_vec_push(&one.args, word.at);
    td_text_add(&full, "%s.%s", t->name, name[0] == '/' ? name + 1 : name);
    td_free(one.name);
    one.name = full.at;
    chk_test_vec_push(out, one);
}

void chk_divide(const chk *c, const chk_test *t, chk_test_vec *out)
{
    const framework *f = framework_of(t);
    sto_text_vec cases = {0};
    if (f && !is_divided(f, t))
        list_cases(c, f, t, &cases);
    for (size_t i = 0; i < cases.len; i++)
        add_case(f, t, cases.at[i], out);
    if (cases.len == 0) {
        chk_test copy = {0};
        chk_test_copy(t, &copy);
        chk_test_vec_push(out, copy);
    }
    sto_texts_free(&cases);
}
