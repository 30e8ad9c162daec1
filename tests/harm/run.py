#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""After a data race a session looks for worse, and findings come in the order of harm.

Usage: run.py TREADLE"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static int x, y, ready, *cache, v[5];
"""
MAIN = """
int main(void)
{
    pthread_t t, u;
    cache = calloc(1, sizeof *cache);
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
"""


def program(one, two):
    return HEAD + "".join(f"static void *{name}(void *arg)\n{{\n    {text}\n    return arg;\n}}\n"
                          for name, text in (("one", one), ("two", two))) + MAIN


FLAG = program("while (!stop) { pthread_mutex_lock(&m); if (*cache) y = 1; pthread_mutex_unlock(&m); }",
               "stop = 1; pthread_mutex_lock(&m); free(cache); pthread_mutex_unlock(&m);")
# x races first and decides nothing; the order of the accesses to ready decides the assertion.
TWO_RACES = program("x = 1;\nready = 1;", "if (x == 7)\nabort();\npthread_mutex_lock(&m);\npthread_mutex_unlock(&m);\nint is = ready;\nassert(!is);")
LONG = program("x = 1; for (int i = 0; i < 60; i++) { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); }",
               "x = 2; for (int i = 0; i < 60; i++) { pthread_mutex_lock(&m); y *= 2; pthread_mutex_unlock(&m); }")
FREED = program("if (cache) *cache = 1;", "free(cache);")
SHORT = program("x = 1;", "x = 2;")
MANY = program("for (int i = 0; i < 1; i++) { v[0] = 1; v[1] = 1;\nv[2] = 1;\nv[3] = 1;\nv[4] = 1; }",
               "v[0] = 2;\nv[1] = 2;\nv[2] = 2;\nv[3] = 2;\nv[4] = 2;")


class Session:
    def __init__(self, treadle, name, source, *options):
        path = os.path.join(treadle.dir, name + ".c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(source)
        exe, error = treadle.cc(path)
        assert not error, error
        self.done = treadle.run(exe, (), options)
        self.kinds = [f["kind"] for f in self.done.report.get("findings", [])]
        self.messages = [f["message"] for f in self.done.report.get("findings", [])]
        self.printed = re.findall(r"^==treadle== BUG (\w+)-", self.done.out, re.M)
        self.stopped = self.done.report.get("stopped")

    def __str__(self):
        return f"exit {self.done.code}, {self.kinds} {self.messages}, printed {self.printed}, stopped: {self.stopped}"


def main():
    treadle, checks = harness.Treadle(sys.argv[1]), harness.Checks()
    s = Session(treadle, "flag", FLAG)
    checks.check("a use after free behind a race on a flag comes first, the race second",
                 s.kinds == s.printed == ["memory", "race"] and s.done.code == 1, s)
    checks.check("... and so they are in the session", in_store(treadle, s) == ["memory", "race"], in_store(treadle, s))
    checks.check("what ended it is said", s.stopped == "stopped at the first bug that is not a data race", s)
    s = Session(treadle, "flag", FLAG, "--first")
    checks.check("--first stops at the race", s.kinds == ["race"] and s.stopped == "stopped at the first bug", s)
    s = Session(treadle, "flag", FLAG, "-k", "--time=5s")
    checks.check("-k has the same order in its summary", s.kinds == ["memory", "race"], s)

    s = Session(treadle, "two_races", TWO_RACES)
    checks.check("a race that decides an assertion comes before one that decides nothing",
                 s.kinds == s.printed == ["assert", "race", "race"] and "'ready'" in s.messages[1] and "'x'" in s.messages[2], s)

    s = Session(treadle, "long", LONG, "--search=pos")
    again = Session(treadle, "long", LONG, "--search=pos")
    first = s.done.report["findings"][0]["run"]
    checks.check("without anything worse the session ends after 1,000 runs",
                 s.stopped == "stopped 1,000 runs after the first data race" and s.done.report["runs"] == first + 1000, s)
    checks.check("... in the same way each time", again.done.report["runs"] == s.done.report["runs"], again)
    checks.check("... and says how to go on", "(-k, --keep-going)" in " ".join(s.done.out.split()), s.done.out[-300:])
    s = Session(treadle, "long", LONG, "--search=pos", "--runs=50")
    checks.check("--runs holds all the same", s.done.report["runs"] == 50 and s.kinds == ["race"], s)

    s = Session(treadle, "freed", FREED)
    checks.check("a race with a free is a use after free: nothing worse is looked for",
                 s.kinds == ["race"] and "use after free" in s.done.out and s.stopped == "stopped at the first bug", s)
    s = Session(treadle, "short", SHORT)
    checks.check("a search that ends meanwhile says so", s.kinds == ["race"] and s.stopped == ""
                 and "there is no other assertion failure" in " ".join(s.done.out.replace("treadle:", "").split()), s)
    s = Session(treadle, "many", MANY)
    checks.check("three reports are printed in full, all findings are listed",
                 s.kinds == ["race"] * 5 and s.printed == ["race"] * 3 and s.done.out.count("  found  ") == 5
                 and "2 more data races: 'treadle show ID' has the reports" in s.done.out, s)
    s = Session(treadle, "short", SHORT, "--first", "-k")
    checks.check("--first and -k exclude each other", s.done.code == 2 and "--first cannot be used" in s.done.err, s.done.err)
    treadle.close()
    checks.finish()


def in_store(treadle, session):
    path = os.path.join(treadle.dir, "sarif")
    treadle.call([treadle.path, "report", f"--sarif={path}", session.done.session])
    with open(path, encoding="utf-8") as f:
        return re.findall(r'"ruleId" *: *"(?:treadle/)?(\w+)', f.read())


if __name__ == "__main__":
    main()
