/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of inline assembly: constraints become operands, the template becomes steps. The
 * syntax is that of AT&T, with LLVM's $0, ${0:b}, $$ and $(one syntax$|the other$). */
#include "instrument/asm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A piece of text. */
typedef struct span {
    const char *at;
    size_t len;
} span;

static bool is(span s, const char *text)
{
    return s.len == strlen(text) && memcmp(s.at, text, s.len) == 0;
}

static bool starts(span s, const char *text)
{
    return s.len >= strlen(text) && memcmp(s.at, text, strlen(text)) == 0;
}

static span skip(span s, size_t n)
{
    return n < s.len ? (span){s.at + n, s.len - n} : (span){s.at + s.len, 0};
}

static span trim(span s)
{
    while (s.len > 0 && isspace((unsigned char)s.at[0]))
        s = skip(s, 1);
    while (s.len > 0 && isspace((unsigned char)s.at[s.len - 1]))
        s.len--;
    return s;
}

/* What comes before the first of these characters; rest is what follows it. */
static span cut(span s, const char *ends, span *rest)
{
    size_t n = 0;
    while (n < s.len && !strchr(ends, s.at[n]))
        n++;
    *rest = skip(s, n + 1);
    return (span){s.at, n};
}

/* A number at the start, which is all of it if whole. */
static bool read_number(span *s, int64_t *value)
{
    char copy[24] = {0}, *end = NULL;
    size_t n = s->len < sizeof copy - 1 ? s->len : sizeof copy - 1;
    memcpy(copy, s->at, n);
    if (copy[0] != '-' && copy[0] != '+' && !isdigit((unsigned char)copy[0]))
        return false;
    *value = strtoll(copy, &end, 0);
    if (end == copy)
        return false;
    *s = skip(*s, (size_t)(end - copy));
    return true;
}

/* --- registers --- */

/* Returns the number of the register with this name, and its width; -1 if it is not one of the 16. */
static int find_register(span s, unsigned *bits, bool *is_high)
{
    static const char *const words[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    static const char *const bytes[] = {"al",  "cl",  "dl", "bl", "spl", "bpl",
                                        "sil", "dil", "ah", "ch", "dh",  "bh"};
    *is_high = false;
    for (unsigned i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        if (is(s, bytes[i])) {
            *bits = 8;
            *is_high = i >= 8;
            return (int)(i < 8 ? i : i - 8);
        }
    int64_t number = 0;
    span rest = skip(s, 1);
    if (starts(s, "r") && read_number(&rest, &number) && number >= 8 && number < 16) {
        *bits = is(rest, "") ? 64 : is(rest, "d") ? 32 : is(rest, "w") ? 16 : 8;
        return rest.len == 0 || (rest.len == 1 && strchr("dwb", rest.at[0])) ? (int)number
                                                                             : -1;
    }
    *bits = starts(s, "r") ? 64 : starts(s, "e") ? 32 : 16;
    span stem = *bits == 16 ? s : skip(s, 1);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(stem, words[i]))
            return (int)i;
    return -1;
}

/* --- conditions --- */

static enum ins_asm_condition find_condition(span s)
{
    static const char *const names[][4] = {
        [INS_ASM_ZERO] = {"z", "e"},
        [INS_ASM_NOT_ZERO] = {"nz", "ne"},
        [INS_ASM_CARRY] = {"c", "b", "nae"},
        [INS_ASM_NOT_CARRY] = {"nc", "ae", "nb"},
        [INS_ASM_SIGN] = {"s"},
        [INS_ASM_NOT_SIGN] = {"ns"},
        [INS_ASM_BELOW_EQUAL] = {"be", "na"},
        [INS_ASM_ABOVE] = {"a", "nbe"},
        [INS_ASM_LESS] = {"l", "nge"},
        [INS_ASM_NOT_LESS] = {"ge", "nl"},
        [INS_ASM_LESS_EQUAL] = {"le", "ng"},
        [INS_ASM_GREATER] = {"g", "nle"},
    };
    for (unsigned i = 0; i < INS_ASM_N_CONDITIONS; i++)
        for (unsigned k = 0; k < 4 && names[i][k]; k++)
            if (is(s, names[i][k]))
                return (enum ins_asm_condition)i;
    return INS_ASM_N_CONDITIONS;
}

/* --- constraints --- */

/* {ax}, or {@ccz}. */
static void read_fixed(ins_asm_operand *o, span s)
{
    unsigned bits = 0;
    bool is_high = false;
    if (starts(s, "@cc")) {
        o->is_flag = true;
        o->condition = find_condition(skip(s, 3));
        return;
    }
    o->reg = find_register(s, &bits, &is_high);
    o->is_strange = o->reg < 0;
}

static void read_letters(ins_asm_operand *o, span s)
{
    int64_t number = 0;
    span rest = s;
    if (s.len > 0 && isdigit((unsigned char)s.at[0]) && read_number(&rest, &number)) {
        o->tied = (int)number;
        return;
    }
    for (size_t i = 0; i < s.len; i++) {
        if (strchr("rqQRlg", s.at[i]))
            o->may_be_register = true;
        else if (strchr("xvytukpYA", s.at[i]))
            o->is_strange = true;
    }
}

static void read_operand(ins_asm *a, span s, int *n_arguments, int *n_results)
{
    if (a->n_operands == INS_ASM_OPERANDS_MAX) {
        a->is_readable = false;
        return;
    }
    ins_asm_operand *o = &a->operands[a->n_operands++];
    *o = (ins_asm_operand){.tied = -1, .reg = -1, .argument = -1, .result = -1};
    o->is_output = starts(s, "=");
    for (; s.len > 0 && strchr("=&%*", s.at[0]); s = skip(s, 1))
        o->is_indirect |= s.at[0] == '*';
    if (o->is_output && !o->is_indirect)
        o->result = (*n_results)++;
    else
        o->argument = (*n_arguments)++;
    span rest;
    if (starts(s, "{"))
        read_fixed(o, cut(skip(s, 1), "}", &rest));
    else
        read_letters(o, s);
    bool ties = o->tied < 0 || (!o->is_output && (unsigned)o->tied < a->n_operands - 1 &&
                                a->operands[o->tied].is_output);
    a->is_readable = a->is_readable && ties;
    if (!ties)
        o->tied = -1; /* it names no operand */
}

static void read_constraints(ins_asm *a, span s)
{
    int n_arguments = 0, n_results = 0;
    span rest;
    for (; s.len > 0; s = rest) {
        span one = cut(s, ",", &rest);
        if (starts(one, "~"))
            a->has_memory_clobber |= is(one, "~{memory}");
        else if (starts(one, "!"))
            a->has_labels = true;
        else
            read_operand(a, one, &n_arguments, &n_results);
    }
}

/* --- the template, cleaned --- */

/* Copies the template without comments, and of $(one$|other$) the first. False: it is too long. */
static bool clean(ins_asm *a, const char *s)
{
    size_t n = 0;
    bool drops = false;
    while (*s) {
        if (s[0] == '$' && strchr("(|)", s[1]) && s[1]) {
            drops = s[1] == '|' || (drops && s[1] != ')');
            s += 2;
        } else if (s[0] == '/' && s[1] == '*') {
            const char *end = strstr(s + 2, "*/");
            s = end ? end + 2 : s + strlen(s);
        } else if (s[0] == '#') {
            s += strcspn(s, "\n");
        } else {
            size_t step = s[0] == '$' && s[1] == '$' ? 2 : 1;
            if (!drops && n + 3 > sizeof a->text)
                return false;
            for (size_t i = 0; i < step && !drops; i++)
                a->text[n++] = s[i];
            s += step;
        }
    }
    a->text[n] = '\0';
    return true;
}

/* --- arguments --- */

/* $0 or ${0:b}: what follows it is left in s. */
static bool read_reference(span *s, unsigned *number, char *modifier)
{
    int64_t value = 0;
    *modifier = '\0';
    span rest = skip(*s, 1);
    if (!starts(*s, "$") || rest.len == 0)
        return false;
    if (rest.at[0] != '{') {
        *s = rest;
        if (!isdigit((unsigned char)rest.at[0]) || !read_number(s, &value))
            return false;
        *number = (unsigned)value;
        return true;
    }
    span inner = cut(skip(rest, 1), "}", s);
    if (inner.len == 0 || !isdigit((unsigned char)inner.at[0]) ||
        !read_number(&inner, &value))
        return false;
    *number = (unsigned)value;
    if (inner.len == 2 && inner.at[0] == ':')
        *modifier = inner.at[1];
    return inner.len == 0 || *modifier;
}

/* Gives the meaning of ${0:b} to an argument; false: not known. */
static bool modify(ins_asm_arg *arg, char modifier)
{
    switch (modifier) {
    case '\0':
        return true;
    case 'b':
        arg->bits = 8;
        return true;
    case 'h':
        arg->bits = 8;
        return arg->is_high = true;
    case 'w':
        arg->bits = 16;
        return true;
    case 'k':
        arg->bits = 32;
        return true;
    case 'q':
        arg->bits = 64;
        return true;
    case 'a':
        arg->where = INS_ASM_AT_OPERAND;
        return true;
    case 'H':
        arg->value += 8;
        return true;
    default:
        return false;
    }
}

/* (%rax) or ($0), after a displacement. */
static bool read_base(ins_asm_arg *arg, span s)
{
    span rest;
    span base = trim(cut(skip(s, 1), ")", &rest));
    char modifier = '\0';
    if (rest.len > 0)
        return false;
    if (starts(base, "%")) {
        int reg = find_register(skip(base, 1), &arg->bits, &arg->is_high);
        arg->where = INS_ASM_AT_REGISTER;
        arg->number = (unsigned)reg;
        return reg >= 0 && arg->bits == 64;
    }
    arg->where = INS_ASM_AT_OPERAND;
    return read_reference(&base, &arg->number, &modifier) && base.len == 0 &&
           (modifier == '\0' || modifier == 'q');
}

static bool read_register(ins_asm_arg *arg, span s)
{
    int reg = find_register(s, &arg->bits, &arg->is_high);
    arg->where = INS_ASM_REGISTER;
    arg->number = (unsigned)reg;
    return reg >= 0;
}

static bool read_immediate(ins_asm_arg *arg, span s)
{
    arg->where = INS_ASM_IMMEDIATE;
    return read_number(&s, &arg->value) && s.len == 0;
}

/* A displacement, then an operand in memory, or the base of an address. */
static bool read_displaced(ins_asm_arg *arg, span s)
{
    char modifier = '\0';
    bool has_number = read_number(&s, &arg->value);
    if (has_number && starts(s, "+"))
        s = skip(s, 1);
    s = trim(s);
    if (starts(s, "("))
        return read_base(arg, s);
    arg->where = INS_ASM_OPERAND;
    return read_reference(&s, &arg->number, &modifier) && s.len == 0 &&
           modify(arg, modifier);
}

/* What follows fs: or gs: may name an operand. */
static ins_asm_arg read_own(span s)
{
    ins_asm_arg arg = {.where = INS_ASM_THREADS_OWN};
    char modifier = '\0';
    arg.is_offset =
        read_reference(&s, &arg.number, &modifier) && s.len == 0 && modifier == '\0';
    return arg;
}

static ins_asm_arg read_arg(span s)
{
    ins_asm_arg arg = {0};
    bool understood;
    if (starts(s, "%fs:") || starts(s, "%gs:"))
        return read_own(skip(s, 4));
    if (starts(s, "$$"))
        understood = read_immediate(&arg, skip(s, 2));
    else if (starts(s, "%"))
        understood = read_register(&arg, skip(s, 1));
    else
        understood = read_displaced(&arg, s);
    if (!understood)
        arg.where = INS_ASM_NOT_UNDERSTOOD;
    return arg;
}

/* --- steps --- */

typedef struct mnemonic {
    const char *name; /* a width may follow it */
    enum ins_asm_op op;
    unsigned n_args;
} mnemonic;

static const mnemonic with_width[] = {
    {"mov", INS_ASM_MOV, 2},      {"movzb", INS_ASM_MOVZX, 2},
    {"movzw", INS_ASM_MOVZX, 2},  {"xchg", INS_ASM_XCHG, 2},
    {"xadd", INS_ASM_XADD, 2},    {"add", INS_ASM_ADD, 2},
    {"sub", INS_ASM_SUB, 2},      {"and", INS_ASM_AND, 2},
    {"or", INS_ASM_OR, 2},        {"xor", INS_ASM_XOR, 2},
    {"cmp", INS_ASM_CMP, 2},      {"test", INS_ASM_TEST, 2},
    {"sbb", INS_ASM_SBB, 2},      {"inc", INS_ASM_INC, 1},
    {"dec", INS_ASM_DEC, 1},      {"neg", INS_ASM_NEG, 1},
    {"not", INS_ASM_NOT, 1},      {"cmpxchg", INS_ASM_CMPXCHG, 2},
    {"bt", INS_ASM_BT, 2},        {"bts", INS_ASM_BTS, 2},
    {"btr", INS_ASM_BTR, 2},      {"btc", INS_ASM_BTC, 2},
    {"push", INS_ASM_INERT, 1},   {"pop", INS_ASM_INERT, 1},
    {"pushf", INS_ASM_INERT, 0},  {"popf", INS_ASM_INERT, 0},
    {"bswap", INS_ASM_INERT, 1},  {"bsf", INS_ASM_INERT, 2},
    {"bsr", INS_ASM_INERT, 2},    {"tzcnt", INS_ASM_INERT, 2},
    {"lzcnt", INS_ASM_INERT, 2},  {"popcnt", INS_ASM_INERT, 2},
    {"lea", INS_ASM_INERT, 2},    {"rdrand", INS_ASM_INERT, 1},
    {"rdseed", INS_ASM_INERT, 1},
};

static const mnemonic as_it_is[] = {
    {"cmpxchg8b", INS_ASM_CMPXCHG_PAIR, 1},
    {"cmpxchg16b", INS_ASM_CMPXCHG_PAIR, 1},
    {"mfence", INS_ASM_MFENCE, 0},
    {"lfence", INS_ASM_LFENCE, 0},
    {"sfence", INS_ASM_SFENCE, 0},
    {"pause", INS_ASM_IDLE, 0},
    {"nop", INS_ASM_IDLE, 0},
    {"prefetch", INS_ASM_IDLE, 1},
    {"prefetchw", INS_ASM_IDLE, 1},
    {"prefetchwt1", INS_ASM_IDLE, 1},
    {"prefetchnta", INS_ASM_IDLE, 1},
    {"prefetcht0", INS_ASM_IDLE, 1},
    {"prefetcht1", INS_ASM_IDLE, 1},
    {"prefetcht2", INS_ASM_IDLE, 1},
    {"clflush", INS_ASM_IDLE, 1},
    {"clflushopt", INS_ASM_IDLE, 1},
    {"clwb", INS_ASM_IDLE, 1},
    {"cld", INS_ASM_IDLE, 0},
    {"cpuid", INS_ASM_INERT, 0},
    {"rdtsc", INS_ASM_INERT, 0},
    {"rdtscp", INS_ASM_INERT, 0},
    {"rdpmc", INS_ASM_INERT, 0},
    {"xgetbv", INS_ASM_INERT, 0},
    {"hlt", INS_ASM_INERT, 0},
    {"ud2", INS_ASM_INERT, 0},
    {"int3", INS_ASM_INERT, 0},
    {"emms", INS_ASM_INERT, 0},
    {"vzeroupper", INS_ASM_INERT, 0},
    {"vzeroall", INS_ASM_INERT, 0},
    {"fwait", INS_ASM_INERT, 0},
    {"call", INS_ASM_LEAVES, 1},
    {"callq", INS_ASM_LEAVES, 1},
    {"ret", INS_ASM_LEAVES, 0},
    {"retq", INS_ASM_LEAVES, 0},
    {"syscall", INS_ASM_LEAVES, 0},
    {"sysenter", INS_ASM_LEAVES, 0},
    {"int", INS_ASM_LEAVES, 1},
    /* through registers that no operand names as memory */
    {"movsb", INS_ASM_LEAVES, 0},
    {"movsw", INS_ASM_LEAVES, 0},
    {"movsl", INS_ASM_LEAVES, 0},
    {"movsq", INS_ASM_LEAVES, 0},
    {"stosb", INS_ASM_LEAVES, 0},
    {"stosw", INS_ASM_LEAVES, 0},
    {"stosl", INS_ASM_LEAVES, 0},
    {"stosq", INS_ASM_LEAVES, 0},
    {"lodsb", INS_ASM_LEAVES, 0},
    {"lodsw", INS_ASM_LEAVES, 0},
    {"lodsl", INS_ASM_LEAVES, 0},
    {"lodsq", INS_ASM_LEAVES, 0},
    {"scasb", INS_ASM_LEAVES, 0},
    {"scasw", INS_ASM_LEAVES, 0},
    {"scasl", INS_ASM_LEAVES, 0},
    {"scasq", INS_ASM_LEAVES, 0},
    {"cmpsb", INS_ASM_LEAVES, 0},
    {"cmpsw", INS_ASM_LEAVES, 0},
    {"cmpsl", INS_ASM_LEAVES, 0},
    {"cmpsq", INS_ASM_LEAVES, 0},
    {"xlat", INS_ASM_LEAVES, 0},
    {"xlatb", INS_ASM_LEAVES, 0},
    {"maskmovq", INS_ASM_LEAVES, 0},
    {"maskmovdqu", INS_ASM_LEAVES, 0},
    {"vmaskmovdqu", INS_ASM_LEAVES, 0},
    {"repne", INS_ASM_LEAVES, 0},
    {"repnz", INS_ASM_LEAVES, 0},
};

static unsigned width_of(char letter)
{
    static const char letters[] = "bwlq";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? 8u << (found - letters) : 0;
}

/* setz, sete, ... */
static bool name_set(ins_asm_step *s, span name)
{
    if (!starts(name, "set"))
        return false;
    s->op = INS_ASM_SET;
    s->bits = 8;
    s->condition = find_condition(skip(name, 3));
    return s->condition < INS_ASM_N_CONDITIONS;
}

/* Finds the meaning of a name, and the width it implies; returns the number of arguments it must have. */
static unsigned name_step(ins_asm_step *s, span name)
{
    for (size_t i = 0; i < sizeof as_it_is / sizeof as_it_is[0]; i++)
        if (is(name, as_it_is[i].name)) {
            s->op = as_it_is[i].op;
            if (s->op == INS_ASM_CMPXCHG_PAIR)
                s->bits = is(name, "cmpxchg16b") ? 64 : 32;
            return as_it_is[i].n_args;
        }
    for (size_t i = 0; i < sizeof with_width / sizeof with_width[0]; i++) {
        const mnemonic *m = &with_width[i];
        span tail = skip(name, strlen(m->name));
        unsigned bits = tail.len == 1 ? width_of(tail.at[0]) : 0;
        if (!starts(name, m->name) || tail.len > 1 || (tail.len == 1 && bits == 0))
            continue;
        s->op = m->op;
        s->bits = bits;
        s->from_bits = starts(name, "movzb") ? 8 : 16;
        return m->n_args;
    }
    if (name_set(s, name))
        return 1;
    s->op = INS_ASM_UNKNOWN;
    return 0;
}

/* A prefix is a word before the name, or before a semicolon. */
static bool is_prefix(span word)
{
    return is(word, "lock") || is(word, "rep") || is(word, "repz") || is(word, "repe");
}

/* Cuts at commas outside parentheses. */
static unsigned read_args(ins_asm_step *s, span rest)
{
    unsigned n = 0;
    for (rest = trim(rest); rest.len > 0; n++) {
        size_t end = 0;
        for (int depth = 0; end < rest.len && (rest.at[end] != ',' || depth > 0); end++)
            depth += rest.at[end] == '(' ? 1 : rest.at[end] == ')' ? -1 : 0;
        if (n < 2)
            s->args[n] = read_arg(trim((span){rest.at, end}));
        rest = trim(skip(rest, end + 1));
    }
    return n;
}

static void read_step(ins_asm_step *s, span text)
{
    size_t n = 0;
    while (n < text.len && !isspace((unsigned char)text.at[n]))
        n++;
    span name = {text.at, n};
    unsigned wanted = name_step(s, name);
    s->n_args = read_args(s, skip(text, n));
    bool is_free = s->op == INS_ASM_UNKNOWN || s->op == INS_ASM_LEAVES ||
                   s->op == INS_ASM_IDLE || s->op == INS_ASM_INERT;
    if (!is_free && s->n_args != wanted)
        s->op = INS_ASM_UNKNOWN;
    if (s->n_args > 2)
        s->n_args = 2;
    s->is_locked |= s->op == INS_ASM_XCHG;
}

/* Reads one statement; lock and repeats: the prefixes before it. */
static void read_statement(ins_asm *a, span text, bool *is_locked, bool *repeats)
{
    for (;;) {
        size_t n = 0;
        while (n < text.len && !isspace((unsigned char)text.at[n]))
            n++;
        span word = {text.at, n};
        if (!is_prefix(word))
            break;
        *is_locked |= is(word, "lock");
        *repeats |= !is(word, "lock");
        text = trim(skip(text, n));
    }
    if (text.len == 0 || text.at[0] == '.') /* directives */
        return;
    if (a->n_steps == INS_ASM_STEPS_MAX) {
        a->is_readable = false;
        return;
    }
    ins_asm_step *s = &a->steps[a->n_steps++];
    *s = (ins_asm_step){.is_locked = *is_locked,
                        .at = (unsigned)(text.at - a->text),
                        .len = (unsigned)text.len};
    read_step(s, text);
    if (*repeats && s->op != INS_ASM_IDLE && s->op != INS_ASM_LEAVES)
        s->op = INS_ASM_UNKNOWN;
    *is_locked = *repeats = false;
}

void ins_asm_read(ins_asm *a, const char *text, const char *constraints)
{
    *a = (ins_asm){.is_readable = true};
    read_constraints(a, (span){constraints, strlen(constraints)});
    if (!clean(a, text)) {
        a->is_readable = false;
        a->text[0] = '\0';
        return;
    }
    span rest = {a->text, strlen(a->text)};
    bool is_locked = false, repeats = false;
    while (rest.len > 0) {
        span one = trim(cut(rest, ";\n", &rest));
        read_statement(a, one, &is_locked, &repeats);
    }
    /* A prefix of nothing */
    a->is_readable = a->is_readable && !is_locked && !repeats;
}
