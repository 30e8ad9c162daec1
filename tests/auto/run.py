#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--goal=auto goes on with observations where states are out of reach, says what it claims then, and comes back.

Usage: run.py TREADLE

No other goal changes what it claims, whatever search it is given."""
import json
import os
import subprocess
import sys
import tempfile

COUNT = """
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { long a, b, c; } count, last;
static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count.a++;
        UNDER_THE_LOCK
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(count.a + last.b == THREADS * ROUNDS);
    return 0;
}
"""
COPY = "memcpy(&last, &count, sizeof last);"


def main():
    treadle, failures = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as folder:
        def call(*words):
            done = subprocess.run([treadle, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=120, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"})
            return done.returncode, " ".join(done.stdout.replace("treadle:", " ").split())

        def build(name, threads, rounds, under_the_lock=""):
            with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as f:
                f.write(COUNT)
            code, text = call("cc", "-g", "-O1", "-pthread", f"-DTHREADS={threads}", f"-DROUNDS={rounds}",
                              f"-DUNDER_THE_LOCK={under_the_lock}", name + ".c", "-o", name)
            hold(code == 0, f"{name} is built", text)

        def run(name, *options):
            code, text = call("run", "-k", "--json=result.json", *options, "./" + name)
            with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
                return code, text, json.load(f)

        def hold(truth, what, seen):
            print(("ok    " if truth else "FAIL  ") + what, flush=True)
            if not truth:
                failures.append(what)
                print(seen)

        build("small", 2, 2)
        build("large", 6, 3)
        build("copies", 6, 3, COPY)
        code, text, report = run("small", "--goal=auto")
        hold(code == 0 and report["goal"] == "auto" and "observations" not in text and "or data race" in text,
             "a small program is explored by states, data races and all", text)
        code, text, report = run("large", "--goal=auto")
        hold(code == 0 and report["goal"] == "observations" and report["verdict"] == "complete",
             "a large one by observations", text)
        hold("more were to come: observations (not covered then: data races, memory errors)" in text and
             "not covered other inputs, weak memory, failing malloc, data races" in text and
             "there is no assertion failure or deadlock for" in text and "or data race for" not in text,
             "it says what is claimed", text)
        hold("runs of unfold about 10^" in report["chosen"] and "states of the product" in report["chosen"],
             "and why", report)
        _, _, alone = run("large", "--goal=observations")
        hold(alone["digest"] == report["digest"] and report["runs"] < 1500, "the digest is that of observations", alone)
        _, again, other = run("large", "--goal=auto", "--seed=1")
        hold(other["runs"] == report["runs"], "the same seed gives the same runs", again)
        code, text, report = run("copies", "--goal=auto", "--runs=2500")
        hold(code == 3 and report["goal"] == "auto" and "back to auto" in text and "not tracked" not in text,
             "what is not modelled there goes back to states", text)
        for options in (["--goal=states"], ["--goal=states", "--search=auto"], ["--search=auto"], []):
            code, text, report = run("large", "--runs=2500", *options)
            hold(code == 3 and report["goal"] == "states" and "observations" not in text,
                 f"{' '.join(options) or 'no option'}: the goal stays", text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
