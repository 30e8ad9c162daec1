#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh TREADLE: checks that `treadle cc` behaves like a C compiler. One line per check;
# exits with 1 if one failed.
treadle=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# check NAME COMMAND...: the command succeeds.
check() {
    name=$1
    shift
    if "$@" >log 2>&1; then
        echo "ok      $name"
    else
        echo "FAILED  $name: $*"
        sed 's/^/        /' log | head -20
        failed=1
    fi
}

tcc() { "$treadle" cc "$@"; }
# Builds without a word.
quiet() { out=$(tcc "$@" 2>&1) && [ -z "$out" ] || { echo "$out"; return 1; }; }
# The program prints this.
says() { text=$1; shift; out=$("$@") && [ "$out" = "$text" ] || { echo "got: $out"; return 1; }; }
# The command fails with this code.
fails() { code=$1; shift; "$@"; [ $? -eq "$code" ]; }
has() { grep -q -- "$1" "$2"; }
hasnt() { ! grep -q -- "$1" "$2"; }
instrumented() { nm "$1" | grep -q ' U __treadle_\|treadle.sites'; }
native() { ! instrumented "$1"; }

cat >a.c <<'END'
#include <stdio.h>
#include "a.h"
int shared_count;
int twice(int);
int main(void) { shared_count += 3; printf("%d\n", twice(shared_count) + EXTRA); return 0; }
END
cat >a.h <<'END'
#ifndef EXTRA
#define EXTRA 0
#endif
END
cat >b.c <<'END'
extern int shared_count;
int twice(int x) { shared_count++; return 2 * x; }
END
cat >lib.c <<'END'
static int calls;
int lib_calls(void) { return ++calls; }
END
cat >uses.c <<'END'
#include <stdio.h>
int lib_calls(void);
int main(void) { lib_calls(); printf("%d\n", lib_calls()); return 0; }
END
cat >one.c <<'END'
#include <stdio.h>
int n;
int main(int argc, char **argv) { n = argc; printf("%d\n", n); return 0; }
END
cat >up.S <<'END'
    .globl up
up: mov %edi, %eax
    add $1, %eax
    ret
    .section .note.GNU-stack,"",%progbits
END
[ "$(uname -m)" = x86_64 ] || cat >up.S <<'END'
    .globl up
up: add w0, w0, 1
    ret
    .section .note.GNU-stack,"",%progbits
END
cat >useup.c <<'END'
#include <stdio.h>
int up(int);
int main(void) { printf("%d\n", up(4)); return 0; }
END
echo 'int broken( { return 0; }' >bad.c
echo 'int nothing(void); int main(void) { return nothing(); }' >undefined.c

# --- what is passed on unchanged ---
check "--version" says "$(tcc --version | head -1)" sh -c "'$treadle' cc --version | head -1"
check "--version names a compiler" sh -c "'$treadle' cc --version | grep -qi clang"
check "-v without input" tcc -v
check "-dumpversion" sh -c "'$treadle' cc -dumpversion | grep -q '^[0-9]'"
check "-dumpmachine" sh -c "'$treadle' cc -dumpmachine | grep -q linux"
check "-print-prog-name" sh -c "'$treadle' cc -print-prog-name=ld | grep -q ld"
check "-print-search-dirs" tcc -print-search-dirs
check "-###" tcc '-###' -c a.c
check "-Wl,--version" tcc -Wl,--version
check "no input: exit code" fails 1 tcc
check "-E to standard output" sh -c "'$treadle' cc -E a.c | grep -q shared_count"
check "-E -o" quiet -E a.c -o a.i
check "-E keeps text" has twice a.i
check "-M" sh -c "'$treadle' cc -M a.c | grep -q 'a.o:.*a.c'"
check "-MM" sh -c "'$treadle' cc -MM a.c | grep -q a.h"
check "-S is assembler" quiet -S a.c -o a.s
check "-S has no hooks" hasnt __treadle a.s
check "-fsyntax-only" quiet -fsyntax-only a.c
check "-fsyntax-only makes nothing" test ! -e a.o
check "-c -o /dev/null" quiet -c a.c -o /dev/null
check "-E --volatile: clang does not see it" quiet --volatile=atomic -E a.c -o av.i
check "-emit-llvm -c" quiet -emit-llvm -c b.c -o b.bc

# --- objects ---
check "-c" quiet -c a.c
check "-c instruments" instrumented a.o
check "-c makes a native object" sh -c "readelf -h a.o | grep -q REL"
check "-c -o" quiet -c b.c -o deep.o
check "-oFILE in one word" quiet -c b.c -odeep2.o
check "-o before the source" quiet -o deep3.o -c b.c
check "-c of several sources" quiet -c a.c b.c
check "-c of several: both there" instrumented b.o
check "-c of source and assembler" quiet -c uses.c up.S
check "assembler object" sh -c "nm up.o | grep -q 'T up'"
check ".s input" sh -c "'$treadle' cc -c a.s -o as.o && nm as.o | grep -q 'T main'"
check ".i input" quiet -c a.i -o ai.o
check ".i is instrumented" instrumented ai.o
check "-x c - from standard input" sh -c "'$treadle' cc -x c -c - -o stdin.o <b.c"
check "standard input is instrumented" instrumented stdin.o
check "-xc in one word" sh -c "cp b.c b.txt && '$treadle' cc -xc -c b.txt -o btxt.o"
check "response file" sh -c "echo '-c \"b.c\" -o rsp.o' >args && '$treadle' cc @args"
check "response file is instrumented" instrumented rsp.o
echo 'extern volatile int v; int get(void) { return v; }' >vol.c
check "--volatile=atomic" quiet --volatile=atomic -c vol.c
check "--volatile=atomic: an atomic" sh -c "nm vol.o | grep -q 'U __treadle_atomic'"
check "--volatile=plain: the last one counts" quiet --volatile=atomic --volatile=plain -c vol.c
check "--volatile=plain: no atomic" sh -c "! nm vol.o | grep -q 'U __treadle_atomic'"
check "--volatile=strange: exit code" fails 2 tcc --volatile=strange -c vol.c
check "-Wa," quiet -Wa,--noexecstack -c b.c -o wa.o
check "-pipe" quiet -pipe -c b.c -o pipe.o
check "-save-temps" sh -c "mkdir -p st && cd st && '$treadle' cc -save-temps -c ../b.c -o b.o"
check "-save-temps is instrumented" instrumented st/b.o
check "unused -l is clang's to mention" sh -c "'$treadle' cc -c b.c -lm -o um.o 2>&1 | grep -q lm"
for o in -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast; do
    check "$o" quiet -Wno-deprecated -c a.c $o -o level.o
done
check "-flto gives a native object" quiet -flto -O2 -c a.c -o lto.o
check "-flto=thin" quiet -flto=thin -O2 -c a.c -o lto.o
check "-ffunction-sections" quiet -ffunction-sections -c b.c -o fs.o
check "-ffunction-sections splits" sh -c "readelf -SW fs.o | grep -q '\.text\.twice'"
check "-fPIC" quiet -fPIC -c b.c -o pic.o
check "-g keeps debug information" sh -c "'$treadle' cc -g -c b.c -o g.o && readelf -SW g.o | grep -q debug_info"
check "-g3" quiet -g3 -c b.c -o g3.o
check "-gsplit-dwarf" quiet -gsplit-dwarf -c b.c -o gs.o
check "hidden temporary files are gone" sh -c '! ls -A | grep -q "\.treadle"'

# --- dependencies ---
check "-MD" sh -c "rm -f a.d; '$treadle' cc -MD -c a.c && grep -q '^a.o:.*a.c' a.d"
check "-MMD -MP -MF -MT" sh -c "'$treadle' cc -MMD -MP -MF x.dep -MT target -c a.c -o z.o && grep -q '^target:' x.dep && grep -q '^a.h:' x.dep"
check "-MD with -o names the output" sh -c "mkdir -p o && '$treadle' cc -MD -c a.c -o o/x.o && grep -q '^o/x.o:' o/x.d"
check "-Wp,-MD," sh -c "'$treadle' cc -Wp,-MD,wp.d -c a.c -o wp.o && grep -q 'a.h' wp.d"
check "-MD while linking" sh -c "rm -f *.d; '$treadle' cc -MD a.c b.c -o prog && grep -q ':.*b.c' prog.d && ! ls | grep -q '^[0-9].*\.d'"

# --- programs ---
check "link of objects" sh -c "'$treadle' cc -c a.c b.c && '$treadle' cc a.o b.o -o prog"
check "it runs" says 6 ./prog
check "sources to a.out" sh -c "rm -f a.out; '$treadle' cc a.c b.c && test -x a.out"
check "a.out runs" says 6 ./a.out
check "no objects left beside" sh -c "rm -f *.o; '$treadle' cc a.c b.c && ! ls | grep -q '\.o$'"
check "source and object" sh -c "'$treadle' cc -c b.c && '$treadle' cc -O2 -DEXTRA=1 a.c b.o -o prog"
check "-D reached the source" says 7 ./prog
check "link is silent" quiet -O2 -g -Wall -Wextra -I. -DEXTRA=2 -MMD a.c b.c -o prog -lm -pthread
check "it runs" says 8 ./prog
check "source on standard input, linked" sh -c "'$treadle' cc -x c - -o prog <one.c"
check "it runs" says 1 ./prog
check "assembler and source, linked" quiet useup.c up.S -o prog
check "it runs" says 5 ./prog
check "-x c, then -x none" sh -c "'$treadle' cc -c b.c && cp a.c a.txt && '$treadle' cc -x c a.txt -x none b.o -o prog"
check "it runs" says 6 ./prog
check "-flto link" sh -c "'$treadle' cc -flto -O2 a.c b.c -o prog"
check "it runs" says 6 ./prog
check "-no-pie" sh -c "'$treadle' cc -fno-pie -no-pie a.c b.c -o prog"
check "it runs" says 6 ./prog
check "-static" sh -c "'$treadle' cc -static a.c b.c -o prog"
check "it runs" says 6 ./prog
check "--gc-sections" quiet -ffunction-sections -fdata-sections -Wl,--gc-sections a.c b.c -o prog
check "it runs" says 6 ./prog
check "-s strips" sh -c "'$treadle' cc -s a.c b.c -o prog"
check "it runs" says 6 ./prog
check "build id" sh -c "readelf -n prog | grep -q 'Build ID'"
check "site table" sh -c "readelf -SW prog | grep -q treadle_sites"
check "no relocations in the site table" sh -c "
    set -- \$(readelf -SW prog | sed -n 's/.*treadle_sites *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\).*/\1 \2/p')
    readelf -rW prog | awk -v lo=\$((0x\$1)) -v n=\$((0x\$2)) '
        BEGIN { for (i = 0; i < 16; i++) v[substr(\"0123456789abcdef\", i + 1, 1)] = i }
        /^[0-9a-f]+ +[0-9a-f]+ +R_/ { x = 0; for (i = 1; i <= length(\$1); i++) x = x * 16 + v[substr(\$1, i, 1)]
            if (x >= lo && x < lo + n) bad = 1 }
        END { exit bad }'"
check "-r" sh -c "'$treadle' cc -c a.c b.c && '$treadle' cc -r -nostdlib a.o b.o -o both.o && '$treadle' cc both.o -o prog"
check "it runs" says 6 ./prog
check "archive" sh -c "'$treadle' cc -c b.c && rm -f libb.a && ar rc libb.a b.o && '$treadle' cc a.c -L. -lb -o prog"
check "it runs" says 6 ./prog

# --- objects without code that follows values ---
cat >input.c <<'END'
#include <treadle.h>
#include <assert.h>
int twice(int);
int shared_count;
int main(void) { int n = treadle_int("n"); assert(twice(n) != 84); return 0; }
END
cat >reads.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int twice(int);
int shared_count;
int main(void) { if (twice(getchar()) == 84) abort(); return 0; }
END
follows() { nm "$1" | grep -q __treadle_sym_; }
finds() { "$treadle" run --out=found.out "$@" >run.log 2>&1; [ $? -eq 1 ] || { cat run.log; return 1; }; }
refuses() { "$treadle" run --out=found.out "$@" >run.log 2>&1; [ $? -eq 2 ] && grep -q 'treadle cc --inputs' run.log; }
check "-c leaves it out" sh -c "'$treadle' cc -g -O1 -c b.c input.c reads.c"
check "not of what makes inputs" follows input.o
check "but of others" sh -c "! nm b.o | grep -q __treadle_sym_"
check "--inputs has it" sh -c "'$treadle' cc --inputs -g -O1 -c b.c -o b2.o"
check "it is there" follows b2.o
check "a link with inputs" tcc input.o b.o -o prog
check "follows values" finds ./prog
check "a link of a source" tcc input.c b.o -o prog
check "follows values" finds ./prog
check "an archive by -l" sh -c "rm -f libb.a && ar rc libb.a b.o && '$treadle' cc input.o -L. -lb -o prog"
check "follows values" finds ./prog
check "an archive by path" tcc input.o ./libb.a -o prog
check "follows values" finds ./prog
check "a link without inputs" tcc reads.o b.o -o prog
check "leaves the bitcode out" sh -c "! readelf -SW prog | grep -q treadle.bitcode"
check "refuses --sym-stdin" refuses --sym-stdin=1 ./prog
check "refuses --goal=branches" refuses --goal=branches ./prog
check "refuses --keep-runs" refuses --keep-runs ./prog
check "runs, with nothing to explore" sh -c "'$treadle' run --out=found.out ./prog; [ \$? -eq 3 ]"
check "a link with --inputs" tcc --inputs reads.o b.o -o prog
check "follows standard input" finds --sym-stdin=1 ./prog
cat >again.c <<'END'
#include <pthread.h>
#include <stddef.h>
static int object = 1, *shared = &object;
static void *clear(void *arg) { shared = NULL; return arg; }
static __attribute__((noinline)) int look(int value)
{
    if (shared != NULL)
        value = *shared;
    return value;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    int value = look(0);
    pthread_join(t, NULL);
    return value > 1;
}
END
check "accesses of it are promoted" sh -c "'$treadle' cc -g -O1 -c again.c && '$treadle' cc again.o -o prog
    '$treadle' run -k --out=again.out ./prog >run.log 2>&1; grep -q 'SUMMARY.* again.c:8' run.log && grep -q 'SUMMARY.*crash' run.log || { cat run.log; false; }"
check "-r" sh -c "'$treadle' cc -r -nostdlib reads.o b.o -o both.o && '$treadle' cc both.o -o prog"
check "follows standard input" finds --sym-stdin=1 ./prog
check "ld -r" sh -c "ld -r reads.o b.o -o both.o && '$treadle' cc --inputs both.o -o prog"
check "is refused" refuses --sym-stdin=1 ./prog
check "a shared library" sh -c "'$treadle' cc -fPIC -c b.c -o b3.o && '$treadle' cc -shared b3.o -o libb3.so && '$treadle' cc input.o -L. -lb3 -Wl,-rpath,. -o prog"
check "follows values" finds ./prog

# --- libraries ---
check "-shared" sh -c "'$treadle' cc -fPIC -shared lib.c -o liblib.so"
check "-shared with --no-undefined" sh -c "'$treadle' cc -fPIC -shared -Wl,--no-undefined -Wl,-z,defs lib.c -o liblib.so"
check "-shared does not contain the runtime" sh -c "! nm liblib.so | grep -q ' T __treadle_atomic'"
check "program with it" sh -c "'$treadle' cc uses.c -L. -llib -Wl,-rpath,. -o prog"
check "it runs" says 2 ./prog
check "-Wl,-soname and version script" sh -c "echo '{ global: lib_calls; local: *; };' >v.map && '$treadle' cc -fPIC -shared -Wl,-soname,liblib.so.1 -Wl,--version-script=v.map lib.c -o liblib.so.1"
cat >load.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *h = dlopen("./liblib.so", RTLD_NOW);
    int (*f)(void) = (int (*)(void))dlsym(h, "lib_calls");
    printf("%d\n", f());
    return 0;
}
END
check "dlopen" sh -c "'$treadle' cc load.c -o prog -ldl"
check "it runs" says 1 ./prog

# --- what configure does ---
cat >conftest.c <<'END'
#include <stdio.h>
int main(void) { FILE *f = fopen("conftest.out", "w"); return f ? fclose(f) : 1; }
END
check "conftest links" quiet -o conftest -g -O2 conftest.c -lm
check "conftest runs" ./conftest
check "conftest object" quiet -c conftest.c
check "a test with an instrumented library" sh -c "cp uses.c conftest.c && '$treadle' cc -c lib.c && rm -f liblib2.a && ar rc liblib2.a lib.o && '$treadle' cc conftest.c -o conftest -L. -llib2"
check "it runs" says 2 ./conftest

# --- errors ---
check "syntax error: exit code" fails 1 tcc -c bad.c -o bad.o
check "syntax error: no object" test ! -e bad.o
echo '#include <stddef.h>
static char pool[4096];
static size_t used;
void *malloc(size_t n) { void *p = pool + used; used += (n + 15) & ~15ul; return p; }
void free(void *p) { (void)p; }
int main(void) { free(malloc(4)); return 0; }' >own_malloc.c
# A sentence, and nothing of the linker's; where there is another mistake, all of it.
one_sentence() { out=$(tcc "$@" 2>&1) && return 1; [ "$(echo "$out" | wc -l)" -eq 1 ] && echo "$out" | grep -q '^treadle cc: the program defines malloc, free\. '; }
both_told() { out=$(tcc "$@" 2>&1) && return 1; echo "$out" | grep -q 'the program defines malloc' && echo "$out" | grep -q 'linker command failed'; }
for ld in bfd gold lld; do
    command -v ld.$ld >/dev/null || continue
    check "a malloc of its own, $ld" one_sentence -fuse-ld=$ld own_malloc.c -o own_malloc
    check "a malloc of its own and another mistake, $ld" both_told -fuse-ld=$ld own_malloc.c b.c b.c -o own_malloc
done
# GNU ld 2.44 breaks its own lines.
cat >ld-2.44 <<'END'
#!/bin/sh
cat >&2 <<'TEXT'
/usr/bin/ld.bfd: /usr/lib/treadle/libtreadle_rt.a(hot.o): in function `malloc':
(.text+0x1af10): multiple definition of `malloc'; /usr/bin/ld.bfd: DWARF error: mangled line number section (bad file number)
/tmp/own_malloc.o:own_malloc.c:(.text+0x310): first defined here
/usr/bin/ld.bfd: /usr/lib/treadle/libtreadle_rt.a(hot.o): in function `free':
./src/runtime/memory/heap.c:472: multiple definition of `free'; /tmp/own_malloc.o:own_malloc.c:(.text+0x3a0): first defined here
TEXT
exit 1
END
chmod +x ld-2.44
check "a malloc of its own, lines that are broken" one_sentence --ld-path="$PWD/ld-2.44" own_malloc.c -o own_malloc
check "missing file" fails 1 tcc -c missing.c
check "unknown option" fails 1 tcc --no-such-option -c a.c
check "undefined function" fails 1 tcc undefined.c -o undefined
check "undefined function: no program" test ! -e undefined
check "-Werror" fails 1 tcc -Werror -Wunused-variable -xc -c - -o w.o <<'END'
int f(void) { int unused; return 0; }
END
check "error in one of two sources" fails 1 tcc bad.c b.c -o prog2
echo 'int f(void) { __asm__("nonsense"); return 1; }' >asm.c
check "assembler that makes no sense" fails 1 tcc -c asm.c -o asm.o
check "assembler that makes no sense: nothing left" sh -c '! ls asm.o*'
check "unwritable output" fails 1 tcc -c b.c -o no/such/dir/b.o

# --- what is instrumented ---
"$here/names.sh" "$treadle" || failed=1
"$here/features.sh" "$treadle" || failed=1
"$here/threads.sh" "$treadle" || failed=1
exit $failed
