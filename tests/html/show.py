#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle show --html, as a user meets it: show.py TREADLE"""
import os
import re
import subprocess
import sys
import tempfile

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
failures = 0


def hold(truth, text):
    global failures
    if not truth:
        failures += 1
        print("FAILED: " + text)


def call(work, *words):
    done = subprocess.run(words, cwd=work, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def read(work, path):
    with open(os.path.join(work, path), encoding="utf-8") as f:
        return f.read()


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="treadle-html.") as work:
        source = os.path.join(ROOT, "examples", "bank", "bank.c")
        code, _, err = call(work, treadle, "cc", "-g", "-pthread", source, "-o", "bank")
        hold(code == 0, "cc: " + err)
        code, out, _ = call(work, treadle, "run", "./bank", "30", "71")
        ident = re.search(r"BUG (\S+-[0-9a-f]+)", out)
        hold(code == 1 and ident, "no bug found: " + out)
        if ident:
            check_pages(treadle, work, ident.group(1))
            check_refusals(treadle, work, ident.group(1))
    print("%d failures" % failures)
    return 1 if failures else 0


def check_pages(treadle, work, ident):
    # The program is not needed any more.
    os.remove(os.path.join(work, "bank"))
    code, out, err = call(work, treadle, "show", "--html", ident)
    path = out.strip()
    hold(code == 0 and err == "", "show --html: %d %s" % (code, err))
    hold(path.endswith("latest/%s.html" % ident), "path: " + path)
    page = read(work, path)
    hold(page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n"), "the page is not whole")
    hold(ident in page and "bank.c" in page and "treadle replay" in page, "the page says too little")
    hold(len(page) < 200_000, "the page has %d bytes" % len(page))
    for name, words in (("o.html", ["-o", "o.html"]), ("p.html", ["--output=p.html"])):
        code, out, _ = call(work, treadle, "show", "--html", *words, "treadle-out/latest/%s.treadle" % ident)
        hold(code == 0 and out.strip() == name and read(work, name) == page, "show --html " + " ".join(words))


    code, out, _ = call(work, treadle, "show", "--html", "--editor=vscode", "-o", "e.html", ident)
    hold(code == 0 and '"editor":"vscode"' in read(work, "e.html"), "show --editor")
    hold('"editor":""' in page, "a page has an editor that nobody asked for")


def check_refusals(treadle, work, ident):
    for words, sentence in (
            (["show", "--html", "none-0000"], "no finding of that name"),
            (["show", "--html"], "requires one finding"),
            (["show", "-o", "x.html", ident], "--output requires --html"),
            (["show", "--editor=vscode", ident], "--editor requires --html"),
            (["show", "--html", "--editor=javascript", ident], "editor"),
            (["show", "--html", "-o", "no/such/dir/x.html", ident], "no/such/dir"),
            (["show", "--html", "alone.treadle"], "session")):
        with open(os.path.join(work, "alone.treadle"), "w", encoding="utf-8") as f:
            f.write(read(work, "treadle-out/latest/%s.treadle" % ident))
        code, out, err = call(work, treadle, *words)
        hold(code == 2 and out == "" and sentence in err, "%s: %d %s%s" % (words, code, out, err))
    with open(os.path.join(work, "treadle-out", "latest", "session.db"), "wb") as f:
        f.write(b"SQLite format 3\0" + b"\xff" * 4000)
    code, out, err = call(work, treadle, "show", "--html", ident)
    hold(code == 2 and out == "" and err.startswith("treadle: "), "damaged session: %d %s" % (code, err))


if __name__ == "__main__":
    sys.exit(main())
