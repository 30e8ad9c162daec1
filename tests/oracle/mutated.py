#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The oracle catches mistakes in the search product: each one below, put into a copy of one file, makes a program
disagree with every interleaving, node by node; without the change it agrees. Mistakes in what the runtime tells of
loops, and in what the search makes of threads without an end, make it miss the failure of a program.

    tests/oracle/mutated.py TREADLE-DIVIDED

The changed file is compiled as the build compiles it, and treadle-divided is linked with it.
Exit: 0 fine, 1 not, 77 the build has no compile_commands.json.
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/mutations"))
import run as mutations  # noqa: E402

FOLDER = "src/explore/"
HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t[4];
#define START(i, f) pthread_create(&t[i], NULL, f, NULL)
#define JOIN(i) pthread_join(t[i], NULL)
"""
# One reads what the other writes under a mutex.
MEET = HEAD + """
static void *reads(void *arg) { if (atomic_load(&x)) atomic_store(&y, 1); return arg; }
static void *writes(void *arg)
{
    pthread_mutex_lock(&m);
    atomic_store(&x, 1);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) { START(0, reads); START(1, writes); JOIN(0); JOIN(1); return 0; }
"""
# What was read first is decided by when other threads, and memory, are where they were.
LATER = HEAD + """
static void *reads(void *arg)
{
    int first = atomic_load(&x), second = atomic_load(&y);
    if (first)
        atomic_store(&z, 1 + second);
    return arg;
}
static void *writes(void *arg) { atomic_store(&x, 1); return arg; }
static void *other(void *arg) { atomic_store(&y, 2); return arg; }
int main(void) { START(0, reads); START(1, writes); START(2, other); JOIN(0); JOIN(1); JOIN(2); return 0; }
"""
# Two writes in either order, then two threads that meet.
MEMORY = HEAD + """
static void *one(void *arg) { atomic_store(&x, 1); return arg; }
static void *two(void *arg) { atomic_store(&x, 2); return arg; }
static void *reads(void *arg) { if (atomic_load(&x) % 10 == 1) atomic_store(&y, 1); return arg; }
static void *adds(void *arg) { atomic_fetch_add(&x, 10); return arg; }
int main(void)
{
    START(0, one); START(1, two); JOIN(0); JOIN(1);
    START(2, reads); START(3, adds); JOIN(2); JOIN(3);
    return 0;
}
"""
# A round of the loop does nothing if it finds 1, but not if it finds 2.
LOOP = HEAD + """
static void *gives(void *arg)
{
    if (atomic_load(&x) == 1)
        atomic_store(&y, 1);
    atomic_store(&x, 1);
    atomic_store(&x, 0);
    return arg;
}
static void *takes(void *arg) { while (atomic_exchange(&x, 1)) ; return arg; }
int main(void) { atomic_store(&x, 2); START(0, gives); START(1, takes); JOIN(0); JOIN(1); return 0; }
"""
# A data race in one order of the locks only.
ORDER = HEAD + """
static int plain;
static void *one(void *arg)
{
    plain = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    plain = 2;
    return arg;
}
int main(void) { START(0, one); START(1, two); JOIN(0); JOIN(1); return 0; }
"""
# what is wrong, program, file, text to replace (it occurs once), replacement
MUTATIONS = [
    ("persistent sets: threads that touch the same are left out", MEET, "product/persistent.c",
     "            meets(c, i, xpl_now(&c->x->shapes, spot_of(c, slot))))\n            add(c, i);\n}\n\nstatic uint32_t count_of",
     "            false)\n            add(c, i);\n}\n\nstatic uint32_t count_of"),
    ("persistent sets: a mutex that no thread of the set holds is a cut", MEET, "product/persistent.c",
     "(uint32_t)xpl_object_word(s, i, 0) == slot + 1)", "true)"),
    ("liveness: variables of conditions", LATER, "product/shapes.c", "        mention(s, s->conditions.at[i]);\n", ""),
    ("liveness: what nodes behind mention", LATER, "product/shapes.c",
     "        mention_live(s, xpl_spot_ix(s, i), n->variable);\n", ""),
    ("keys: memory that is read later", MEMORY, "product/states.c", "            put(v, s->memory.at[i]);\n", "            ;\n"),
    ("loops that wait: exchanges that write", LOOP, "product/idle.c", "    if (!n->written.ix)\n        return true;\n",
     "    if (n->kind)\n        return true;\n"),
]
MUTATIONS += [
    ("data races: conflicting accesses that are next", ORDER, "product/claims.c",
     "    return writes && (", "    return false && writes && ("),
]
# Threads that do the same, ...
TWINS = HEAD + """
static void *keeps(void *arg)
{
    int got = atomic_load(&x);
    atomic_store(&y, got);
    return arg;
}
static void *writes(void *arg) { atomic_store(&x, 1); return arg; }
int main(void)
{
    START(0, keeps); START(1, keeps); START(2, writes); JOIN(0); JOIN(1); JOIN(2);
    if (atomic_load(&y)) atomic_store(&z, 1);
    return 0;
}
"""
# ... of which one is joined, ...
JOINED = HEAD + """
static void *adds(void *arg) { atomic_fetch_add(&x, 1); return arg; }
static void *turns(void *arg) { atomic_fetch_xor(&x, 3); return arg; }
int main(void)
{
    START(0, adds); START(1, adds); START(2, turns); JOIN(2); JOIN(1);
    if (atomic_load(&x) == 2) atomic_store(&z, 1);
    return 0;
}
"""
# ... or what they write.
VALUES = HEAD + """
static void *puts_it(void *value) { atomic_store(&z, (int)(long)value); return NULL; }
static void *clears(void *arg) { if (atomic_exchange(&z, 0)) atomic_store(&y, 1); return arg; }
static void *turns(void *arg) { atomic_fetch_xor(&z, 4); return arg; }
int main(void)
{
    pthread_create(&t[0], NULL, puts_it, (void *)1);
    pthread_create(&t[1], NULL, puts_it, (void *)2);
    START(2, clears); START(3, turns); JOIN(0); JOIN(1); JOIN(2); JOIN(3);
    if (atomic_load(&y) && atomic_load(&z) == 5) atomic_store(&x, 1);
    return 0;
}
"""
MUTATIONS += [
    ("threads that are exchanged: their values", TWINS, "product/symmetry.c",
     "    for (uint32_t i = h->live_first.at[ix]; i < h->live_end.at[ix]; i++)\n        put(v,",
     "    for (uint32_t i = h->live_first.at[ix]; i < h->live_end.at[ix] * 0; i++)\n        put(v,"),
    ("threads that are exchanged: which is joined", JOINED, "product/symmetry.c",
     "        put(v, s->at.at[by] == XPL_NOWHERE ? 0 : mark_of(x, by, slot));\n", "        (void)by;\n"),
    ("threads that are exchanged: what they write", VALUES, "product/symmetry.c", "    if (is_needed)\n", "    if (is_needed && n->place == XPL_NONE)\n"),
]
# A thread counts in how many iterations it reads 1; the count is in a PHI or in memory. Each iteration alone is seen
# with both outcomes before only one of them reads 1.
TALLY = HEAD + """
#include <assert.h>
static _Thread_local int kept;
static void *counts(void *arg)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (atomic_load(&x))
            COUNT++;
    assert(COUNT != 1);
    return arg;
}
static void *writes(void *arg) { atomic_store(&x, 1); atomic_store(&x, 0); return arg; }
int main(void) { START(0, writes); START(1, counts); JOIN(0); JOIN(1); return 0; }
"""
# A thread without an end keeps what it has read before in a variable of its own.
CARRIES = HEAD + """
#include <assert.h>
static void *looks(void *arg)
{
    for (int last = 0;;) {
        int now = atomic_load(&x);
        assert(last != 3 || now != 1);
        last = now;
    }
    return arg;
}
static void *turns(void *arg)
{
    for (;;)
        for (int i = 0; i < 4; i++)
            atomic_store(&x, i);
    return arg;
}
int main(void) { START(0, looks); START(1, turns); JOIN(0); JOIN(1); return 0; }
"""
# ... and another one counts without a bound.
TALLIES = HEAD + """
#include <assert.h>
static unsigned long last;
static void *counts(void *arg)
{
    for (unsigned long n = 0;; n++) {
        last = n;
        if (atomic_load(&x) == 2)
            atomic_store(&y, 1);
    }
    return arg;
}
static void *turns(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    assert(!atomic_load(&y));
    return arg;
}
int main(void) { START(0, counts); START(1, turns); JOIN(0); JOIN(1); return 0; }
"""
# ... and turns it over for ever, though nothing changes that others could see.
TURNS = HEAD + """
static void *polls(void *arg)
{
    unsigned last = 0;
    do
        last ^= 1u + (unsigned)atomic_load(&x);
    while (last < 2);
    return arg;
}
int main(void) { START(0, polls); JOIN(0); return 0; }
"""
# what is wrong, program, file of the runtime, text to replace, replacement
RUNTIME = [
    ("meeting ways: PHIs", TALLY.replace("COUNT", "n"), "src/runtime/core/fold.c", "           here->state;", "           0;"),
    ("meeting ways: memory that was written", TALLY.replace("COUNT", "kept"), "src/runtime/core/fold.c",
     "        *hash += mixed(mixed(place, words[0])", "        (void)mixed(mixed(place, words[0])"),
    ("what a loop carries: PHIs", CARRIES, "src/runtime/core/fold.c", "bool is_slot = p->label ||", "bool is_slot ="),
    ("what a loop carries: its value when it was entered", TALLIES, "src/runtime/core/fold.c", "was->value != p->value", "false"),
]
# A thread without an end goes through four values, in cycles of two operations on two variables.
COUNTS = HEAD + """
#include <assert.h>
static void *counts(void *arg)
{
    for (;;) {
        int old = atomic_load(&x);
        atomic_store(&x, (old + 1) & 3);
        atomic_fetch_xor(&z, 1);
    }
    return arg;
}
static void *looks(void *arg) { assert(atomic_load(&x) != 3); return arg; }
int main(void) { START(0, looks); START(1, counts); JOIN(0); JOIN(1); return 0; }
"""
# A thread without an end has nothing to do with two others, which lose an update.
ASIDE = HEAD + """
#include <assert.h>
static void *turns(void *arg) { for (;;) atomic_fetch_xor(&z, 1); return arg; }
static void *adds(void *arg) { int old = atomic_load(&x); atomic_store(&x, old + 1); return arg; }
int main(void)
{
    START(0, turns); START(1, adds); START(2, adds); JOIN(1); JOIN(2);
    assert(atomic_load(&x) == 2);
    JOIN(0);
    return 0;
}
"""
# A thread polls for what nobody does.
POLL = HEAD + """
static void *polls(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int is_done = atomic_load(&x);
        pthread_mutex_unlock(&m);
        if (is_done)
            return arg;
    }
}
int main(void) { START(0, polls); JOIN(0); return 0; }
"""
# A thread takes a block out and frees it, while another one that has seen it before still uses it. No run in which
# one thread does something new has both.
FREED = HEAD + """
static int *_Atomic place;
static void *frees(void *arg)
{
    if (atomic_load(&x)) {
        int *block = atomic_exchange(&place, NULL);
        free(block);
    }
    return arg;
}
static void *uses(void *arg)
{
    int *block = atomic_load(&place);
    if (block)
        atomic_fetch_add(&y, *block);
    atomic_store(&x, 1);
    return arg;
}
static void *allows(void *arg) { atomic_store(&x, 1); return arg; }
int main(void)
{
    int *block = malloc(sizeof *block);
    *block = 1;
    atomic_store(&place, block);
    START(0, frees); START(1, uses); START(2, allows); JOIN(0); JOIN(1); JOIN(2);
    return 0;
}
"""
# Threads without an end, and freed memory: what is wrong, program, file, text to replace, replacement
ENDLESS = [
    ("cycles: what is behind them", COUNTS, "product/shapes.c", "    if (s->has_cycle)\n        find_around_cycles(s);\n", ""),
    ("values that matter", COUNTS, "product/shapes.c", "    return *matters;\n", "    return false;\n"),
    ("cycles: what was put off", ASIDE, "product/product.c", "        if (x->has_closed)\n            try_the_rest(x);\n", ""),
    ("states from which nothing changes: what a loop carries", TURNS, "product/states.c", "!x->is_trying && !n->is_slot", "!x->is_trying"),
    ("freed memory: steps that use it too late", FREED, "product/freed_blocks.c",
     "    x->claims.misuse = td_id_sum(", "    (void)td_id_sum("),
    ("states from which nothing changes", POLL, "product/product.c", "    if (x->has_effect)\n        keep_alive(x);\n    else if",
     "    keep_alive(x);\n    if"),
]
ORACLE = ["--against=--search=product", "--nodes=20000", "--jobs=1"]
CLAIMED = ("product/claims.c", "interfere/forest.c")  # what only the default search's product does
CLAIMS = ["--against=--search=learned", "--ignore=gaps", "--jobs=1"]


class Builder(mutations.Builder):
    def divided(self, object_file):
        """treadle-divided with the object file, among links to what is beside the right one."""
        for name in ("src", "include", "treadle", "treadle-cc"):
            link = self.folder / name
            if not link.exists():
                link.symlink_to(self.build / name)
        target, out = "treadle-divided", self.folder / "treadle-divided"
        words = shlex.split(self.run(["ninja", "-C", self.build, "-t", "commands", target]).stdout.splitlines()[-1])
        at = words.index(target)
        words[at] = str(out)
        words.insert(at + 1, str(object_file))
        self.must(words)
        return out


def disagreements(treadle, program, folder, file):
    """Whether the oracle finds any, and what it says."""
    path = folder / "program.c"
    path.write_text(program)
    options = CLAIMS if file in CLAIMED else ORACLE
    done = subprocess.run([sys.executable, HERE / "run.py", treadle, path, *options], capture_output=True, text=True,
                          errors="replace", timeout=300, env=os.environ)
    said = done.stdout.strip() or done.stderr[-300:]
    return "FAIL  program.c: " + ("" if file in CLAIMED else "nodes") in said, "ok    program.c" in said, said


def judge(builder, program, file, old, new):
    """Why it is not as it should be; None."""
    text = (ROOT / FOLDER / file).read_text()
    if text.count(old) != 1:
        return f"{file} has {old.strip()!r} {text.count(old)} times"
    _, is_fine, said = disagreements(builder.treadle, program, builder.folder, file)
    if not is_fine:
        return f"as it is: {said}"
    changed = builder.divided(builder.compile(FOLDER + file, text.replace(old, new)))
    is_caught, _, said = disagreements(changed, program, builder.folder, file)
    return None if is_caught else f"not caught: {said}"


def judge_endless(builder, program, file, old, new):
    """Why it is not as it should be; None."""
    text = (ROOT / FOLDER / file).read_text()
    if text.count(old) != 1:
        return f"{file} has {old.strip()!r} {text.count(old)} times"
    has_missed, said = misses(builder, program)
    if has_missed:
        return f"as it is: {said}"
    builder.treadle = builder.divided(builder.compile(FOLDER + file, text.replace(old, new)))
    has_missed, said = misses(builder, program)
    return None if has_missed else f"not caught: {said}"


def misses(builder, program, *objects):
    """Whether the search learned ends without the failure of the program, COMPLETE or not."""
    source, built = builder.folder / "program.c", builder.folder / "program"
    source.write_text(program)
    builder.must([builder.treadle, "cc", "-g", "-O1", source, *objects, "-Wl,-z,muldefs", "-o", built])
    done = builder.run([builder.treadle, "run", "-q", "-j1", "--no-known", "--time=20s", "--search=learned", built], cwd=builder.folder, timeout=120)
    return done.returncode != 1, done.stdout + done.stderr


def judge_runtime(builder, program, file, old, new):
    """Why it is not as it should be; None."""
    text = (ROOT / file).read_text()
    if text.count(old) != 1:
        return f"{file} has {old.strip()!r} {text.count(old)} times"
    has_missed, said = misses(builder, program)
    if has_missed:
        return f"as it is: {said}"
    has_missed, said = misses(builder, program, builder.as_one(file, builder.compile(file, text.replace(old, new))))
    return None if has_missed else f"not caught: {said}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    treadle, failed = pathlib.Path(sys.argv[1]).resolve(), 0
    if not (treadle.parent / "compile_commands.json").exists():
        sys.exit(77)
    for what, program, file, old, new in MUTATIONS:
        with tempfile.TemporaryDirectory() as folder:
            why = judge(Builder(treadle, pathlib.Path(folder)), program, file, old, new)
        print(f"{'FAIL' if why else 'ok'}    {what}{': ' + why if why else ''}", flush=True)
        failed += why is not None
    for what, program, file, old, new in ENDLESS:
        with tempfile.TemporaryDirectory() as folder:
            why = judge_endless(Builder(treadle, pathlib.Path(folder)), program, file, old, new)
        print(f"{'FAIL' if why else 'ok'}    {what}{': ' + why if why else ''}", flush=True)
        failed += why is not None
    for what, program, file, old, new in RUNTIME:
        with tempfile.TemporaryDirectory() as folder:
            why = judge_runtime(Builder(treadle, pathlib.Path(folder)), program, file, old, new)
        print(f"{'FAIL' if why else 'ok'}    {what}{': ' + why if why else ''}", flush=True)
        failed += why is not None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
