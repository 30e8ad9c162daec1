#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--goal=auto goes on with observations where states are out of reach, says what it claims then, and comes back.

Usage: run.py TREADLE

No other goal changes what it claims, whatever search it is given."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402

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
    treadle, checks = harness.Treadle(sys.argv[1]), harness.Checks()

    def build(name, threads, rounds, under_the_lock=""):
        source = os.path.join(treadle.dir, name + ".c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(COUNT)
        _, error = treadle.cc(source, name, [f"-DTHREADS={threads}", f"-DROUNDS={rounds}", f"-DUNDER_THE_LOCK={under_the_lock}"])
        checks.check(f"{name} is built", not error, error)

    def run(name, *options):
        """The exit status, all that was printed as one line, the report."""
        result = treadle.run(os.path.join(treadle.dir, name), [], ["-k", *options], 120)
        return result.code, " ".join((result.out + result.err).replace("treadle:", " ").split()), result.report

    build("small", 2, 2)
    build("large", 6, 3)
    build("copies", 6, 3, COPY)
    code, text, report = run("small", "--goal=auto")
    checks.check("a small program is explored by states, data races and all",
                 code == 0 and report["goal"] == "auto" and "observations" not in text and "or data race" in text, text)
    code, text, report = run("large", "--goal=auto")
    checks.check("a large one by observations",
                 code == 0 and report["goal"] == "observations" and report["verdict"] == "complete", text)
    checks.check("it says what is claimed",
                 "runs remained, switched to observations (which does not cover data races, memory errors)" in text and
                 "not covered other inputs, weak memory, failing malloc, data races" in text and
                 "there is no assertion failure or deadlock for" in text and "or data race for" not in text, text)
    checks.check("and why",
                 "runs of unfold about 10^" in report["chosen"] and "states of the product" in report["chosen"], str(report))
    _, _, alone = run("large", "--goal=observations")
    checks.check("the digest is that of observations",
                 alone["digest"] == report["digest"] and report["runs"] < 1500, str(alone))
    _, again, other = run("large", "--goal=auto", "--seed=1")
    checks.check("the same seed gives the same runs", other["runs"] == report["runs"], again)
    code, text, report = run("copies", "--goal=auto", "--runs=2500")
    checks.check("what is not modelled there goes back to states",
                 code == 3 and report["goal"] == "auto" and "back to auto" in text and "not tracked" not in text, text)
    for options in (["--goal=states"], ["--goal=states", "--search=auto"], ["--search=auto"], []):
        code, text, report = run("large", "--runs=2500", *options)
        checks.check(f"{' '.join(options) or 'no option'}: the goal stays",
                     code == 3 and report["goal"] == "states" and "observations" not in text, text)
    treadle.close()
    checks.finish()


if __name__ == "__main__":
    main()
