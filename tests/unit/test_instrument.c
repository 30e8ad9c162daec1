/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of instrument/: what a compiler command line asks for. The module pipeline is
 * tested through the driver, in tests/cc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>

#include "instrument/args.h"
#include "instrument/instrument.h"
#include "instrument/kept_bitcode.h"
#include "instrument/pointer_map.h"

#define MAX_WORDS 40

/* A command from one text, words separated by blanks. */
typedef struct parsed {
    ins_command command;
    char text[512];
    char *argv[MAX_WORDS];
} parsed;

static parsed *parse(const char *text)
{
    parsed *p = calloc(1, sizeof *p);
    int argc = 0;
    p->argv[argc++] = (char *)"cc";
    snprintf(p->text, sizeof p->text, "%s", text);
    for (char *word = strtok(p->text, " "); word; word = strtok(NULL, " "))
        p->argv[argc++] = word;
    ins_command_init(&p->command, argc, p->argv);
    return p;
}

static void drop(parsed *p)
{
    ins_command_fini(&p->command);
    free(p);
}

static ins_stage stage_of(const char *text)
{
    parsed *p = parse(text);
    ins_stage stage = p->command.stage;
    drop(p);
    return stage;
}

static void stage_follows_the_options(void **state)
{
    static const char *const pass[] = {"",
                                       "--version",
                                       "-v",
                                       "-E a.c",
                                       "-S a.c",
                                       "-M a.c",
                                       "-MM a.c",
                                       "-### a.c",
                                       "-c a.s",
                                       "-c conftest.c",
                                       "-m32 a.c",
                                       "-print-libgcc",
                                       "-c a.c -o -",
                                       "-x c-header a.h",
                                       "a.h",
                                       "-c a.o",
                                       "-dumpmachine",
                                       "-fsyntax-only a.c",
                                       "-c -emit-llvm a.c",
                                       "--target=arm-none-eabi -c a.c",
                                       "-"};
    for (size_t i = 0; i < sizeof pass / sizeof pass[0]; i++)
        assert_int_equal(stage_of(pass[i]), INS_STAGE_PASS);
    assert_int_equal(stage_of("-c a.c"), INS_STAGE_COMPILE);
    assert_int_equal(stage_of("-MD -c a.c -MF x.d"), INS_STAGE_COMPILE);
    assert_int_equal(stage_of("-c a.c up.s"), INS_STAGE_COMPILE);
    assert_int_equal(stage_of("-x c -c -"), INS_STAGE_COMPILE);
    assert_int_equal(stage_of("a.o -lm"), INS_STAGE_LINK);
    assert_int_equal(stage_of("a.c b.o -o p"), INS_STAGE_LINK);
    assert_int_equal(stage_of("conftest.c -o conftest"), INS_STAGE_LINK);
}

static void values_of_options_are_no_inputs(void **state)
{
    parsed *p = parse("-I include -include a.h -MF x.d -MT b.c -Xlinker c.c -o d.c e.c");
    assert_int_equal(p->command.n_sources, 1);
    assert_int_equal(p->command.n_objects, 0);
    assert_string_equal(p->command.output, "d.c");
    assert_true(p->command.names_deps);
    assert_true(p->command.names_target);
    drop(p);
}

static void language_holds_until_the_next(void **state)
{
    parsed *p = parse("-x c a.txt -x none b.o -xassembler c.txt -xnone d.c");
    assert_int_equal(p->command.n_sources, 2);
    assert_int_equal(p->command.n_natives, 1);
    assert_int_equal(p->command.n_objects, 1);
    assert_string_equal(p->command.args.at[1].language, "c");
    assert_null(p->command.args.at[3].language);
    drop(p);
}

static void last_level_counts(void **state)
{
    static const struct {
        const char *text;
        unsigned level;
        bool for_size;
    } cases[] = {{"a.c", 0, false},        {"-O a.c", 1, false},
                 {"-O2 a.c", 2, false},    {"-O3 -O0 a.c", 0, false},
                 {"-Os a.c", 2, true},     {"-Og a.c", 1, false},
                 {"-Ofast a.c", 3, false}, {"-O9 a.c", 3, false},
                 {"-Oz -O2 a.c", 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parsed *p = parse(cases[i].text);
        assert_int_equal(p->command.level, cases[i].level);
        assert_int_equal(p->command.for_size, cases[i].for_size);
        drop(p);
    }
}

static void last_debug_option_counts(void **state)
{
    static const struct {
        const char *text;
        ins_debug debug;
    } cases[] = {{"a.c", INS_DEBUG_NONE},
                 {"-g a.c", INS_DEBUG_FULL},
                 {"-g -g0 a.c", INS_DEBUG_NONE},
                 {"-g1 a.c", INS_DEBUG_LINES},
                 {"-ggdb3 a.c", INS_DEBUG_FULL},
                 {"-gdwarf-4 a.c", INS_DEBUG_FULL},
                 {"-g -gz a.c", INS_DEBUG_FULL},
                 {"-g -gno-column-info a.c", INS_DEBUG_FULL},
                 {"-gline-tables-only a.c", INS_DEBUG_LINES}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parsed *p = parse(cases[i].text);
        assert_int_equal(p->command.debug, cases[i].debug);
        drop(p);
    }
}

static ins_link link_of(const char *text)
{
    parsed *p = parse(text);
    ins_link link = p->command.link;
    drop(p);
    return link;
}

static void kind_of_link(void **state)
{
    assert_int_equal(link_of("a.o"), INS_LINK_PROGRAM);
    assert_int_equal(link_of("-shared a.o"), INS_LINK_SHARED);
    assert_int_equal(link_of("-r a.o"), INS_LINK_RELOCATABLE);
    assert_int_equal(link_of("-Wl,-r a.o"), INS_LINK_RELOCATABLE);
    assert_int_equal(link_of("-Xlinker -r a.o"), INS_LINK_RELOCATABLE);
    assert_int_equal(link_of("-rdynamic a.o"), INS_LINK_PROGRAM);
}

static void whole_program_optimisation_is_dropped(void **state)
{
    parsed *p = parse("-flto=auto -fno-fat-lto-objects -O2 -c a.c");
    assert_int_equal(p->command.args.at[0].role, INS_ROLE_DROPPED);
    assert_int_equal(p->command.args.at[1].role, INS_ROLE_DROPPED);
    assert_int_equal(p->command.args.at[2].role, INS_ROLE_OPTION);
    drop(p);
}

static void response_files_are_read(void **state)
{
    char path[] = "/tmp/treadle-test-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "-c \"my file.c\"\n -DX='a b' -DY=\\\"q\\\" \"\"\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    char arg[64];
    snprintf(arg, sizeof arg, "-O2 @%s", path);
    parsed *p = parse(arg);
    assert_int_equal(p->command.stage, INS_STAGE_COMPILE);
    assert_string_equal(p->command.args.at[2].text, "my file.c");
    assert_string_equal(p->command.args.at[3].text, "-DX=a b");
    assert_string_equal(p->command.args.at[4].text, "-DY=\"q\"");
    drop(p);
    unlink(path);
}

static void objects_are_named_after_inputs(void **state)
{
    static const char *const cases[][2] = {{"a.c", "a.o"},
                                           {"dir.x/a", "a.o"},
                                           {"d/e/f.tar.c", "f.tar.o"},
                                           {"-", "-.o"},
                                           {".c", ".c.o"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        td_text name = {0};
        ins_object_name(cases[i][0], ".o", &name);
        assert_string_equal(name.at, cases[i][1]);
        td_text_fini(&name);
    }
}

static void map_finds_what_was_put(void **state)
{
    static char keys[5000];
    ins_map m = {0};
    assert_null(ins_map_get(&m, keys));
    for (size_t i = 0; i < sizeof keys; i++)
        ins_map_put(&m, &keys[i], &keys[sizeof keys - 1 - i]);
    for (size_t i = 0; i < sizeof keys; i++)
        assert_ptr_equal(ins_map_get(&m, &keys[i]), &keys[sizeof keys - 1 - i]);
    ins_map_put(&m, &keys[7], NULL);
    assert_null(ins_map_get(&m, &keys[7]));
    assert_int_equal(m.len, sizeof keys);
    ins_map_clear(&m);
    assert_null(ins_map_get(&m, &keys[8]));
    ins_map_fini(&m);
}

static void bad_bitcode_is_refused(void **state)
{
    char path[] = "/tmp/treadle-test-XXXXXX";
    int fd = mkstemp(path);
    td_diag diag = {0};
    const ins_opts opts = {.inline_bc = "none"};
    assert_int_equal(write(fd, "not bitcode", 11), 11);
    close(fd);
    assert_int_not_equal(ins_object(path, path, &opts, &diag), TD_OK);
    assert_non_null(strstr(diag.text, "nvalid bitcode"));
    unlink(path);
    diag = (td_diag){0};
    assert_int_not_equal(ins_object(path, path, &opts, &diag), TD_OK);
    assert_non_null(strstr(diag.text, "cannot read"));
}

/* An object with a section of names, one of bitcode, and one that says that it makes inputs. */
enum {
    N_SECTIONS = 4,
    NAMES_AT = 64 + 4 * 64,
    BITCODE_AT = NAMES_AT + 40,
    OBJECT = BITCODE_AT + 24 + 5
};

static void make_object(char *out)
{
    static const char names[40] = "\0.treadle.bitcode\0.treadle.inputs";
    Elf64_Ehdr e = {.e_ident = ELFMAG,
                    .e_type = ET_REL,
                    .e_shoff = 64,
                    .e_shentsize = 64,
                    .e_shnum = N_SECTIONS,
                    .e_shstrndx = 1};
    e.e_ident[EI_CLASS] = ELFCLASS64;
    const Elf64_Shdr s[N_SECTIONS] = {
        [1] = {.sh_type = SHT_STRTAB, .sh_offset = NAMES_AT, .sh_size = sizeof names},
        [2] = {.sh_name = 1,
               .sh_type = SHT_PROGBITS,
               .sh_offset = BITCODE_AT,
               .sh_size = 24 + 5},
        [3] = {.sh_name = 18, .sh_type = SHT_PROGBITS}};
    const uint64_t size = 5;
    memcpy(out, &e, sizeof e);
    memcpy(out + 64, s, sizeof s);
    memcpy(out + NAMES_AT, names, sizeof names);
    memcpy(out + BITCODE_AT, "treadle2\2\0\1\0\1\2\0\0", 16);
    memcpy(out + BITCODE_AT + 16, &size, 8);
    memcpy(out + BITCODE_AT + 24, "BCxyz", 5);
}

static void objects_say_what_they_keep(void **state)
{
    char *bytes = malloc(OBJECT);
    ins_kept kept;
    make_object(bytes);
    ins_kept_look(bytes, OBJECT, &kept);
    assert_true(kept.is_light && kept.makes_inputs);
    assert_int_equal(kept.size, 5);
    assert_memory_equal(kept.packed, "BCxyz", 5);
    assert_int_equal(kept.opts.level, 2);
    assert_true(kept.opts.keep_debug && kept.opts.data_sections);
    assert_false(kept.opts.for_size || kept.opts.function_sections);
    assert_int_equal(kept.opts.volatiles, INS_VOLATILE_ATOMIC);
    bytes[BITCODE_AT + 16] = 4; /* something follows: two objects in one */
    ins_kept_look(bytes, OBJECT, &kept);
    assert_true(kept.is_light && kept.packed == NULL);
    free(bytes);
}

/* Whatever is in the file, nothing outside of it is looked at. */
static void broken_objects_are_harmless(void **state)
{
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    ins_kept kept;
    for (size_t len = 0; len <= OBJECT; len++) {
        char *bytes = malloc(OBJECT);
        make_object(bytes);
        char *cut = malloc(len + 1);
        memcpy(cut, bytes, len);
        ins_kept_look(cut, len, &kept);
        assert_true(kept.packed == NULL || len == OBJECT);
        free(cut);
        for (size_t i = 0; len < OBJECT && i < sizeof values; i++) {
            bytes[len] = (char)values[i];
            ins_kept_look(bytes, OBJECT, &kept);
            assert_true(kept.packed == NULL ||
                        (kept.packed >= bytes &&
                         kept.size <= (size_t)(bytes + OBJECT - kept.packed)));
        }
        free(bytes);
    }
}

/* What was packed comes back; what was changed, cut or never packed is refused or comes back whole. */
static void packed_bitcode_comes_back(void **state)
{
    char path[] = "/tmp/treadle-packed-XXXXXX";
    char bytes[4096];
    td_diag diag = {0};
    td_text packed = {0}, out = {0};
    int fd = mkstemp(path);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i / 64);
    assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    close(fd);
    assert_int_equal(ins_kept_pack(path, &diag), TD_OK);
    assert_int_equal(td_file_read(path, SIZE_MAX, &packed, &diag), TD_OK);
    assert_true(packed.len < sizeof bytes / 4);
    ins_kept kept = {.packed = packed.at, .size = packed.len};
    assert_int_equal(ins_kept_unpack(&kept, &out, &diag), TD_OK);
    assert_int_equal(out.len, sizeof bytes);
    assert_memory_equal(out.at, bytes, sizeof bytes);
    td_text_clear(&out);
    for (kept.size = 0; kept.size < packed.len; kept.size++) {
        assert_int_not_equal(ins_kept_unpack(&kept, &out, &diag), TD_OK);
        assert_int_equal(out.len, 0);
    }
    for (size_t i = 0; i < packed.len; i++) {
        packed.at[i] ^= 0x55;
        if (ins_kept_unpack(&kept, &out, &diag) != TD_OK)
            assert_int_equal(out.len, 0);
        td_text_clear(&out);
        packed.at[i] ^= 0x55;
    }
    kept = (ins_kept){.packed = "BCxyz", .size = 5};
    assert_int_not_equal(ins_kept_unpack(&kept, &out, &diag), TD_OK);
    assert_non_null(strstr(diag.text, "broken"));
    td_text_fini(&packed);
    td_text_fini(&out);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage_follows_the_options),
        cmocka_unit_test(values_of_options_are_no_inputs),
        cmocka_unit_test(language_holds_until_the_next),
        cmocka_unit_test(last_level_counts),
        cmocka_unit_test(last_debug_option_counts),
        cmocka_unit_test(kind_of_link),
        cmocka_unit_test(whole_program_optimisation_is_dropped),
        cmocka_unit_test(response_files_are_read),
        cmocka_unit_test(objects_are_named_after_inputs),
        cmocka_unit_test(map_finds_what_was_put),
        cmocka_unit_test(bad_bitcode_is_refused),
        cmocka_unit_test(objects_say_what_they_keep),
        cmocka_unit_test(broken_objects_are_harmless),
        cmocka_unit_test(packed_bitcode_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
