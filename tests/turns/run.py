#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The default search takes turns, gives the same session for the same seed, and claims no more than it may.

Usage: run.py TREADLE

Programs that only the product of learned threads ends soon are COMPLETE by it. Programs whose mistake it does not
decide are left open by it (--search=learned of treadle-divided, beside TREADLE), for the reason that docs/search.md
names, and the session as a whole finds the mistake. Programs whose threads never end (endless_*.c) are COMPLETE, or
their mistake is found."""
import glob
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, ready, *p;
"""
MAIN = """
int main(void)
{
    pthread_t t[2];
    BEFORE
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    AFTER
    return 0;
}
"""


def program(one, two, before="", after=""):
    body = "".join(f"static void *{name}(void *arg)\n{{\n{text}\n    return arg;\n}}\n" for name, text in (("one", one), ("two", two)))
    return HEAD + body + MAIN.replace("BEFORE", before).replace("AFTER", after)


PUSH_POP = """
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m); if (x) { x--; y++; } pthread_mutex_unlock(&m);
    }"""
FREED_LATER = program("    pthread_mutex_lock(&m); *p = 1; pthread_mutex_unlock(&m);", "    x = 1;",
                      "p = malloc(sizeof *p);", "free(p);")
# name: source; a word of the reason for which the product claims nothing, "" where it claims all, "race" where it finds one
CASES = {
    "push_pop": (program(PUSH_POP, PUSH_POP, after="assert(y == 10);"), ""),
    "freed_after_join": (FREED_LATER, ""),
    "signal_under_lock": (program("    pthread_mutex_lock(&m); x = 1; ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
                                  "    pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); x = 2;"), ""),
    "race": (program("    pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); x = 1;",
                     "    pthread_mutex_lock(&m); int seen = y; pthread_mutex_unlock(&m); if (seen) x = 2;"), "race"),
    "race_of_one_order": (program("    x = 1; pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m);",
                                  "    pthread_mutex_lock(&m); y = 2; pthread_mutex_unlock(&m); x = 2;"), "race"),
    "freed_beside": (program("    pthread_mutex_lock(&m); if (p) *p = 1; pthread_mutex_unlock(&m);",
                             "    pthread_mutex_lock(&m); free(p); pthread_mutex_unlock(&m);", "p = malloc(sizeof *p);"), "freed"),
    "trylock_fails": (program("    x = 1; pthread_mutex_lock(&m);",
                              "    if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); else x = 2;"), "order nothing"),
    "destroyed_beside": (program("    pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "    pthread_mutex_destroy(&m);"), "destroyed"),
}


OPTIONS = ["-q", "-j1", "--no-known"]


def build(t, name, source):
    path = os.path.join(t.dir, name + ".c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(source)
    made, problem = t.cc(path)
    assert not problem, problem
    return made


def judge(t, learned, checks, name, source, missing):
    built = build(t, name, source)
    first, again = (t.run(built, options=OPTIONS).report for _ in range(2))
    alone = learned.run(built, options=[*OPTIONS, "-k", "--search=learned"]).report
    left = [g["text"] for g in alone["ledger"]]
    same = all(first[key] == again[key] for key in ("verdict", "runs", "digest"))
    checks.check(f"{name}: the same seed, the same session", same, str((first, again))[:400])
    checks.check(f"{name}: verdict", first["verdict"] == ("bug" if missing else "complete"), first["verdict"])
    if missing == "race":
        checks.check(f"{name}: the product finds it", any(f["kind"] == "race" for f in alone["findings"]), str(alone)[:400])
    elif missing:
        checks.check(f"{name}: left open for {missing}", alone["findings"] or any(missing in text for text in left), str(left))
    else:
        checks.check(f"{name}: the product proves it", alone["verdict"] == "complete" and not left, f"{alone['verdict']} {left}")


def is_followed(report):
    """Runs did what their schedules asked for, and findings were seen again."""
    return not [g for g in report["ledger"] if g["kind"] in ("diverged", "not reproduced")]


def judge_endless(t, learned, checks, path):
    name = os.path.basename(path)[:-2]
    built, problem = t.cc(path)
    assert not problem, problem
    report = t.run(built, options=[*OPTIONS, "--time=60s", "--explain-time=2s"]).report
    has_bug = name in ("endless_lost", "endless_versions", "endless_phases", "endless_idle")
    checks.check(f"{name}: verdict", report["verdict"] == ("bug" if has_bug else "complete"), str(report)[:300])
    checks.check(f"{name}: schedules are followed", is_followed(report), str(report["ledger"])[:300])
    if name == "endless_idle":
        alone = learned.run(built, options=[*OPTIONS, "--search=learned", "--time=60s"]).report
        checks.check(f"{name}: schedules of the product are followed", is_followed(alone), str(alone["ledger"])[:300])
    checks.check(f"{name}: for any number of iterations", has_bug or report["runs"] < 200, str(report["runs"]))


# Six threads: 1,059 states, and more than 100,000 if it counts which of them is where.
ALIKE = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int queue[12], n, total;
static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        queue[n++] = (int)(long)arg;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        if (n > 0) {
            n--;
            total++;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t[6];
    for (long i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    assert(total == 12 && n == 0);
    return 0;
}
"""


def main():
    t, learned, checks = harness.Treadle(sys.argv[1]), harness.Treadle(sys.argv[1] + "-divided"), harness.Checks()
    try:
        for name, (source, missing) in CASES.items():
            judge(t, learned, checks, name, source, missing)
        for path in sorted(glob.glob(os.path.join(HERE, "endless_*.c"))):
            judge_endless(t, learned, checks, path)
        alike = learned.run(build(t, "alike", ALIKE), options=[*OPTIONS, "--search=learned"]).report
        states = int((alike.get("chosen") or "0").split(" states")[0].replace(",", ""))
        checks.check("states of threads that do the same are looked at once", alike["verdict"] == "complete" and 0 < states < 2000,
                     f"{alike['verdict']}, {states} states")
        push_pop = t.run(build(t, "turns", CASES["push_pop"][0]), options=OPTIONS).report
        checks.check("the product ends what the unfolding does not", "states of the product" in (push_pop.get("chosen") or ""))
    finally:
        t.close()
        learned.close()
    checks.finish()


if __name__ == "__main__":
    main()
