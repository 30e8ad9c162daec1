/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a command line of cc: sorts its arguments by their roles. */
#include "instrument/args.h"

#include <ctype.h>
#include <string.h>

#include "base/assert.h"

#define N_OF(list) (sizeof(list) / sizeof((list)[0]))
#define RESPONSE_LIMIT (64u << 20)
#define RESPONSE_DEPTH 8

/* --- what clang knows about options, as far as it matters here --- */

/* Options whose value is the next argument. */
static const char *const takes_value[] = {"-o",
                                          "-x",
                                          "-I",
                                          "-L",
                                          "-D",
                                          "-U",
                                          "-F",
                                          "-B",
                                          "-T",
                                          "-u",
                                          "-e",
                                          "-z",
                                          "-l",
                                          "-A",
                                          "-include",
                                          "-imacros",
                                          "-isystem",
                                          "-iquote",
                                          "-idirafter",
                                          "-iprefix",
                                          "-iwithprefix",
                                          "-iwithprefixbefore",
                                          "-isysroot",
                                          "-imultilib",
                                          "-ivfsoverlay",
                                          "-include-pch",
                                          "-MF",
                                          "-MT",
                                          "-MQ",
                                          "-MJ",
                                          "-Xclang",
                                          "-Xlinker",
                                          "-Xassembler",
                                          "-Xpreprocessor",
                                          "-Xanalyzer",
                                          "-mllvm",
                                          "-arch",
                                          "-target",
                                          "--target",
                                          "--sysroot",
                                          "--param",
                                          "-param",
                                          "-rpath",
                                          "-aux-info",
                                          "-dumpbase",
                                          "-dumpdir",
                                          "-dumpbase-ext",
                                          "-wrapper",
                                          "-resource-dir",
                                          "-framework",
                                          "--include",
                                          "-install_name",
                                          "-serialize-diagnostics",
                                          "--serialize-diagnostics",
                                          "-working-directory",
                                          "--output",
                                          "-main-file-name",
                                          "-gcc-toolchain",
                                          "-mthread-model",
                                          "--config"};

/* With one of these clang does not make an object file of ours. */
static const char *const passes[] = {"-E",
                                     "-S",
                                     "-M",
                                     "-MM",
                                     "-###",
                                     "-fsyntax-only",
                                     "-emit-llvm",
                                     "-emit-ast",
                                     "--analyze",
                                     "--precompile",
                                     "-cc1",
                                     "-cc1as",
                                     "--version",
                                     "--help",
                                     "-dumpversion",
                                     "-dumpfullversion",
                                     "-dumpmachine",
                                     "-dumpspecs",
                                     "-m32",
                                     "-mx32",
                                     "-m16",
                                     "-fopenmp-targets",
                                     "-help",
                                     "-target-help",
                                     "--target-help",
                                     "-ccc-print-phases",
                                     "-rewrite-objc",
                                     "-emit-pch",
                                     "-module-file-info",
                                     "-V",
                                     "--preprocess",
                                     "--assemble"};

static const char *const pass_prefixes[] = {"-print-", "--print-", "--help", "-ccc-"};

/* Objects are native and hold all there is to know about them. */
static const char *const dropped_prefixes[] = {"-flto",
                                               "-fno-lto",
                                               "-fuse-linker-plugin",
                                               "-ffat-lto-objects",
                                               "-fno-fat-lto-objects",
                                               "-fthinlto",
                                               "-fsplit-lto-unit",
                                               "-fwhole-program",
                                               "-gsplit-dwarf",
                                               "-fembed-bitcode",
                                               "-fsanitize=address",
                                               "-fsanitize=thread",
                                               "-fsanitize=memory",
                                               "-fsanitize=leak",
                                               "-fsanitize-coverage"};

/* Inputs by the end of their name. */
static const char *const c_suffixes[] = {".c",   ".i",   ".cc",  ".cp", ".cxx",
                                         ".cpp", ".CPP", ".c++", ".C",  ".ii"};
static const char *const native_suffixes[] = {".s", ".S", ".sx", ".asm", ".ll", ".bc"};
static const char *const pass_suffixes[] = {".h",  ".hh", ".hpp", ".hxx", ".H",  ".m",
                                            ".mm", ".mi", ".f",   ".f90", ".cu", ".cl"};
static const char *const c_languages[] = {"c", "cpp-output", "c++", "c++-cpp-output"};
static const char *const native_languages[] = {"assembler", "assembler-with-cpp"};

static bool is_in(const char *const *list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool starts_any(const char *const *list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (starts(text, list[i]))
            return true;
    return false;
}

static bool ends_any(const char *const *list, size_t n, const char *text)
{
    const char *slash = strrchr(text, '/');
    const char *dot = strrchr(slash ? slash : text, '.');
    return dot && is_in(list, n, dot);
}

/* --- response files --- */

/* Appends the words of a response file: quotes group, a backslash keeps the next. */
static void split_words(const char *text, ins_text_vec *out)
{
    td_text word = {0};
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text == 0)
            break;
        char quote = 0;
        td_text_put(&word, "", 0);
        for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
            if (*text == '\\' && text[1])
                td_text_put(&word, ++text, 1);
            else if (quote ? *text == quote : *text == '"' || *text == '\'')
                quote = quote ? 0 : *text;
            else
                td_text_put(&word, text, 1);
        }
        ins_text_vec_push(out, td_strdup(word.at ? word.at : ""));
        td_text_clear(&word);
    }
    td_text_fini(&word);
}

/* Appends arg, or what the response file it names holds. What cannot be read is clang's
 * to complain about. */
static void expand(ins_command *c, char *arg, ins_text_vec *out, int depth)
{
    TD_ASSERT(depth <= RESPONSE_DEPTH);
    td_text text = {0};
    td_diag diag = {0};
    bool read = arg[0] == '@' && depth < RESPONSE_DEPTH &&
                td_file_read(arg + 1, RESPONSE_LIMIT, &text, &diag) == TD_OK;
    if (!read) {
        ins_text_vec_push(out, arg);
        td_text_fini(&text);
        return;
    }
    size_t first = c->owned.len;
    split_words(text.at ? text.at : "", &c->owned);
    td_text_fini(&text);
    size_t end = c->owned.len;
    for (size_t i = first; i < end; i++)
        expand(c, c->owned.at[i], out, depth + 1);
}

/* --- inputs --- */

static bool is_configure_test(const char *path)
{
    const char *slash = strrchr(path, '/');
    return starts(slash ? slash + 1 : path, "conftest.");
}

/* The role of an input; the stage becomes PASS where we cannot help. */
static ins_role input_role(ins_command *c, const char *path, const char *language)
{
    bool source = language ? is_in(c_languages, N_OF(c_languages), language)
                           : ends_any(c_suffixes, N_OF(c_suffixes), path);
    if (source)
        return is_configure_test(path) ? INS_ROLE_NATIVE : INS_ROLE_SOURCE;
    bool native = language ? is_in(native_languages, N_OF(native_languages), language)
                           : ends_any(native_suffixes, N_OF(native_suffixes), path);
    if (native)
        return INS_ROLE_NATIVE;
    if (language || strcmp(path, "-") == 0 ||
        ends_any(pass_suffixes, N_OF(pass_suffixes), path))
        c->stage = INS_STAGE_PASS;
    return INS_ROLE_OBJECT;
}

static void add_input(ins_command *c, const char *path, const char *language)
{
    ins_role role = input_role(c, path, language);
    c->n_sources += role == INS_ROLE_SOURCE;
    c->n_natives += role == INS_ROLE_NATIVE;
    c->n_objects += role == INS_ROLE_OBJECT;
    ins_arg_vec_push(&c->args, (ins_arg){role, path, NULL, language});
}

/* --- options --- */

static void note_level(ins_command *c, const char *text)
{
    static const char digits[] = "0123456789";
    c->for_size = text[0] == 's' || text[0] == 'z';
    if (strcmp(text, "g") == 0 || text[0] == 0)
        c->level = 1;
    else if (text[0] && strchr(digits, text[0]))
        c->level = text[0] < '3' ? (unsigned)(text[0] - '0') : 3;
    else
        c->level = strcmp(text, "fast") == 0 ? 3 : 2;
}

static void note_debug(ins_command *c, const char *text)
{
    static const char *const full[] = {"",        "2",    "3",       "dwarf",   "gdb",
                                       "gdb2",    "gdb3", "dwarf-2", "dwarf-3", "dwarf-4",
                                       "dwarf-5", "full", "lldb",    "modules"};
    if (is_in(full, N_OF(full), text))
        c->debug = INS_DEBUG_FULL;
    else if (strcmp(text, "0") == 0 || strcmp(text, "gdb0") == 0)
        c->debug = INS_DEBUG_NONE;
    else if (strcmp(text, "1") == 0 || strcmp(text, "gdb1") == 0 ||
             strcmp(text, "line-tables-only") == 0 || strcmp(text, "mlt") == 0)
        c->debug = INS_DEBUG_LINES;
}

static void note_linking(ins_command *c, const char *text, const char *value)
{
    static const char *const relocatable[] = {"-r", "-Wl,-r", "-Wl,--relocatable",
                                              "-Wl,-i", "--relocatable"};
    if (is_in(relocatable, N_OF(relocatable), text) ||
        (value && strcmp(text, "-Xlinker") == 0 && strcmp(value, "-r") == 0))
        c->link = INS_LINK_RELOCATABLE;
    else if (strcmp(text, "-shared") == 0 || strcmp(text, "--shared") == 0)
        c->link = INS_LINK_SHARED;
    else if (strcmp(text, "-static") == 0 || strcmp(text, "--static") == 0 ||
             strcmp(text, "-static-pie") == 0)
        c->is_static = true;
    else if (strcmp(text, "--driver-mode=g++") == 0)
        c->is_cxx = true;
    else if (strncmp(text, "-stdlib=", 8) == 0)
        c->is_libcxx = strcmp(text + 8, "libc++") == 0;
    else if (strcmp(text, "-fuse-ld=gold") == 0)
        c->plain_linker = true;
}

static void note_sections(ins_command *c, const char *text)
{
    if (strcmp(text, "-ffunction-sections") == 0)
        c->function_sections = true;
    else if (strcmp(text, "-fno-function-sections") == 0)
        c->function_sections = false;
    else if (strcmp(text, "-fdata-sections") == 0)
        c->data_sections = true;
    else if (strcmp(text, "-fno-data-sections") == 0)
        c->data_sections = false;
}

/* Whether a list of sanitizers has that of fuzz targets; is_engine: with a main. */
static bool is_fuzzer(const char *text, bool *is_engine)
{
    static const char option[] = "-fsanitize=", name[] = "fuzzer", no_link[] = "-no-link";
    bool is = false;
    *is_engine = false;
    if (!starts(text, option))
        return false;
    for (const char *at = text + strlen(option); *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        bool is_bare = n == strlen(name);
        if (starts(at, name) && (is_bare || starts(at + strlen(name), no_link)))
            is = true;
        *is_engine |= starts(at, name) && is_bare;
        at += n;
    }
    return is;
}

/* --- options of treadle cc itself --- */

#define VOLATILE_OPTION "--volatile"
#define INPUTS_OPTION "--inputs"

bool ins_is_ours(const char *arg)
{
    return starts(arg, VOLATILE_OPTION "=") || strcmp(arg, VOLATILE_OPTION) == 0 ||
           strcmp(arg, INPUTS_OPTION) == 0;
}

static void note_ours(ins_command *c, const char *text)
{
    TD_ASSERT(ins_is_ours(text));
    static const char *const readings[] = {[INS_VOLATILE_PLAIN] = "plain",
                                           [INS_VOLATILE_RELAXED] = "relaxed",
                                           [INS_VOLATILE_ATOMIC] = "atomic"};
    const char *value = strchr(text, '=');
    if (strcmp(text, INPUTS_OPTION) == 0) {
        c->inputs = true;
        return;
    }
    for (size_t i = 0; value && i < N_OF(readings); i++)
        if (strcmp(value + 1, readings[i]) == 0) {
            c->volatiles = (ins_volatile)i;
            return;
        }
    c->wrong = text;
}

static void note_option(ins_command *c, const char *text, const char *value)
{
    if (starts(text, "-O"))
        note_level(c, text + 2);
    else if (starts(text, "-g"))
        note_debug(c, text + 2);
    else if (strcmp(text, "-MD") == 0 || strcmp(text, "-MMD") == 0)
        c->writes_deps = true;
    else if (starts(text, "-MF"))
        c->names_deps = true;
    else if (starts(text, "-MT") || starts(text, "-MQ"))
        c->names_target = true;
    else if (starts(text, "-target") || starts(text, "--target"))
        c->stage = INS_STAGE_PASS;
    note_linking(c, text, value);
    note_sections(c, text);
}

static ins_role option_role(const char *text)
{
    if (strcmp(text, "-c") == 0 || strcmp(text, "--compile") == 0)
        return INS_ROLE_STAGE;
    if (strcmp(text, "--output") == 0 || (starts(text, "-o") && !starts(text, "-objc")))
        return INS_ROLE_OUTPUT;
    if (starts(text, "-x"))
        return INS_ROLE_LANGUAGE;
    if (starts(text, "-Wa,") || strcmp(text, "-Xassembler") == 0)
        return INS_ROLE_ASSEMBLER;
    bool is_engine = false;
    if (starts_any(dropped_prefixes, N_OF(dropped_prefixes), text) || ins_is_ours(text) ||
        is_fuzzer(text, &is_engine))
        return INS_ROLE_DROPPED;
    return INS_ROLE_OPTION;
}

static bool is_pass(const char *text)
{
    return is_in(passes, N_OF(passes), text) ||
           starts_any(pass_prefixes, N_OF(pass_prefixes), text);
}

/* The operand of an option written in one word ("-ofile") or in two. */
static const char *operand(const char *text, const char *value)
{
    return value ? value : text + 2;
}

static void add_option(ins_command *c, const char *text, const char *value,
                       const char **language)
{
    ins_role role = option_role(text);
    bool is_engine = false;
    if (ins_is_ours(text))
        note_ours(c, text);
    if (is_fuzzer(text, &is_engine))
        c->is_fuzzed |= is_engine;
    if (is_pass(text))
        c->stage = INS_STAGE_PASS;
    else if (role == INS_ROLE_STAGE && c->stage == INS_STAGE_LINK)
        c->stage = INS_STAGE_COMPILE;
    else if (role == INS_ROLE_OUTPUT)
        c->output = operand(text, value);
    else if (role == INS_ROLE_LANGUAGE) {
        *language = operand(text, value);
        if (strcmp(*language, "none") == 0)
            *language = NULL;
    } else if (role == INS_ROLE_OPTION)
        note_option(c, text, value);
    ins_arg_vec_push(&c->args, (ins_arg){role, text, value, NULL});
}

static void sort_words(ins_command *c, const ins_text_vec *words)
{
    const char *language = NULL;
    bool options = true;
    for (size_t i = 0; i < words->len; i++) {
        char *text = words->at[i];
        if (!options || text[0] != '-' || text[1] == 0) {
            add_input(c, text, language);
            continue;
        }
        if (strcmp(text, "--") == 0) {
            options = false;
            continue;
        }
        bool two = is_in(takes_value, N_OF(takes_value), text) && i + 1 < words->len;
        add_option(c, text, two ? words->at[++i] : NULL, &language);
    }
}

void ins_command_init(ins_command *c, int argc, char **argv)
{
    ins_text_vec words = {0};
    *c = (ins_command){.stage = INS_STAGE_LINK};
    for (int i = 1; i < argc; i++)
        expand(c, argv[i], &words, 0);
    sort_words(c, &words);
    ins_text_vec_fini(&words);
    TD_ASSERT(c->n_sources + c->n_natives + c->n_objects <= c->args.len && c->level <= 3);
    bool compiles = c->n_sources > 0;
    if (c->n_sources + c->n_natives + c->n_objects == 0 ||
        (c->stage == INS_STAGE_COMPILE && !compiles) ||
        (c->output && strcmp(c->output, "-") == 0))
        c->stage = INS_STAGE_PASS;
}

void ins_command_fini(ins_command *c)
{
    for (size_t i = 0; i < c->owned.len; i++)
        td_free(c->owned.at[i]);
    ins_text_vec_fini(&c->owned);
    ins_arg_vec_fini(&c->args);
}

void ins_object_name(const char *input, const char *suffix, td_text *out)
{
    const char *slash = strrchr(input, '/');
    const char *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    td_text_put(out, base, stem);
    td_text_add(out, "%s", suffix);
}
