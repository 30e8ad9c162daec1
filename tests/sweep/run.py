#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of the C library, each called by one thread while another writes the same memory.

Usage: run.py TREADLE [FUNCTION...]

The calls are made from the rows of src/wire/library.h: every argument that a row looks behind is
a buffer of its own, which the other thread writes to; a function with a state is called by both.
Each must be a data race or a line of the ledger. And no function is left out silently: all that the C
library and libm export under a name of a program's has a row, is in a list of src/wire/api.h, or has
a reason below; so does every function that treadle takes over."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARIES = ["libc.so.6", "libm.so.6"]

# Families that no row covers, by the beginning of their names. A call of one is not watched, which
# is a line of the ledger (docs/limits.md).
NOT_WATCHED = {
    "remote procedure calls": "xdr clnt svc auth pmap key_ rpc getrpc setrpc endrpc rtime callrpc registerrpc "
        "xprt netname host2netname user2netname getnetname getpublickey getsecretkey xencrypt xdecrypt "
        "passwd2des cbc_crypt ecb_crypt des_ get_myaddress bindresvport",
    "names and addresses": "res_ ns_ dn_ inet6_ inet_nsap gethost getnet getproto getserv setnet endnet innetgr "
        "ruser rcmd rexec rresvport iruser ether_ getsourcefilter setsourcefilter getipv4 setipv4 gai_ getaddrinfo_a",
    "users and accounts": "getsg setsg endsg sgetsg putsg fgetsg getsp sgetsp putsp fgetsp lckpwdf ulckpwdf getutmp "
        "updwtmp login logout logwtmp utmpxname getut getttyent setttyent endttyent getttynam getalias setalias "
        "endalias getfs",
    "modules and the kernel": "bdflush capget capset create_module delete_module init_module get_kernel_syms "
        "query_module uselib nfsservctl sysctl klogctl modify_ldt ioperm iopl arch_prctl quotactl pivot_root "
        "fsconfig fsmount fsopen fspick move_mount mount_setattr open_tree fanotify name_to_handle open_by_handle "
        "pidfd_ pkey_ process_m remap_file_pages sync_file_range vlimit vtimes sigreturn sigstack sigvec "
        "sstk sysv_signal bsd_signal stty gtty revoke rtime setlogin setaliasent",
    "STREAMS, which Linux has not": "getmsg putmsg getpmsg putpmsg fattach fdetach isastream",
    "old or internal": "advance step loc argp_ cfree mcount moncontrol sprofil tr_break mprobe mcheck_ aio_init lio_ "
        "isfdtype re_ register_printf parse_printf printf_size getpw openpty forkpty login_tty "
        "fchflags chflags ssignal fts64 ftw64 nftw64 wcsnrtombs dladdr1 tgkill ntp_ strtof wcstof strfromf "
        "f32 f64 fmaxmag fminmag modff frexpf remquof sincosf lgammaf setpayload getpayload canonicalize "
        "totalorder nanf exec fexecve clone daemon llseek obstack_ readdir64_r preadv64v2 pwritev64v2 "
        "pthread_kill_other_threads_np",
    "of no use where a process cannot start another": "posix_spawn",
    "watched as instructions": "memcpy memmove memset",
}

# Never called here: they would end or change this machine, or wait.
LEFT_ALONE = set("""tmpfile pclose fcloseall mkstemp mkstemps mkostemp mkostemps mkdtemp mktemp remove rename renameat renameat2
err errx verr verrx error error_at_line gets getpass longjmp _longjmp siglongjmp setjmp _setjmp sigsetjmp __sigsetjmp
settimeofday adjtime clock_settime stime setitimer timer_create timer_settime timer_delete timer_gettime timer_getoverrun
utime utimes lutimes futimes futimesat utimensat futimens malloc_trim malloc_stats malloc_info mallinfo mallinfo2
fdopen freopen fclose setbuffer setbuf setvbuf fopen fmemopen __overflow __uflow fread_unlocked
sendmsg recvmsg select pselect ppoll poll nanosleep epoll_wait epoll_pwait epoll_pwait2 sigwait sigwaitinfo sigtimedwait
sigsuspend pthread_getattr_default_np pthread_setattr_default_np sem_open malloc_usable_size scanf vscanf wscanf vwscanf
thrd_create thrd_join pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_clockjoin_np pthread_create
pthread_cond_timedwait pthread_cond_clockwait cnd_timedwait sem_timedwait sem_clockwait pthread_getattr_np
pthread_getname_np pthread_setname_np pthread_getaffinity_np pthread_setaffinity_np pthread_getschedparam
random_r srandom_r timerfd_gettime mmap eventfd_read pthread_mutex_getprioceiling
ptsname_r getlogin_r ttyname_r tcgetattr flistxattr pthread_getcpuclockid sigaction pthread_mutex_setprioceiling matherr tzset lfind getdate""".split())
# Of the groups that reach beyond the process, these are called.
CALLED = set("""access faccessat eaccess euidaccess stat lstat fstat fstatat statx readlink readlinkat pread pwrite preadv pwritev getcwd getwd
get_current_dir_name pathconf getresuid getresgid getlogin getlogin_r gethostname getdomainname ttyname ttyname_r tcgetattr
cfgetispeed cfgetospeed cfsetispeed cfsetospeed cfsetspeed cfmakeraw getrlimit getrusage uname sysinfo statfs fstatfs
statvfs fstatvfs getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr sched_getparam sched_rr_get_interval
sched_getaffinity getcpu sigemptyset sigfillset sigaddset sigdelset sigismember sigisemptyset sigandset sigorset
glob_pattern_p open openat ftok inet_addr inet_aton inet_network inet_pton if_nametoindex ether_aton ether_ntoa
ether_aton_r ether_ntoa_r setlocale localeconv nl_langinfo gettext dgettext dcgettext ngettext dngettext dcngettext
textdomain bindtextdomain hcreate tsearch tfind tdelete getpwnam getpwuid getpwent setpwent endpwent getgrnam getgrgid
getgrent setgrent endgrent getpwnam_r getpwuid_r getgrnam_r getgrgid_r warn warnx vwarn vwarnx backtrace dladdr regcomp
gethostbyname getservbyname getprotobyname getservent getprotoent setservent endservent fnmatch waitpid
getsockname getsockopt bind connect setsockopt send sendto write writev read recv readv getrandom time gettimeofday
clock_gettime clock_nanosleep thrd_sleep pipe pipe2 socketpair posix_memalign sem_getvalue pthread_key_create tss_create
pthread_setcancelstate pthread_setcanceltype pthread_sigmask sigprocmask sigpending pthread_mutex_init
pthread_cond_init pthread_rwlock_init pthread_barrier_init pthread_mutex_timedlock pthread_mutex_clocklock
pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock mtx_timedlock
eventfd_read sem_unlink mmap epoll_ctl recvfrom""".split())
WHOLE = ["STDIO", "STDLIB", "STRING", "WIDE", "TIME", "MATH", "THREADS"]

# Values of arguments and first contents of buffers that make a call succeed: function -> {argument: C}.
VALUES = {
    "fseek": {2: "0"}, "fputs": {}, "strtol_l": {3: "10", 4: "(long)L"}, "strtoul_l": {3: "10", 4: "(long)L"},
    "strtoll_l": {3: "10", 4: "(long)L"}, "strtoull_l": {3: "10", 4: "(long)L"}, "strtoq": {3: "10"}, "strtouq": {3: "10"},
    "fgets": {2: "8"}, "gcvt": {1: "1.0", 2: "3"}, "strerror_r": {1: "100000", 3: "100"}, "dladdr": {1: "(long)two"},
    "sched_getaffinity": {1: "0", 2: "128"}, "socketpair": {1: "1", 2: "1", 3: "0"}, "bind": {3: "2"},
    "connect": {3: "2"}, "setsockopt": {5: "4"}, "strncasecmp_l": {3: "4", 4: "(long)L"}, "wcsncasecmp_l": {3: "4", 4: "(long)L"},
    "wcsftime_l": {2: "40", 5: "(long)L"}, "strftime_l": {2: "40", 5: "(long)L"}, "wcsxfrm_l": {3: "40", 4: "(long)L"}, "mbstowcs": {3: "4"}, "wcstombs": {3: "4"},
    "initstate_r": {}, "sethostname": {}, "ecvt": {2: "3"},
}
TEXTS = {"strfromd": '"%f"', "strfromf": '"%f"'}
FROM = {  # what v is where 0 will not do, by function
    "gethostname": "100", "getcwd": "300", "strerror_r": "100", "__xpg_strerror_r": "100", "bcopy": "8", "bzero": "8",
    "explicit_bzero": "8", "swab": "8", "memfrob": "8", "strftime": "40", "strxfrm": "40", "wmemcpy": "4",
    "wmemmove": "4", "wmempcpy": "4", "wmemset": "4", "wcsncpy": "4", "wcpncpy": "4", "wcsncat": "4", "wcsnlen": "4",
    "wcsncmp": "4", "wcsncasecmp": "4", "wmemchr": "4", "wmemcmp": "4", "wcswidth": "4", "fwrite": "1",
    "fwrite_unlocked": "1", "fread": "1", "fgets_unlocked": "8", "fgetws": "8", "fgetws_unlocked": "8",
    "getentropy": "8", "arc4random_buf": "8", "mbtowc": "4", "mblen": "4", "mbrtowc": "4", "mbrlen": "4",
    "mbrtoc16": "4", "mbrtoc32": "4", "wcsxfrm": "40", "swprintf": "40", "vswprintf": "40", "wcsftime": "40",
    "strfromd": "40", "strfromf": "40", "getloadavg": "1", "argz_count": "2", "read": "4", "pread": "4", "write": "4",
    "pwrite": "4", "readlink": "100", "getdomainname": "100", "backtrace": "4", "strncasecmp_l": "4",
    "sched_getaffinity": "128", "pthread_attr_setaffinity_np": "8", "pthread_attr_getaffinity_np": "8", "getwd": "0",
    "strcoll_l": "(long)L", "strxfrm_l": "(long)L", "strtod_l": "(long)L", "strtof_l": "(long)L", "strtold_l": "(long)L",
    "wcscoll_l": "(long)L", "sigaddset": "1", "sigdelset": "1", "sigismember": "1", "timespec_get": "1",
    "timespec_getres": "1", "strfry": "0", "preadv": "1", "pwritev": "1", "readv": "1", "writev": "1", "getrandom": "4",
    "pthread_barrier_init": "2", "clock_getres": "0", "inet_pton": "2", "posix_memalign": "16", "sem_getvalue": "(long)&S",
    "cfsetispeed": "13", "cfsetospeed": "13", "cfsetspeed": "13", "hcreate": "4", "strcasecmp_l": "(long)L",
    "wcscasecmp_l": "(long)L", "wcsncasecmp_l": "4", "getresuid": "0", "listxattr": "10", "fsetpos": "0",
}


def rows():
    """(group, name, signature) of each row."""
    text = open(os.path.join(ROOT, "src/wire/library.h")).read()
    text = re.sub(r"#if defined\(__aarch64__\).*?#else", "", text, flags=re.S)
    sizes = dict(re.findall(r'#define (WIRE_\w+) "(\d+)"', text))
    found = []
    for group, body in re.findall(r"#define WIRE_LIBRARY_(\w+)\(X\)((?:.*\\\n)*.*\n)", text):
        for name, words in re.findall(r'X\((\w+), ((?:"[^"]*"|WIRE_\w+|\s)+)\)', body):
            signature = "".join(sizes[b] if b else a for a, b in
                                re.findall(r'"([^"]*)"|(WIRE_\w+)', words))
            found.append((group, name, signature))
    return found, text


# ---- every exported function has a row or a reason ----

def listed():
    """Names in the lists of src/wire/api.h."""
    text = open(os.path.join(ROOT, "src/wire/api.h")).read()
    return set(re.findall(r"X\((\w+)[,)]", text))


def values(text):
    bodies = re.findall(r"#define (WIRE_VALUES\w*)\(X\)((?:.*\\\n)*.*\n)", text)
    return {name: set(re.findall(r"X\((\w+)\)", body)) for name, body in bodies}


def exported():
    names = set()
    for library in LIBRARIES:
        path = subprocess.run(["gcc", "-print-file-name=" + library], capture_output=True, text=True,
                              check=True).stdout.strip()
        table = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                               check=True).stdout
        for line in table.splitlines():
            word = line.split()
            if len(word) == 3 and word[1] in "TWi" and not word[2].startswith("_"):
                names.add(word[2].split("@")[0])
    return names


def is_known(name, known, math):
    if name in known or name.removesuffix("64") in known:
        return True
    stem = re.sub(r"(f32x|f64x|f128|f32|f64|f|l)$", "", name)
    return name in math or stem in math


def is_reasoned(name):
    return any(name.startswith(beginning) for text in NOT_WATCHED.values() for beginning in text.split())


def check_names(table, text):
    have = values(text)
    known = {name for _, name, _ in table} | listed() | have["WIRE_VALUES"]
    names = exported()
    silent = sorted(n for n in names
                    if not is_known(n, known, have["WIRE_VALUES_MATH"]) and not is_reasoned(n))
    print("%d functions are exported, %d have a row" % (len(names), len(table)))
    for name in silent:
        print("FAIL  %s: neither a row nor a reason" % name)
    return not silent, names


# ---- calls ----

UNSEEN = "W:1 W:2 S:descriptors S:hidden".split()  # about no argument, and no order of them is a race


def words_of(signature):
    return [w for w in signature.split() if (w[0] not in "ruxct" or w[:2] == "c ") and w not in UNSEEN]


def argument(name, i, word, buffers, late):
    """One argument as C; buffers are those that the other thread writes to."""
    kind = word[0]
    given = VALUES.get(name, {}).get(i)
    if given is not None:
        return given
    if kind == "f":
        return "1.0"
    if kind in "mpleyY":
        return "F"
    if kind in "hHg":
        return "D"
    if kind == "A":
        return "l"
    if kind in "vdKZ":
        return FROM.get(name, "0")
    buffers.append(i)
    late.append("?" in word or "=" in word or kind in "qGJkj")
    return "(void *)B[%d].c" % i


def content(name, word, i):
    kind = word[0]
    if kind in "swCkjnNazPQ" or word[:2] in ("os", "ow", "qi"):
        wide = "w" in word[:3]
        text = TEXTS.get(name, '"%d"' if kind in "PQ" else '"1"')
        return "memcpy(B[%d].c, %s%s, sizeof %s%s);" % (i, "L" if wide else "", text, "L" if wide else "", text)
    return ""


def make_case(number, name, signature):
    words = words_of(signature)
    buffers, late, setup = [], [], []
    args = [argument(name, i + 1, w, buffers, late) for i, w in enumerate(words)]
    if words and words[0][0] in "CD":  # compared with what it is itself
        args[1] = "(void *)B[1].c"
    if name.endswith("_l") and args[-1] in ("0", "10"):
        args[-1] = "(long)L"
    setup = [content(name, w, i + 1) for i, w in enumerate(words)]
    if any(w[0] in "PQ" for w in words) and "A" not in words:
        args.append("&extra")
    call = "((long (*)(%s))%s)(%s);" % ("" if args else "void", name, ", ".join(args))
    if "A" in words:
        call = "with(%d, &extra);" % number
    state = re.search(r"[ru]:|\b[mpyYhH]\b", signature)
    other = " ".join("B[%d].c[0] = B[%d].c[0];" % (i, i) for i in buffers)
    own = call if state else ""
    if re.search(r"\b[el]\b", signature):
        own = "fputc('x', F);"
    elif "r:" in signature and "u:" not in signature:  # who only reads a state races with who updates it
        own = 'setenv("A", "1", 1); setlocale(LC_ALL, "C");'
    va = "case %d: ((long (*)())%s)(%s); break;" % (number, name, ", ".join(args)) if "A" in words else ""
    return {"setup": " ".join(setup), "call": call, "other": other + " " + own, "va": va}


HEAD = """#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
static union { char c[4096]; long n[512]; } B[9];
static FILE *F;
static int D;
static locale_t L;
static sem_t S;
static long extra;
static int number;
static void *two(void *a);
"""

TAIL = """
static void *one(void *a) { switch (number) { %(calls)s } return a; }
static void *two(void *a) { switch (number) { %(others)s } return a; }
int main(int argc, char **argv)
{
    pthread_t t, u;
    number = atoi(argv[1]);
    L = newlocale(LC_ALL_MASK, "C", 0);
    sem_init(&S, 0, 1);
    F = fopen(argv[2], "r+");
    D = open(argv[2], O_RDWR);
    switch (number) { %(setups)s }
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return argc - 3;
}
"""


def is_called(group, name, signature):
    if name in LEFT_ALONE or name.startswith("_") and name not in ("__xpg_strerror_r",):
        return False
    seen = " ".join(w for w in signature.split() if w not in UNSEEN)
    if not re.search(r"[^vfcB ]", seen):  # B: a variable that is written later
        return False
    if signature == "x":
        return False
    return group in WHOLE or name in CALLED


def program(cases):
    names = sorted({c["name"] for c in cases})
    text = HEAD
    text += "static void with(int i, ...) { va_list l; va_start(l, i); switch (i) { %s } va_end(l); }\n" % \
        "\n".join(c["va"] for c in cases)
    parts = {}
    for key, field in (("calls", "call"), ("others", "other"), ("setups", "setup")):
        parts[key] = "\n".join("case %d: %s break;" % (c["number"], c[field]) for c in cases)
    declared = "".join("void decl_%s(void) __asm__(\"%s\");\n" % (n, n) for n in names)
    body = text.replace("static void with", declared + "static void with", 1) + TAIL % parts
    for n in names:  # our own declaration: no header has to be right about it
        body = body.replace("*)())%s)" % n, "*)())decl_%s)" % n).replace("*)(void))%s)" % n, "*)(void))decl_%s)" % n)
    return body


def run_case(treadle, binary, folder, case):
    """(races, whether a line says "not watched", output), in a folder of its own"""
    folder = os.path.join(folder, str(case["number"]))
    os.mkdir(folder)
    scratch = os.path.join(folder, "file")
    with open(scratch, "w") as f:
        f.write("12 34\nabc\n")
    command = [treadle, "run", "-k", "-q", "-j1", "--no-known", "--explain-time=50ms", binary, str(case["number"]), scratch]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    races = len(re.findall(r"SUMMARY: treadle: data race", done.stdout))
    return races, "not watched" in done.stdout, done.stdout


def main():
    treadle = os.path.abspath(sys.argv[1])
    only = sys.argv[2:]
    table, text = rows()
    good, names = check_names(table, text)
    cases = [dict(make_case(i, name, signature), number=i, name=name, signature=signature)
             for i, (group, name, signature) in enumerate(table)
             if name in names and (name in only if only else is_called(group, name, signature))]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "sweep.c")
        with open(source, "w") as f:
            f.write(program(cases))
        subprocess.run([treadle, "cc", "-g", "-O0", "-w", "-fno-builtin", "-std=gnu17", "-pthread", source, "-o",
                        "sweep", "-lm", "-Wl,--no-warnings"], cwd=folder, check=True)
        n = [0, 0]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda c: run_case(treadle, "../sweep", folder, c), cases))
        for case, (races, gap, out) in zip(cases, results):
            n[0] += races > 0
            n[1] += gap and not races
            if races == 0 and not gap:
                good = False
                print("FAIL  %s (%s): silent" % (case["name"], case["signature"]))
                if only:
                    print(out)
    print("%d functions were called: %d races, %d lines of the ledger" % (len(cases), n[0], n[1]))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
