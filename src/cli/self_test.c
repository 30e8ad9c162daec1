/* SPDX-License-Identifier: Apache-2.0 */
/* treadle doctor --self-test: small programs whose result is known, compiled and explored. */
#include "cli/self_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/text.h"
#include "cli/child.h"
#include "cli/cli.h"

/* A program, and what treadle must make of it. */
typedef struct self_case {
    const char *what;
    const char *source; /* after the head */
    int exit_code;
    const char *kind; /* expected finding: the beginning of its id; NULL: none */
} self_case;

static const char head[] =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = "
    "PTHREAD_MUTEX_INITIALIZER;\n"
    "static int count; static atomic_int flag;\n";

static const char tail[] = "int main(void)\n{\n"
                           "    pthread_t a, b;\n"
                           "    pthread_create(&a, NULL, first, NULL);\n"
                           "    pthread_create(&b, NULL, second, NULL);\n"
                           "    pthread_join(a, NULL);\n    pthread_join(b, NULL);\n"
                           "    assert(count != 1);\n    return 0;\n}\n";

static const self_case cases[] = {
    {"finds a lost update",
     "static void *first(void *arg)\n{\n"
     "    pthread_mutex_lock(&m);\n    int old = count;\n    pthread_mutex_unlock(&m);\n"
     "    pthread_mutex_lock(&m);\n    count = old + 1;\n    pthread_mutex_unlock(&m);\n"
     "    return arg;\n}\n#define second first\n",
     CLI_EXIT_FOUND, "assert-"},
    {"explores it completely",
     "static void *first(void *arg)\n{\n"
     "    pthread_mutex_lock(&m);\n    count++;\n    pthread_mutex_unlock(&m);\n"
     "    return arg;\n}\n#define second first\n",
     CLI_EXIT_COMPLETE, NULL},
    {"finds a data race",
     "static void *first(void *arg)\n{\n    count += 2;\n    return arg;\n}\n"
     "#define second first\n",
     CLI_EXIT_FOUND, "race-"},
    {"finds a deadlock",
     "static void *first(void *arg)\n{\n"
     "    pthread_mutex_lock(&m);\n    pthread_mutex_lock(&n);\n"
     "    pthread_mutex_unlock(&n);\n    pthread_mutex_unlock(&m);\n    return arg;\n}\n"
     "static void *second(void *arg)\n{\n"
     "    pthread_mutex_lock(&n);\n    pthread_mutex_lock(&m);\n"
     "    pthread_mutex_unlock(&m);\n    pthread_mutex_unlock(&n);\n    return arg;\n}\n",
     CLI_EXIT_FOUND, "deadlock-"},
    {"solves for an input",
     "static void *first(void *arg)\n{\n    atomic_store(&flag, 1);\n    return arg;\n}\n"
     "static void *second(void *arg)\n{\n"
     "    if (atomic_load(&flag) && __VERIFIER_nondet_int() * 3 == 37035)\n"
     "        count = 1;\n    return arg;\n}\n",
     CLI_EXIT_FOUND, "assert-"},
};

/* Finds the recording of a finding whose id begins with `kind`; false if there is none. */
static bool find_recording(const char *dir, const char *kind, td_text *out)
{
    DIR *d = opendir(dir);
    bool found = false;
    for (struct dirent *e; d && !found && (e = readdir(d)) != NULL;)
        if (strncmp(e->d_name, kind, strlen(kind)) == 0 &&
            strstr(e->d_name, ".treadle")) {
            td_text_add(out, "%s/%s", dir, e->d_name);
            found = true;
        }
    if (d)
        closedir(d);
    return found;
}

/* NULL, or what went wrong. */
static const char *run_case(const self_case *c, const char *dir, size_t number)
{
    td_text source = {0}, text = {0}, program = {0}, out = {0}, session = {0},
            recording = {0};
    const char *wrong = NULL;
    td_text_add(&source, "%s/case%zu.c", dir, number);
    td_text_add(&program, "%s/case%zu", dir, number);
    td_text_add(&session, "%s/session%zu", dir, number);
    td_text_add(&out, "--out=%s", session.at);
    td_text_add(&text, "%s%s%s", head, c->source, tail);
    char *compile[] = {"cc",      "-w", "-g",       "-O1", "-pthread",
                       source.at, "-o", program.at, NULL};
    char *explore[] = {"run",       "-q",   "--no-known", "-j1",
                       "--time=5s", out.at, program.at,   NULL};
    td_diag diag = {0};
    if (td_file_replace(source.at, text.at, text.len, &diag) != TD_OK)
        wrong = "the source cannot be written";
    else if (cli_child(compile, NULL) != 0)
        wrong =
            "treadle cc fails: is clang installed, with the headers of the C library?";
    else if (cli_child(explore, NULL) != c->exit_code)
        wrong = c->kind ? "the bug is not found" : "the result is not COMPLETE";
    else if (c->kind && !find_recording(session.at, c->kind, &recording))
        wrong = "another bug is found";
    char *again[] = {"replay", recording.at, NULL};
    if (!wrong && c->kind && cli_child(again, NULL) != CLI_EXIT_FOUND)
        wrong = "its recording does not reproduce the bug";
    td_text_fini(&source);
    td_text_fini(&text);
    td_text_fini(&program);
    td_text_fini(&out);
    td_text_fini(&session);
    td_text_fini(&recording);
    return wrong;
}

/* The directory and all in it, at most one level of directories below. */
static void remove_all(const char *dir, bool is_top)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        td_text path = {0};
        td_text_add(&path, "%s/%s", dir, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            unlink(path.at) != 0 && is_top)
            remove_all(path.at, false);
        td_text_fini(&path);
    }
    if (d)
        closedir(d);
    rmdir(dir);
}

bool cli_self_test(void)
{
    td_text dir = {0};
    bool well = true;
    td_text_add(&dir, "%s/treadle-XXXXXX", td_temp_folder());
    if (mkdtemp(dir.at) == NULL) {
        printf("  %-24sFAILS: cannot create %s\n", "self-test", dir.at);
        td_text_fini(&dir);
        return false;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TD_ASSERT(cases[i].exit_code == CLI_EXIT_FOUND || !cases[i].kind);
        fflush(stdout);
        const char *wrong = run_case(&cases[i], dir.at, i);
        printf("  %-24s%s%s\n", cases[i].what, wrong ? "FAILS: " : "ok",
               wrong ? wrong : "");
        well &= wrong == NULL;
    }
    remove_all(dir.at, true);
    td_text_fini(&dir);
    return well;
}
