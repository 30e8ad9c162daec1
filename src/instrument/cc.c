/* SPDX-License-Identifier: Apache-2.0 */
/* treadle cc: which commands to run for a command line of cc.
 *
 *     cc -c a.c           clang a.c to bitcode named a.o; a.o becomes an object
 *     cc a.c b.o -o p     the same into a directory of its own, then the link
 *     cc b.o -o p         clang links, with treadle's runtime (light_objects.c: objects made again)
 *     anything else       clang, unchanged
 */
#include "instrument/instrument.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument/cc_int.h"
#include "instrument/support.h"

#ifndef INS_CLANG
#define INS_CLANG "clang"
#endif

typedef ins_driver driver;
typedef ins_word_vec word_vec;
#define word_vec_push ins_word_vec_push
#define word_vec_fini ins_word_vec_fini
#define keep ins_driver_keep
#define new_file ins_driver_file
#define run_clang ins_driver_run

/* --- compiling --- */

static void push_arg(word_vec *words, const ins_arg *a)
{
    word_vec_push(words, a->text);
    if (a->value)
        word_vec_push(words, a->value);
}

static void push_all(word_vec *words, const char *const *more, size_t n)
{
    for (size_t i = 0; i < n; i++)
        word_vec_push(words, more[i]);
}

#define PUSH(words, ...)                                                                 \
    push_all(words, (const char *const[]){__VA_ARGS__},                                  \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Compiled and linked in one command, dependencies are named after the program. */
static void push_deps(driver *d, word_vec *words, const char *input)
{
    const ins_command *c = &d->command;
    if (!c->writes_deps || c->stage != INS_STAGE_LINK)
        return;
    td_text deps = {0}, target = {0};
    const char *output = c->output ? c->output : input;
    const char *slash = strrchr(output, '/');
    if (c->output && slash)
        td_text_put(&deps, output, (size_t)(slash + 1 - output));
    ins_object_name(output, ".d", &deps);
    ins_object_name(input, ".o", &target);
    const char *deps_name = keep(d, &deps), *target_name = keep(d, &target);
    if (!c->names_deps)
        PUSH(words, "-MF", deps_name);
    if (!c->names_target)
        PUSH(words, "-MT", target_name);
}

/* The options that every step of the command gets. */
static void push_options(const ins_command *c, word_vec *words, bool assembles)
{
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        if (a->role == INS_ROLE_OPTION || (assembles && a->role == INS_ROLE_ASSEMBLER))
            push_arg(words, a);
    }
    if (c->stage == INS_STAGE_LINK)
        word_vec_push(words, "-Qunused-arguments");
}

/* <treadle.h> and <klee/klee.h>, behind all other directories; what the C++ library has compiled, in
 * front of its own; no inline versions of functions that are replaced. These are for the preprocessor, and
 * harmless if it does not run. */
static void push_headers(driver *d, word_vec *words)
{
    td_text path = {0}, templates = {0};
    td_diag diag = {0};
    PUSH(words, "--start-no-unused-arguments", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE=1",
         "-D__TREADLE__=1", "-D_GLIBCXX_TSAN=1"); /* for <memory> */
    if (d->command.is_libcxx)
        word_vec_push(words, "-D_LIBCPP_HAS_NO_TREE_BARRIER=1"); /* the one in headers */
    if (ins_support_path(INS_SUPPORT_INCLUDE, &path, &diag) == TD_OK) {
        td_text_add(&templates, "%s/%s", path.at,
                    d->command.is_libcxx ? "libc++" : "libstdc++");
        PUSH(words, "-cxx-isystem", keep(d, &templates), "-idirafter", keep(d, &path));
    } else {
        td_text_fini(&path);
    }
    word_vec_push(words, "--end-no-unused-arguments");
}

static int compile_to_bitcode(driver *d, const ins_arg *input, const char *output)
{
    const ins_command *c = &d->command;
    word_vec words = {0};
    word_vec_push(&words, d->clang);
    push_options(c, &words, false);
    PUSH(&words, "-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang",
         "-disable-O0-optnone");
    if (c->debug != INS_DEBUG_FULL)
        word_vec_push(&words, "-g");
    push_headers(d, &words);
    push_deps(d, &words, input->text);
    PUSH(&words, "-o", output);
    if (input->language)
        PUSH(&words, "-x", input->language);
    word_vec_push(&words, input->text);
    int code = run_clang(d, &words);
    word_vec_fini(&words);
    return code;
}

static int compile_native(driver *d, const ins_arg *input, const char *output)
{
    word_vec words = {0};
    word_vec_push(&words, d->clang);
    push_options(&d->command, &words, true);
    PUSH(&words, "-c", "-o", output);
    if (input->language)
        PUSH(&words, "-x", input->language);
    word_vec_push(&words, input->text);
    int code = run_clang(d, &words);
    word_vec_fini(&words);
    return code;
}

static int compile_source(driver *d, const ins_arg *input, const char *output,
                          const char *record)
{
    const ins_command *c = &d->command;
    const ins_opts opts = {
        .level = c->level,
        .for_size = c->for_size,
        .keep_debug = c->debug == INS_DEBUG_FULL,
        .function_sections = c->function_sections,
        .data_sections = c->data_sections,
        .volatiles = c->volatiles,
        .light = c->stage == INS_STAGE_COMPILE && !c->inputs,
        .record = record,
    };
    int code = compile_to_bitcode(d, input, output);
    return code ? code : ins_driver_object(output, &opts);
}

/* -c: an object for each input. */
static int compile_all(driver *d)
{
    const ins_command *c = &d->command;
    int result = 0;
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        if (a->role != INS_ROLE_SOURCE && a->role != INS_ROLE_NATIVE)
            continue;
        td_text name = {0};
        if (c->output)
            td_text_add(&name, "%s", c->output);
        else
            ins_object_name(a->text, ".o", &name);
        const char *output = keep(d, &name);
        int code = a->role == INS_ROLE_SOURCE
                       ? compile_source(d, a, output, ins_build_record(d, output))
                       : compile_native(d, a, output);
        result = result ? result : code;
    }
    return result;
}

/* --- linking --- */

/* The first object has the record of the command. */
static int compile_for_link(driver *d, const char *record)
{
    const ins_command *c = &d->command;
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        if (a->role != INS_ROLE_SOURCE)
            continue;
        const char *object = new_file(d, a->text, ".o");
        int code = object ? compile_source(d, a, object, record) : 1;
        if (code)
            return code;
        word_vec_push(&d->link_words, object);
        record = NULL;
    }
    return 0;
}

/* -fsanitize=fuzzer brings a main: ours hands one input to the target. A main of the program goes first. */
static int compile_fuzz_main(driver *d, const char **object)
{
    static const char text[] =
        "#define TREADLE_FUZZ_MAIN __attribute__((weak)) int main\n"
        "#include <treadle_fuzz.h>\n";
    const char *source = new_file(d, "fuzz", d->command.is_cxx ? ".cpp" : ".c");
    *object = source ? new_file(d, "fuzz", ".o") : NULL;
    td_diag diag = {0};
    if (!*object)
        return 1;
    if (td_file_write(source, text, sizeof text - 1, &diag) != TD_OK) {
        ins_complain(&diag);
        return 1;
    }
    const ins_arg input = {.role = INS_ROLE_SOURCE, .text = source};
    return compile_source(d, &input, *object, NULL);
}

/* An input as it was, with its language and the end of it. */
static void push_input(word_vec *words, const ins_arg *a)
{
    if (a->language)
        PUSH(words, "-x", a->language, a->text, "-x", "none");
    else
        word_vec_push(words, a->text);
}

/* The command as given, sources replaced by their objects. */
static void push_given(driver *d, word_vec *words)
{
    const ins_command *c = &d->command;
    size_t n_replaced = 0;
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        const char *instead = i < d->instead.len ? d->instead.at[i] : NULL;
        if (instead) {
            word_vec_push(words, instead);
            continue;
        }
        switch (a->role) {
        case INS_ROLE_SOURCE:
            word_vec_push(words, d->link_words.at[n_replaced++]);
            break;
        case INS_ROLE_NATIVE:
        case INS_ROLE_OBJECT:
            push_input(words, a);
            break;
        case INS_ROLE_OPTION:
        case INS_ROLE_OUTPUT:
        case INS_ROLE_ASSEMBLER:
            push_arg(words, a);
            break;
        case INS_ROLE_LANGUAGE:
        case INS_ROLE_STAGE:
        case INS_ROLE_DROPPED:
            break;
        }
    }
    if (n_replaced)
        word_vec_push(words, "-Qunused-arguments");
}

static td_status push_support(driver *d, word_vec *words, ins_support file, td_diag *diag)
{
    td_text path = {0};
    td_status status = ins_support_path(file, &path, diag);
    if (status == TD_OK)
        word_vec_push(words, keep(d, &path));
    else
        td_text_fini(&path);
    return status;
}

/* Comes first: the start code needs main, which may be in a library of the command. */
static td_status push_start(driver *d, word_vec *words, td_diag *diag)
{
    if (d->command.link != INS_LINK_PROGRAM)
        return TD_OK;
    word_vec_push(words, "-Wl,--wrap=main");
    return push_support(d, words, INS_SUPPORT_MAIN, diag);
}

/* What a program needs: the runtime, visible for the libraries it loads. */
static td_status push_program(driver *d, word_vec *words, td_diag *diag)
{
    const ins_command *c = &d->command;
    TD_TRY(push_support(d, words, INS_SUPPORT_IMAGE, diag));
    word_vec_push(words, "-Wl,--whole-archive");
    TD_TRY(push_support(d, words, INS_SUPPORT_RUNTIME, diag));
    TD_TRY(push_support(d, words, INS_SUPPORT_LIBC, diag));
    TD_TRY(push_support(d, words, c->is_static ? INS_SUPPORT_PLAIN : INS_SUPPORT_REAL,
                        diag));
    bool has_libcxx = c->is_cxx && c->is_libcxx && !c->is_static;
    if (has_libcxx)
        TD_TRY(push_support(d, words, INS_SUPPORT_LIBCXX, diag));
    word_vec_push(words, "-Wl,--no-whole-archive");
    if (c->is_cxx && !c->is_static && !has_libcxx)
        word_vec_push(words, "-Wl,-u,__treadle_cxx");
    if (!c->is_static && !has_libcxx)
        TD_TRY(push_support(d, words, INS_SUPPORT_CXX, diag));
    PUSH(words, "-lpthread", "-Wl,--build-id");
    if (c->is_static) /* our malloc and that of libc.a, which the runtime needs as well */
        word_vec_push(words, "-Wl,-z,muldefs");
    else
        word_vec_push(words, c->plain_linker ? "-rdynamic"
                                             : "-Wl,--export-dynamic-symbol=__treadle_*");
    return TD_OK;
}

static td_status push_image(driver *d, word_vec *words, td_diag *diag)
{
    switch (d->command.link) {
    case INS_LINK_PROGRAM:
        return push_program(d, words, diag);
    case INS_LINK_SHARED:
        TD_TRY(push_support(d, words, INS_SUPPORT_IMAGE, diag));
        PUSH(words, "-Wl,-z,undefs", "-Wl,--build-id");
        return TD_OK;
    case INS_LINK_RELOCATABLE:
        break;
    }
    return TD_OK;
}

/* For a link of objects alone. */
static int write_record(driver *d, const char *record, const char **file)
{
    td_diag diag = {0};
    *file = new_file(d, "record", ".s");
    if (!*file)
        return 1;
    td_text text = {0};
    td_text_add(&text, "%s.section .note.GNU-stack,\"\",%%progbits\n", record);
    td_status status = td_file_write(*file, text.at, text.len, &diag);
    td_text_fini(&text);
    if (status == TD_OK)
        return 0;
    ins_complain(&diag);
    return 1;
}

static int link_all(driver *d)
{
    td_diag diag = {0};
    word_vec words = {0};
    const ins_command *c = &d->command;
    const char *record = ins_build_record(d, c->output ? c->output : "a.out");
    const char *record_file = NULL;
    int code = compile_for_link(d, record);
    if (code == 0 && record && c->n_sources == 0)
        code = write_record(d, record, &record_file);
    code = code ? code : ins_light_replace(d);
    const char *fuzz_main = NULL;
    if (code == 0 && d->command.is_fuzzed && d->command.link == INS_LINK_PROGRAM)
        code = compile_fuzz_main(d, &fuzz_main);
    if (code)
        return code;
    word_vec_push(&words, d->clang);
    td_status status = push_start(d, &words, &diag);
    push_given(d, &words);
    if (fuzz_main)
        word_vec_push(&words, fuzz_main);
    if (record_file)
        word_vec_push(&words, record_file);
    if (status == TD_OK)
        status = push_image(d, &words, &diag);
    if (status == TD_OK)
        code = ins_driver_link(d, &words);
    else {
        ins_complain(&diag);
        code = 1;
    }
    word_vec_fini(&words);
    return code;
}

/* --- the command --- */

/* An output that is there and is not a file (/dev/null) is clang's to write. */
static bool is_special(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static const char *clang_path(void)
{
    const char *chosen = getenv("TREADLE_CC");
    return chosen && chosen[0] ? chosen : INS_CLANG;
}

static void driver_fini(driver *d)
{
    for (size_t i = 0; i < d->made.len; i++) {
        unlink(d->made.at[i]);
        td_free(d->made.at[i]);
    }
    if (d->folder[0])
        rmdir(d->folder);
    for (size_t i = 0; i < d->texts.len; i++)
        td_free(d->texts.at[i]);
    ins_text_vec_fini(&d->made);
    ins_text_vec_fini(&d->texts);
    word_vec_fini(&d->link_words);
    word_vec_fini(&d->instead);
    ins_command_fini(&d->command);
}

/* The command as it was given, without what clang does not know. */
static _Noreturn void pass_on(const driver *d, int argc, char **argv)
{
    int n = 1;
    for (int i = 1; i < argc; i++)
        if (!ins_is_ours(argv[i]))
            argv[n++] = argv[i];
    argv[0] = (char *)(uintptr_t)d->clang;
    argv[n] = NULL;
    ins_driver_become(d->clang, argv);
}

/* A pipe or a device would keep the compiler waiting, or never end. */
static bool inputs_are_files(const ins_command *c)
{
    td_diag diag = {0};
    for (size_t i = 0; i < c->args.len; i++) {
        const ins_arg *a = &c->args.at[i];
        bool is_input = a->role == INS_ROLE_SOURCE || a->role == INS_ROLE_NATIVE ||
                        a->role == INS_ROLE_OBJECT;
        if (is_input && strcmp(a->text, "-") != 0 &&
            td_file_check(a->text, &diag) != TD_OK) {
            fprintf(stderr, "treadle cc: %s\n", diag.text);
            return false;
        }
    }
    return true;
}

int ins_cc_main(int argc, char **argv)
{
    driver d = {.clang = clang_path(), .argc = argc, .argv = argv};
    ins_command_init(&d.command, argc, argv);
    bool pass = d.command.stage == INS_STAGE_PASS ||
                (d.command.stage == INS_STAGE_COMPILE && is_special(d.command.output));
    if (d.command.wrong) {
        fprintf(stderr, "treadle cc: %s: --volatile=plain, relaxed or atomic\n",
                d.command.wrong);
        driver_fini(&d);
        return 2;
    }
    if (!inputs_are_files(&d.command)) {
        driver_fini(&d);
        return 2;
    }
    if (pass)
        pass_on(&d, argc, argv);
    int code = d.command.stage == INS_STAGE_COMPILE ? compile_all(&d) : link_all(&d);
    driver_fini(&d);
    return code;
}
