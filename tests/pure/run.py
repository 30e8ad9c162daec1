#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of the C library that treadle takes for pure are called, and must be it.

Usage: run.py TREADLE [FUNCTION...]

A call of a function that keeps nothing does not end a loop iteration without effect (docs/loops.md). Which functions these are is
claimed by src/wire/library.h: those of values, and rows that name no state, stream or other change. Each is called here, by
the machine itself, with several arguments: after a first call, which may prepare something, another one must leave alone all
writable memory of the process but what the row says, descriptors and their positions, masks, handlers and stacks of signals,
limits, timers, the working directory and the mappings; and a call in other surroundings (other stack, other blocks of memory
taken, errno, other descriptors) must give the same result. The floating-point environment may change: it is part of the
state that iterations are compared by. So may errno, which is as well.

A claim that cannot be called fails: such a row wants a c."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "sweep"))
import run as sweep  # noqa: E402

# The first letters of words that say what changes.
CHANGES = set("cxmpyYhHKVBSuWtF")
GROUPS = "STDIO STDLIB STRING WIDE TIME MATH UNIX NET OTHER THREADS".split()

# Claims that are true for a reason that no call shows.
REASONS = {
    "pow10": "another name of exp10, which no header has", "pow10f": "the same", "pow10l": "the same",
    "pthread_mutexattr_getkind_np": "another name of pthread_mutexattr_gettype",
    "pthread_mutexattr_setkind_np": "another name of pthread_mutexattr_settype",
}

# Arguments that a call needs to get anywhere; by function, then by argument. Else values are 0, 1, 2.
DIRENT = "(void *)&(struct dirent *){(void *)B[1].c}"
VALUES = {
    "dladdr": {1: "(void *)judge"},
    "alphasort": {1: DIRENT, 2: DIRENT},
    "versionsort": {1: DIRENT, 2: DIRENT},
    "catgets": {1: "(nl_catd)-1"},
    "iswctype": {2: 'wctype("alpha")'},
    "iswctype_l": {2: 'wctype_l("alpha", L)'},
}


def taken():
    """Functions that the runtime has of its own."""
    named = set()
    for folder in ("posix", "libc"):
        path = os.path.join(ROOT, "src", "runtime", folder)
        for name in os.listdir(path):
            with open(os.path.join(path, name), encoding="utf-8") as f:
                named |= set(re.findall(r"(?:__treadle_|OURS\(|LETTER\()(\w+)", f.read()))
    return named


def claims():
    """{name: signature, or a word for the type of math}"""
    table, text = sweep.rows()
    own, names = taken(), sweep.exported()
    found = {}
    for group, name, signature in table:
        words = signature.split()
        if group in GROUPS and name in names and name not in own and not any(w[0] in CHANGES for w in words):
            found[name] = signature
    have = sweep.values(text)
    for name in have["WIRE_VALUES"] & names:
        found[name] = "value"
    for stem in have["WIRE_VALUES_MATH"]:
        for suffix in ("", "f", "l", "f32", "f64", "f128", "f32x", "f64x"):
            if stem + suffix in names:
                found[stem + suffix] = "math"
    return found


HEAD = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Memory that calls may use: buffers that they are given, and blocks, which are taken one behind the other. */
#define ARENA ((char *)0x10000000000)
#define ARENA_SIZE (64 << 20)
static size_t *taken_p;
static union { char c[4096]; long n[512]; } *B;
static FILE *F;
static int D;
static locale_t L;

void *malloc(size_t n)
{
    if (!taken_p) {
        mmap(ARENA, ARENA_SIZE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        taken_p = (size_t *)ARENA;
        *taken_p = 4096;
    }
    char *p = ARENA + *taken_p;
    *(size_t *)p = n;
    *taken_p += 16 + ((n + 31) & ~(size_t)15);
    return p + 16;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return memset(p, 0, n * m); }
void *realloc(void *old, size_t n)
{
    void *p = malloc(n);
    size_t was = old ? ((size_t *)old)[-2] : 0;
    return memcpy(p, old ? old : p, was < n ? was : n);
}

/* ---- what there is ---- */

typedef struct piece { char *at, *copy; size_t size; } piece;
static piece *pieces;
static int n_pieces;
static char *work; /* of the test: is not looked at */
static size_t worked;
static void *room(size_t n) { void *p = work + worked; worked += (n + 63) & ~(size_t)63; return p; }

static char *text_of(const char *path)
{
    int fd = open(path, O_RDONLY);
    char *text = room(1 << 16);
    size_t n = 0;
    long got;
    while ((got = read(fd, text + n, (1 << 16) - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = 0;
    close(fd);
    return text;
}

static void take_memory(void)
{
    char *text = text_of("/proc/self/maps");
    pieces = room(256 * sizeof *pieces);
    for (char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char *end, *from = (char *)strtoul(line, &end, 16), *to = (char *)strtoul(end + 1, &end, 16);
        char *stop = strchr(line, '\n');
        int is_stack = memmem(line, (size_t)(stop - line), "[stack]", 7) != NULL;
        if (strncmp(end, " rw-p", 5) != 0 || is_stack || from == work)
            continue;
        size_t size = (size_t)(to - from);
        if (from == ARENA)
            size = *taken_p;
        if (n_pieces < 256) {
            pieces[n_pieces] = (piece){from, room(size), size};
            memcpy(pieces[n_pieces].copy, from, size);
            n_pieces++;
        }
    }
}

/* What the kernel writes by itself: on which processor the thread is. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static int is_ignored(const char *p)
{
    const char *e = (const char *)&errno;
    const char *rseq = (const char *)__builtin_thread_pointer() + (&__rseq_size ? __rseq_offset : 0);
    if (&__rseq_size && p >= rseq && p < rseq + 32)
        return 1;
    return (p >= e && p < e + sizeof errno) || (p >= (const char *)&n_pieces && p < (const char *)(&n_pieces + 1)) ||
           (p >= (const char *)&worked && p < (const char *)(&worked + 1)) ||
           (p >= (const char *)&pieces && p < (const char *)(&pieces + 1)) ||
           (p >= (const char *)taken_p && p < (const char *)(taken_p + 1));
}

static const char *what_changed(void)
{
    for (int i = 0; i < n_pieces; i++)
        for (size_t k = 0; k < pieces[i].size; k++)
            if (pieces[i].at[k] != pieces[i].copy[k] && !is_ignored(pieces[i].at + k)) {
                char *text = room(100);
                snprintf(text, 100, "memory at %p", (void *)(pieces[i].at + k));
                return text;
            }
    return NULL;
}

typedef struct kernel {
    sigset_t mask, pending;
    stack_t stack;
    struct { void *handler; long flags, mask; } actions[65];
    struct rlimit limits[16];
    struct itimerval timers[3];
    int priority, policy;
    char name[16], cwd[256], *status, *maps;
    struct { int is_open; off_t at; int flags; ino_t file; } fds[40];
} kernel;

/* Without what the process uses: memory grows, time passes. */
static char *masked(char *text)
{
    char *umask_line = strstr(text, "Umask"), *threads = strstr(text, "Threads"), *ids = strstr(text, "Uid:");
    char *out = room(512);
    snprintf(out, 512, "%.12s %.12s %.60s", umask_line, threads, ids);
    return out;
}

static char *mapped(char *text)
{
    char *out = room(1 << 16), *to = out;
    for (char *line = text; *line; ) {
        char *stop = strchr(line, '\n');
        if (!memmem(line, (size_t)(stop - line), "[stack]", 7)) {
            memcpy(to, line, (size_t)(stop - line));
            to += stop - line;
        }
        line = stop + 1;
    }
    *to = 0;
    return out;
}

static kernel *look(void)
{
    kernel *k = room(sizeof *k);
    memset(k, 0, sizeof *k);
    sigprocmask(SIG_BLOCK, NULL, &k->mask);
    sigpending(&k->pending);
    sigaltstack(NULL, &k->stack);
    for (int i = 1; i < 65; i++) {
        struct sigaction action = {0};
        sigaction(i, NULL, &action);
        k->actions[i].handler = (void *)action.sa_handler;
        k->actions[i].flags = action.sa_flags;
        memcpy(&k->actions[i].mask, &action.sa_mask, 8);
    }
    for (int i = 0; i < 16; i++)
        getrlimit(i, &k->limits[i]);
    k->priority = getpriority(PRIO_PROCESS, 0);
    k->policy = sched_getscheduler(0);
    prctl(PR_GET_NAME, k->name);
    getcwd(k->cwd, sizeof k->cwd);
    for (int i = 1; i < 3; i++)
        getitimer(i, &k->timers[i]);
    for (int i = 0; i < 40; i++) {
        struct stat st;
        if (fstat(i, &st) != 0)
            continue;
        k->fds[i].is_open = 1;
        k->fds[i].at = lseek(i, 0, SEEK_CUR);
        k->fds[i].flags = fcntl(i, F_GETFL) << 1 | fcntl(i, F_GETFD);
        k->fds[i].file = st.st_ino;
    }
    k->status = masked(text_of("/proc/self/status"));
    k->maps = mapped(text_of("/proc/self/maps"));
    return k;
}

static const char *differ(const kernel *a, const kernel *b)
{
#define SAME(member, what) if (memcmp(&a->member, &b->member, sizeof a->member) != 0) return what;
    SAME(mask, "the mask of signals") SAME(pending, "signals that wait") SAME(stack, "the stack of handlers")
    SAME(actions, "handlers of signals") SAME(limits, "limits") SAME(timers, "timers") SAME(priority, "the priority")
    SAME(policy, "the policy") SAME(name, "the name of the thread") SAME(cwd, "the working directory")
    SAME(fds, "descriptors")
    if (strcmp(a->status, b->status) != 0) return "mask of modes, threads or users";
    if (strcmp(a->maps, b->maps) != 0) return "mappings";
    return NULL;
}

/* ---- calls ---- */

typedef struct result { uint64_t whole; double real; } result;
static uint64_t word(const void *p, size_t n) { uint64_t w = 0; memcpy(&w, p, n < 8 ? n : 8); return w; }
#define CALL(type, expression) do { type r_ = (expression); r.whole = word(&r_, sizeof r_ < 10 ? sizeof r_ : 8); } while (0)
"""

TAIL = r"""
static void judge(int i, int variant, const char *path);
static const char *const names[] = { %(names)s };
static void fill(int i, int variant) { switch (i) { %(fills)s } (void)variant; }
static __attribute__((noinline)) result call(int i, int variant)
{
    result r = {0, 0};
    switch (i) { %(calls)s }
    return r;
}

static __attribute__((noinline)) result deeper(int i, int variant)
{
    volatile char around[3000];
    memset((char *)around, 0xa5, sizeof around);
    return call(i, variant);
}

static void judge(int i, int variant, const char *path)
{
    work = mmap(NULL, (size_t)1 << 30, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    B = mmap(NULL, 9 * sizeof *B, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    F = fopen(path, "r+");
    D = open(path, O_RDWR);
    L = newlocale(LC_ALL_MASK, "C", 0);
    fill(i, variant);
    errno = 0;
    call(i, variant);
    fill(i, variant);
    kernel *k = look();
    take_memory();
    errno = 0;
    result one = call(i, variant);
    const char *wrong = what_changed();
    if (!wrong)
        wrong = differ(k, look());
    malloc(1000);
    open("/dev/null", O_RDONLY);
    fill(i, variant);
    errno = 7;
    result two = deeper(i, variant);
    int is_block = one.whole - (uint64_t)ARENA < ARENA_SIZE && two.whole - (uint64_t)ARENA < ARENA_SIZE;
    if (!wrong && !is_block && memcmp(&one, &two, sizeof one) != 0)
        wrong = "the result";
    if (wrong)
        printf("%%s %%d %%s\n", names[i], variant, wrong);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, malloc(1 << 16), _IOLBF, 1 << 16);
    int n = (int)(sizeof names / sizeof names[0]);
    for (int i = 0; i < n; i++)
        for (int v = 0; v < 3; v++) {
            pid_t child = fork();
            if (child == 0) {
                alarm(5);
                judge(i, v, argv[1]);
            }
            int status = 0;
            waitpid(child, &status, 0);
            if (status != 0 && v == 0)
                printf("%%s %%d cannot be called: %%s\n", names[i], v, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
        }
    printf("%%d called\n", n);
    return argc - 2;
}
"""

HEADERS = """aio.h aliases.h argz.h arpa/inet.h complex.h crypt.h ctype.h dirent.h dlfcn.h envz.h err.h execinfo.h fcntl.h fenv.h fmtmsg.h fnmatch.h fts.h ftw.h
getopt.h glob.h gnu/libc-version.h grp.h iconv.h ifaddrs.h inttypes.h langinfo.h libgen.h libintl.h link.h locale.h malloc.h math.h mcheck.h mntent.h monetary.h mqueue.h
net/if.h netdb.h netinet/ether.h netinet/in.h nl_types.h obstack.h poll.h pthread.h pty.h pwd.h regex.h resolv.h sched.h search.h semaphore.h
setjmp.h shadow.h signal.h spawn.h stdio.h stdio_ext.h stdlib.h string.h strings.h sys/auxv.h sys/epoll.h sys/file.h sys/mman.h sys/random.h sys/resource.h
sys/select.h sys/sem.h sys/shm.h sys/socket.h sys/stat.h sys/statfs.h sys/statvfs.h sys/sysinfo.h sys/sysmacros.h sys/time.h sys/times.h sys/timerfd.h
sys/uio.h sys/utsname.h sys/wait.h sys/xattr.h syslog.h termios.h threads.h time.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmp.h wchar.h wctype.h wordexp.h""".split()

POINTER = re.compile(r"[*\]]")


def prototypes():
    """{name: (type of the result, types of the parameters)}, as the headers have them."""
    import json
    import shutil
    clang = next(c for c in ("clang-19", "clang-18", "clang-17", "clang-16", "clang") if shutil.which(c))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "all.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write("#define _GNU_SOURCE\n#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1\n"
                    "#define __STDC_WANT_IEC_60559_FUNCS_EXT__ 1\n#define __STDC_WANT_IEC_60559_BFP_EXT__ 1\n" +
                    "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in HEADERS))
        done = subprocess.run([clang, "-std=gnu17", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", path],
                              capture_output=True, text=True, check=True)
    found = {}
    for node in json.loads(done.stdout)["inner"]:
        if node["kind"] != "FunctionDecl":
            continue
        types = [(p["type"].get("desugaredQualType") or p["type"]["qualType"])
                 for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        whole = node["type"].get("desugaredQualType") or node["type"]["qualType"]
        found[node["name"]] = (whole.split("(")[0].strip(), types)
    return found


NUMBERS = (("1", "0", "2"), ("1.5", "0.25", "-3.0"))


def argument(name, i, kind, word, variant):
    """One argument as C, for a parameter of that type and that word of the row."""
    given = VALUES.get(name, {}).get(i) or sweep.VALUES.get(name, {}).get(i)
    if given is not None:
        return given
    if "locale_t" in kind or "__locale_struct" in kind:
        return "L"
    if "FILE" in kind or "_IO_FILE" in kind:
        return "F"
    if word and word[0] in "gh":
        return "D"
    if re.match(r"(struct|union|ENTRY)\b", kind) and not POINTER.search(kind):
        return "(%s){0}" % kind
    if POINTER.search(kind):
        return f"(void *)B[{i}].c" if not word or word[0] not in "vf" else "(void *)0"
    if "double" in kind or "float" in kind or "_Float" in kind:
        return NUMBERS[1][variant]
    return NUMBERS[0][variant] if sweep.FROM.get(name) is None else sweep.FROM[name]


def fill(name, i, word):
    if not word or word[0] in "vf":
        return ""
    text = sweep.content(name, word, i)
    return f"memset(B[{i}].c, 0, sizeof B[{i}]); " + text.replace("B[%d].c" % i, "B[%d].c" % i)


def make(name, signature, types):
    """(fill, call) as C, or None."""
    result, parameters = types
    words = [] if signature in ("value", "math") else [w for w in signature.split() if w[:2] not in ("r:", "O:")]
    calls, fills = [], []
    for variant in range(3):
        args = [argument(name, i + 1, kind, words[i] if i < len(words) else "", variant)
                for i, kind in enumerate(parameters)]
        if words and words[0][0] in "CD" and len(args) > 1:
            args[1] = "(void *)B[1].c"
        if any(w[0] in "PQ" for w in words) and "A" not in words:
            args.append("(void *)B[8].c")
        text = f"{name}({', '.join(args)})"
        if result == "void":
            calls.append(f"if (variant == {variant}) {text};")
        else:
            calls.append(f"if (variant == {variant}) CALL(__typeof__({text}), {text});")
    for i, w in enumerate(words):
        fills.append(fill(name, i + 1, w))
    return " ".join(fills), " ".join(calls)


def main():
    only = sys.argv[2:]
    known = prototypes()
    wrong, cases = [], []
    for name, signature in sorted(claims().items()):
        if only and name not in only:
            continue
        if name in REASONS:
            continue
        types = known.get(name) or known.get(re.sub("f128$", "", name))  # clang has no such type everywhere
        if "A" in signature.split():
            continue  # a list of arguments: its twin without one is called
        if types is None:
            wrong.append(f"{name}: no header declares it, so nothing shows that it is pure")
            continue
        cases.append((name, *make(name, signature, types)))
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "pure.c")
        parts = {"names": ", ".join('"%s"' % c[0] for c in cases),
                 "fills": "\n".join("case %d: %s break;" % (i, c[1]) for i, c in enumerate(cases)),
                 "calls": "\n".join("case %d: %s break;" % (i, c[2]) for i, c in enumerate(cases))}
        includes = "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in HEADERS if h not in ("pty.h",))
        with open(source, "w", encoding="utf-8") as f:
            f.write("#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1\n#define __STDC_WANT_IEC_60559_FUNCS_EXT__ 1\n"
                    "#define __STDC_WANT_IEC_60559_BFP_EXT__ 1\n" + HEAD.replace("/* Memory that calls", includes + "/* Memory that calls", 1) +
                    TAIL % parts)
        if os.environ.get("PURE_KEEP"):
            import shutil
            shutil.copy(source, os.environ["PURE_KEEP"])
        done = subprocess.run(["gcc", "-std=gnu17", "-O0", "-fno-builtin", "-w", source, "-o", source[:-2], "-lm", "-lcrypt"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr[:6000])
        scratch = os.path.join(work, "file")
        with open(scratch, "w", encoding="utf-8") as f:
            f.write("12 34\nabc\n")
        done = subprocess.run([source[:-2], scratch], capture_output=True, text=True, errors="replace", cwd=work,
                              stdin=subprocess.DEVNULL, timeout=600)
    lines = done.stdout.splitlines()
    seen = set()
    for line in lines[:-1]:
        name, variant, what = line.split(" ", 2)
        if name not in seen:
            wrong.append(f"{name}: {what}")
        seen.add(name)
    for text in wrong:
        print("FAIL " + text)
    print(f"{lines[-1] if lines else 'nothing'}, {len(wrong)} wrong")
    sys.exit(bool(wrong) or done.returncode != 0)


if __name__ == "__main__":
    main()
