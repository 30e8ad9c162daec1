#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Symbolic operands against brute force: run.py TREADLE [--fast] [--only=NAME,...] [-v]

For each instruction, intrinsic and library function below there is a program with one input x of
8 bits. It computes a small number, its outcome, and an assertion fails for each outcome. Natively
the program is run for all 256 values of x, by the same compiler. With -k treadle must find exactly
the outcomes that occur (a crash is one of them). It may find fewer only if it ends INCOMPLETE,
with a ledger line "made concrete" or "not watched" that names a line of the program, or with
"values": a decision has more values than are tried. Anything else is a disagreement.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
#include <treadle.h>
#define NOINLINE __attribute__((noinline))
_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);
static volatile int zero;
static int keep(int v) { return v + zero; }
"""
MAIN = r"""
static int outcome(unsigned char x)
{
    %(body)s
}
int main(int argc, char **argv)
{
    (void)argc, (void)argv;
#ifdef BRUTE
    for (int x = 0; x < 256; x++) {
        int status, to[2], out = -1;
        pipe(to);
        if (fork() == 0) {
            int got = outcome((unsigned char)x);
            write(to[1], &got, sizeof got);
            _exit(0);
        }
        close(to[1]);
        read(to[0], &out, sizeof out);
        close(to[0]);
        wait(&status);
        printf("%%d\n", out);
    }
    return 0;
#else
    int out = outcome(treadle_u8("x"));
%(checks)s
    return 0;
#endif
}
"""

# name: (declarations before outcome(), body; it returns the outcome)
CASES = {}


def case(name, body, before="", fast=False):
    CASES[name] = (before, body, fast)


INT = "int a = (signed char)x; unsigned u = x; (void)a; (void)u; "
# --- instructions
case("udiv", INT + "return 100 / (u - 7) == 20;", fast=True)
case("sdiv", INT + "return 1000 / (a + 3) > 100;", fast=True)
case("sdiv_min", INT + "volatile int m = INT_MIN; return m / (a + 100) < 0;", fast=True)
case("sdiv_both", INT + "return (a == 5 ? INT_MIN : a) / (a - 6) > 3;")
case("srem", INT + "return 1000 % (a - 77) == 3;", fast=True)
case("urem", INT + "return 1000u % (u ^ 9) == 1;")
case("div64", INT + "long d = a - 1; return (LONG_MIN + zero) / d == LONG_MIN / 4;")
case("rem64", INT + "long d = a + 1; return (LONG_MIN + zero) % d == 0;")
case("div128", INT + "__int128 d = (__int128)a + 2; return (int)(1000 / d) == 100;")
case("shl", INT + "return (1u << (u & 63)) == 16;", fast=True)
case("shl_beyond", INT + "return (3u << u) == 12;")
case("lshr", INT + "return (0x8000u >> u) == 2;")
case("ashr", INT + "return (-256 >> u) == -2;")
case("shl64", INT + "return (1ull << u) == 8;")
case("shl_by", INT + "unsigned by = 33 + (unsigned)zero; return (u << by) == 8;")
case("add", INT + "return a + 3 == 20;")
case("mul", INT + "return u * 7 == 77;")
case("overflow", INT + "int r; return __builtin_add_overflow(a, INT_MAX - 5, &r) + (r == 9);")
case("trunc", INT + "return (unsigned char)(u * 3) == 9;")
case("sext", INT + "return (long)a == -5;")
case("i128", INT + "unsigned __int128 w = (unsigned __int128)u << 100; "
     "return (int)(w >> 100) == 8;")
case("select", INT + "int b = u > 9 ? 3 : 4; return b;")
case("switch", INT + "switch (u) { case 3: return 1; case 9 ... 12: return 2; default: return 0; }",
     fast=True)
case("cgoto", INT + "static void *t[] = {&&l0, &&l1, &&l2}; goto *t[u % 3]; l0: return 0; "
     "l1: return 1; l2: return 2;", fast=True)
case("gep", INT + "static int t[256] = {[7] = 1, [9] = 2}; return t[u];")
case("gep_store", INT + "static int t[256]; t[u] = 1; int r = t[5]; t[u] = 0; return r;")
case("inttoptr", INT + "static char t[256] = {[9] = 3}; uintptr_t p = (uintptr_t)t + u; "
     "return *(char *)p;")
case("ptr_load", INT + "static char t[256] = {[9] = 3}; static char *p; p = t + u; "
     "char *volatile *q = &p; return **q;")
case("ptr_arg", INT + "return deref((void *)(uintptr_t)u);",
     "static NOINLINE int last(void *p) { return (int)(long)p == 77; }\n"
     "static NOINLINE int deref(void *p) { return last(p); }")
case("ptr_null", INT + "static void *p; union { uintptr_t n; void *p; } v = {.n = u - 4u}; p = v.p; "
     "return p == NULL;")
case("ptr_result", INT + "return made(u) == NULL;",
     "static NOINLINE void *made(unsigned long n) { return (void *)(n - 9); }")
case("ptr_struct", INT + "struct s s = pack(u); return s.p == (void *)5l;",
     "struct s { void *p; long n; };\n"
     "static NOINLINE struct s pack(unsigned long n) { return (struct s){(void *)n, 1}; }")
case("bits", INT + "struct { unsigned f : 3, g : 5; } b; b.f = u & 7; b.g = u >> 3; "
     "return b.f == 5 && b.g == 9;")
case("byval", INT + "struct big b = {{0}}; b.v[7] = a; return take(b) == -3;",
     "struct big { int v[9]; };\nstatic NOINLINE int take(struct big b) { return b.v[7]; }")
case("sret", INT + "return give(a).v[5] == -3;",
     "struct big { int v[9]; };\n"
     "static NOINLINE struct big give(int a) { struct big b = {{0}}; b.v[5] = a; return b; }")
case("phi", INT + "int s = 0; for (unsigned i = 0; i < u; i++) s += 3; return s == 12;")
case("float", INT + "double d = a; return d > 3.5;", fast=True)
case("float_memory", INT + "float f; unsigned b = u << 24; memcpy(&f, &b, 4); return f < 0;")
case("vector", INT + "typedef int v4 __attribute__((vector_size(16))); v4 v = {a, 1, 2, 3}; "
     "v += 5; return v[0] == 9;")
case("extract", INT + "typedef int v4 __attribute__((vector_size(16))); "
     "volatile v4 v = {4, 5, 6, 7}; v4 w = v; return w[u & 3] == 6;")
case("rmw", INT + "static atomic_uint n; n = u; atomic_fetch_add(&n, 3); return n == 9;")
case("rmw_max", INT + "static int n; n = 5; "
     "__atomic_fetch_or(&n, a, __ATOMIC_SEQ_CST); return n == 7;")
case("cmpxchg", INT + "static atomic_int n; int e = 9; n = a; "
     "return atomic_compare_exchange_strong(&n, &e, 4) + (e == 3) * 2;")
case("xchg_pointer", INT + "static _Atomic(void *) p; p = (void *)(uintptr_t)u; "
     "return atomic_exchange(&p, NULL) == (void *)3l;")
case("asm", INT + "unsigned r; __asm__(\"leal 1(%1), %0\" : \"=r\"(r) : \"r\"(u)); return r == 9;")
case("indirect", INT + "return fs[u % 2](a) == 4;",
     "static int f1(int a) { return a + 1; }\nstatic int f2(int a) { return a - 1; }\n"
     "static int (*const volatile fs[])(int) = {f1, f2};")
# --- intrinsics
for name, expression in {
        "ctpop": "__builtin_popcount(u) == 3", "ctlz": "__builtin_clz(u | 1) == 28",
        "cttz": "__builtin_ctz(u | 256) == 4", "bswap": "__builtin_bswap32(u) == 0x05000000",
        "bitreverse": "__builtin_bitreverse8(x) == 5", "abs": "abs(a) == 5",
        "labs": "labs((long)a) == 7", "fshl": "__builtin_rotateleft8(x, 3) == 8",
        "fshr": "__builtin_rotateright32(u, u & 31) == 4", "ffs": "__builtin_ffs(a) == 3",
        "smax": "(a > 5 ? a : 5) == 9", "umin": "(u < 9 ? u : 9) == 9",
        "mul_overflow": "__builtin_mul_overflow(a, 40000000, &a)",
        "sadd_sat": "__builtin_elementwise_add_sat(x, (unsigned char)200) == 255",
        "parity": "__builtin_parity(u)"}.items():
    case("i_" + name, INT + "return %s;" % expression)
case("i_memset", INT + "char b[300]; memset(b, 1, 300); memset(b, 2, u); return b[9] == 2;")
case("i_memcpy", INT + "char b[300] = {0}, c[300]; memset(c, 5, 300); memcpy(b, c, u); "
     "return b[100];")
case("i_memmove", INT + "char b[300] = {1, 2, 3}; memmove(b + 1, b, u & 7); return b[3];")
# --- calls
case("variadic", INT + "return sum(3, a, 2.5, (long)a, 7) == 13;",
     "static NOINLINE int sum(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); "
     "r += (int)va_arg(l, double); r += (int)va_arg(l, long); r += va_arg(l, int); va_end(l); "
     "return r; }", fast=True)
case("variadic_many", INT + "return sum(0, 1, 2, 3, 4, 5, a, 7, (long)a) == 24;",
     "static NOINLINE int sum(int n, ...) { va_list l; va_start(l, n); int r = n; "
     "for (int i = 0; i < 7; i++) r += va_arg(l, int); r += (int)va_arg(l, long); va_end(l); "
     "return r; }")
case("variadic_struct", INT + "struct t s = {{1, 2, a}}; return sum(1, s) == 9;",
     "struct t { long v[3]; };\n"
     "static NOINLINE int sum(int n, ...) { va_list l; va_start(l, n); "
     "struct t s = va_arg(l, struct t); va_end(l); return (int)s.v[2]; }")
case("variadic_own", INT + "g = a; return own(1) == 8;",
     "static int g;\nstatic NOINLINE int own(int n, ...) { return g + n; }")
case("longjmp", INT + "static jmp_buf b; int r = setjmp(b); if (r == 0) longjmp(b, (a & 3) + 1); "
     "return r;", fast=True)
case("callback", INT + "static int v[3] = {10, 20, 30}; size_t n = 3; "
     "return lfind(&a, v, &n, sizeof(int), cmp) != NULL;",
     "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }",
     fast=True)
case("callback_global", INT + "static int v[3] = {10, 20, 30}; size_t n = 3; int key = 1; g = a; "
     "return lfind(&key, v, &n, sizeof(int), cmp) != NULL;",
     "static int g;\nstatic int cmp(const void *a, const void *b) { (void)a; "
     "return *(const int *)b - g; }")
case("qsort_r", INT + "char v[3] = {5, 3, (char)(u & 7)}; qsort_r(v, 3, 1, cmp, 0); return v[1];",
     "static int cmp(const void *a, const void *b, void *c) { (void)c; "
     "return *(const char *)a - *(const char *)b; }")
case("qsort", INT + "int v[4] = {3, a, 1, 2}; qsort(v, 4, sizeof *v, cmp); return v[2] == 2;",
     "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }")
case("qsort_n", INT + "int v[5] = {5, 4, 3, 2, 1}; qsort(v, u % 6, sizeof *v, cmp); return v[0];",
     "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }")
case("bsearch", INT + "static const int v[] = {1, 5, 9, 12}; "
     "const int *p = bsearch(&a, v, 4, sizeof *v, cmp); return p ? (int)(p - v) : 4;",
     "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }")
case("thread_arg", INT + "pthread_t t; void *r; pthread_create(&t, 0, run, (void *)(long)a); "
     "pthread_join(t, &r); return (long)r == 9;",
     "static void *run(void *p) { return (void *)((long)p + 1); }")
case("key", INT + "pthread_key_t k; pthread_key_create(&k, drop); pthread_t t; "
     "g = (long)a; pthread_create(&t, 0, run, &k); pthread_join(t, 0); return out;",
     "static long g; static int out;\nstatic void drop(void *p) { out = (long)p == 7 ? 2 : 1; }\n"
     "static void *run(void *p) { pthread_setspecific(*(pthread_key_t *)p, (void *)g); return 0; }")
case("raise", INT + "signal(SIGUSR1, h); signal(SIGUSR2, h); raise(a & 1 ? SIGUSR1 : SIGUSR2); "
     "return seen == SIGUSR2;", "static volatile int seen; static void h(int s) { seen = s; }")
case("srand", INT + "srand(u); int a1 = rand(); srand(5); return a1 == rand();")
case("malloc", INT + "char *p = calloc(u % 9 + 1, 1); int r = p[u % 9] + (u % 9 == 4); "
     "free(p); return r;")
case("pipe", INT + "int f[2]; char c; pipe(f); write(f[1], &x, 1); read(f[0], &c, 1); "
     "close(f[0]); close(f[1]); return c == 9;")
case("file", INT + "char n[] = \"/tmp/valuesXXXXXX\"; int f = mkstemp(n); unlink(n); char c = 0; "
     "write(f, &x, 1); lseek(f, 0, 0); read(f, &c, 1); close(f); return c == 9;")
case("memstream", INT + "char *b; size_t l; FILE *f = open_memstream(&b, &l); "
     "fprintf(f, \"%d\", a); fclose(f); return strcmp(b, \"77\") == 0;")
case("fmemopen", INT + "char b[16] = {0}; FILE *f = fmemopen(b, 16, \"w\"); fputc(x, f); "
     "fclose(f); return b[0] == 'q';")
case("fputs", INT + "char b[16] = {0}, t[2] = {(char)x, 0}; FILE *f = fmemopen(b, 16, \"w\"); "
     "fputs(t, f); fclose(f); return b[0] == 'q';")
case("printf_result", INT + "return fprintf(stderr, \"%d\\n\", a) == 3;")
case("sleep_clock", INT + "usleep(u * 1000u); return 0;")
case("name", INT + "char b[2] = {(char)x, 0}, c[16] = {0}; pthread_setname_np(pthread_self(), b); "
     "pthread_getname_np(pthread_self(), c, 16); return c[0] == 'q';")
# --- library rows
T = INT + "char t[8] = {'a', 'b', (char)x, 'd', 0}; "
for name, body in {
        "strlen": "return (int)strlen(t);", "strnlen": "return (int)strnlen(\"abcd\", u);",
        "strcmp": "return strcmp(t, \"abqd\") == 0;", "strncmp": "return strncmp(\"abc\", \"abd\", u) < 0;",
        "memcmp": "return memcmp(\"abc\", \"abd\", u % 5) == 0;",
        "strcasecmp": "return strcasecmp(t, \"ABQD\") == 0;",
        "strchr": "char *p = strchr(\"xyz\", x); return p ? *p == 'y' : 2;",
        "strrchr": "char *p = strrchr(t, 'd'); return p ? (int)(p - t) : 9;",
        "memchr": "return memchr(\"abcd\", 'c', u) != NULL;",
        "strstr": "return strstr(t, \"bq\") != NULL;", "strspn": "return (int)strspn(t, \"abq\");",
        "strcspn": "return (int)strcspn(t, \"d\");", "strpbrk": "return strpbrk(\"abcd\", t + 2) != NULL;",
        "strtok": "char *p = strtok(t, \"q\"); return p ? (int)strlen(p) : 9;",
        "strcpy": "char b[8]; strcpy(b, t); return b[2] == 'q';",
        "strncpy": "char b[8] = \"zzzz\"; strncpy(b, \"ab\", u & 7); return b[1] == 'b';",
        "strcat": "char b[16] = \"z\"; strcat(b, t); return (int)strlen(b);",
        "strdup": "char *p = strdup(t); int r = p[2] == 'q'; free(p); return r;",
        "mempcpy": "char b[9] = {0}; char *p = mempcpy(b, \"abcdefg\", u & 7); return (int)(p - b);",
        "memccpy": "char b[9] = {0}; return memccpy(b, \"abcdefg\", x, 7) != NULL;",
        "strtol": "return strtol(t + 2, NULL, 16) == 13 * 16 + 13;",
        "strtol_base": "return strtol(\"21\", 0, a) == 45;", "atoi": "char n[2] = {(char)x, 0}; return atoi(n) == 7;",
        "isdigit": "return isdigit(x) != 0;", "isalpha": "return isalpha(x) != 0;",
        "isspace": "return isspace(x) != 0;", "toupper": "return toupper(x) == 'Q';",
        "snprintf_d": "char b[9]; snprintf(b, 9, \"%d\", a); return strcmp(b, \"77\") == 0;",
        "snprintf_x": "char b[9]; snprintf(b, 9, \"%x\", u); return strcmp(b, \"ff\") == 0;",
        "snprintf_c": "char b[9]; snprintf(b, 9, \"%c|\", x); return b[0] == 'q';",
        "snprintf_n": "char b[9] = {0}; snprintf(b, u % 9, \"hello\"); return (int)strlen(b);",
        "snprintf_w": "char b[99]; return snprintf(b, 99, \"%*d\", (int)u % 9, 7);",
        "snprintf_p": "char b[9]; snprintf(b, 9, \"%.*s\", (int)u % 4, \"abc\"); return (int)strlen(b);",
        "snprintf_f": "char b[32]; snprintf(b, 32, \"%.1f %d\", 1.5, a); return strcmp(b, \"1.5 7\") == 0;",
        "sprintf_s": "char b[32]; sprintf(b, \"<%s>\", t); return b[3] == 'q';",
        "vsnprintf": "char b[32]; form(b, \"%s%d\", \"n\", a); return strcmp(b, \"n7\") == 0;",
        "sscanf": "char s[] = \"length: 00\"; s[8] = (char)('0' + u % 10); int n = 0; "
                  "sscanf(s, \"length: %d\", &n); return n == 70;",
        "strtod": "char n[2] = {(char)x, 0}; return strtod(n, NULL) > 6.5;",
        "div": "return div(a, 7).quot == 3;", "ffsl": "return ffsl((long)a) == 3;",
        "strverscmp": "return strverscmp(t, \"abqd\") == 0;", "wcslen": "wchar_t w[3] = {u, 1, 0}; return (int)wcslen(w);",
        "wmemset": "wchar_t w[3]; wmemset(w, (wchar_t)u, 3); return w[1] == 9;",
        "strxfrm": "char b[16]; strxfrm(b, t, 16); return b[2] == 'q';",
        "memfrob": "memfrob(t, 4); return t[2] == 'q';", "swab": "char b[8]; swab(t, b, 4); return b[3] == 'q';",
        "basename": "char p[] = \"a/bxc\"; p[3] = (char)x; return strlen(basename(p)) == 1;",
        "strfry_n": "char b[8] = \"ab\"; b[0] = (char)x; return strlen(b) == 0;",
        "getenv": "char n[] = \"TREADLEx\"; n[7] = (char)x; setenv(\"TREADLEQ\", \"1\", 1); return getenv(n) != NULL;",
        "setenv": "char v[2] = {(char)x, 0}; setenv(\"TREADLEV\", v, 1); return getenv(\"TREADLEV\")[0] == 'q';",
        "abs64": "return llabs((long long)a - 5) == 6;"}.items():
    case("l_" + name, T + body,
         "static NOINLINE void form(char *b, const char *f, ...) { va_list l; va_start(l, f); "
         "vsnprintf(b, 32, f, l); va_end(l); }\n" if name == "vsnprintf" else "",
         fast=name in ("strlen", "snprintf_d", "strtol_base", "sscanf", "vsnprintf"))


def source(name, outcomes):
    before, body, _ = CASES[name]
    checks = "\n".join('    if (out == %d) __assert_fail("outcome %d", "x", %d, "main");' % (o, o, o)
                       for o in outcomes)
    return HEAD + before + MAIN % {"body": body, "checks": checks}


class Checker:
    def __init__(self, treadle, work, level, verbose):
        self.treadle, self.work, self.level, self.verbose = treadle, work, level, verbose
        self.wrong, self.concrete, self.n = [], [], 0

    def build(self, cc, text, exe):
        with open(exe + ".c", "w") as f:
            f.write(text)
        command = cc + ["-g", "-w", self.level, exe + ".c", "-o", exe, "-pthread", "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr[:400])

    def natively(self, name):
        """The outcomes over all values; a signal is -1."""
        exe = os.path.join(self.work, name + "_native")
        include = "-I" + os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")
        clangs = filter(shutil.which, [f"clang-{v}" for v in (19, 22, 21, 20, 18, 17, 16)])
        self.build([next(clangs, "clang"), "-DBRUTE", include], source(name, []), exe)
        done = subprocess.run([exe], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, timeout=60)
        if done.stdout.count("\n") != 256:
            raise RuntimeError("not run for every value")
        return {int(line) for line in done.stdout.split()}

    def explored(self, name, want):
        """The outcomes that treadle finds, and whether it says that some are left out."""
        exe = os.path.join(self.work, name)
        outcomes = sorted(want - {-1}) + [max(want) + 1]
        self.build([self.treadle, "cc"], source(name, outcomes), exe)
        command = [self.treadle, "run", "--quiet", "-k", "--time=30s", "--json=" + exe + ".json",
                   "--out=" + exe + ".out", exe]
        subprocess.run(command, capture_output=True, timeout=90, stdin=subprocess.DEVNULL)
        with open(exe + ".json") as f:
            result = json.load(f)
        got = set()
        for finding in result["findings"]:
            match = re.search(r"outcome (\d+)", finding["message"])
            got.add(int(match.group(1)) if match else -1)
        left = any(row["kind"] == "values" or (row["kind"] in ("made concrete", "not watched") and
                                               row["file"] and row["line"])
                   for row in result["ledger"])
        return got, left

    def check(self, name):
        self.n += 1
        want = self.natively(name)
        got, left = self.explored(name, want)
        if got - want or (want - got and not left):
            self.wrong.append("%s: %s, natively %s" % (name, sorted(got), sorted(want)))
        if left:
            self.concrete.append(name)
        if self.verbose:
            print(name, sorted(want), "left out" if left else "", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treadle")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--level", default="-O1")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    only = [n for n in re.split(",", args.only) if n]
    with tempfile.TemporaryDirectory() as work:
        c = Checker(os.path.abspath(args.treadle), work, args.level, args.v)
        for name, row in CASES.items():
            if (only and name not in only) or (args.fast and not row[2]):
                continue
            try:
                c.check(name)
            except (RuntimeError, subprocess.TimeoutExpired, ValueError, OSError) as e:
                c.wrong.append("%s: %s" % (name, e))
        for line in c.wrong:
            print("WRONG", line)
        print("values: %d programs, %d leave values out (%s), %d disagreements" %
              (c.n, len(c.concrete), " ".join(c.concrete), len(c.wrong)))
        sys.exit(1 if c.wrong else 0)


if __name__ == "__main__":
    main()
