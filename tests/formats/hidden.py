#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Characters that are not seen, or turn a line round, reach no reader of a report: hidden.py TREADLE

A program whose file name, arguments, assertion, source and thread name hold controls of direction, of
zero width, C1 controls, escape sequences and bytes that are no UTF-8. What treadle prints, and every
format, has none of them, as bytes and once it is decoded. lcov has paths as the system has them."""
import json
import os
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

EVIL = "\u202ec\u2066e\u200bv\u009bi\ufeffl\u061c\U000e0041"
NAME = (EVIL + " \x1b[31m").encode() + b"\xff"
SOURCE = """
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static int shared; /* EVIL */
static void *work(void *arg)
{
    pthread_setname_np(pthread_self(), "\\xe2\\x80\\xae\\x1b[1m");
    shared++; /* EVIL */
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    shared++; /* EVIL */
    pthread_join(t, 0);
    assert(argc > 5 && "EVIL");
    return 0;
}
""".replace("EVIL", EVIL)
# JSON has an escape for these, which every reader knows.
ASCII = [chr(c) for c in range(0x20)] + ["\x7f"]
FORMATS = ["sarif", "junit", "json", "dot", "unfolding", "perfetto", "witness", "html"]


class Failed(Exception):
    pass


def bad(text):
    """The characters of a text that nobody should meet."""
    return sorted({"U+%04X" % ord(c) for c in text
                   if (unicodedata.category(c) in ("Cf", "Cc", "Zl", "Zp", "Cn") and c not in "\n\t")})


def check_clean(what, data, escapes=""):
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError as why:
        raise Failed("%s: %s" % (what, why))
    for c in escapes:
        text = text.replace(c, "")
    if bad(text):
        raise Failed("%s has %s" % (what, bad(text)))
    return text


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)


def check_decoded(name, text):
    if name in ("sarif", "json", "perfetto"):
        for s in strings(json.loads(text)):
            check_clean(name + ", decoded", s, ASCII)
    elif name == "junit":
        for e in xml.etree.ElementTree.fromstring(text).iter():
            for s in [e.text or "", *e.attrib.values()]:
                check_clean("junit, decoded", s)
    elif name == "html":
        data = text.split('type="application/json"', 1)[-1].split(">", 1)[1].split("</script>", 1)[0]
        for s in strings(json.loads(data)):
            check_clean("html, decoded", s, ASCII)


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    check_clean("standard output of %s" % words[1:3], done.stdout)
    check_clean("standard error of %s" % words[1:3], done.stderr)
    return done


def check(treadle, folder):
    source = os.path.join(folder.encode(), NAME + b".c")
    program = b"./" + NAME
    with open(source, "w", encoding="utf-8") as f:
        f.write(SOURCE)
    subprocess.run([treadle, "cc", "-g", "-pthread", NAME + b".c", "-o", NAME], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    done = run([treadle, "run", "-k", "--out=out", "--", program, NAME], folder)
    if done.returncode != 1:
        raise Failed("no bug: %s" % done.stderr[-300:])
    found = sorted(n for n in os.listdir(os.path.join(folder, "out")) if n.endswith(".treadle"))
    for words in (["report", "out"], ["report", "--github", "out"], ["show", "out/" + found[0]],
                  ["show", "--json", "out/" + found[0]], ["replay", "out/" + found[0]],
                  ["replay", NAME], ["report", NAME], ["run", source], ["run", NAME], ["run", b"--goal=" + NAME, "x"],
                  [NAME], ["run", b"--" + NAME]):
        run([treadle, *words], folder)
    for name in FORMATS:
        done = run([treadle, "report", "--%s=-" % name, "out"], folder)
        if done.returncode != 0 and name != "witness":  # which is about a file that it cannot name
            raise Failed("%s: %s" % (name, done.stderr[-300:]))
        check_decoded(name, done.stdout.decode())


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="treadle-hidden.") as folder:
        try:
            check(treadle, folder)
        except Failed as why:
            print("FAIL  %s" % why)
            sys.exit(1)
    print("ok    hidden characters")


if __name__ == "__main__":
    main()
