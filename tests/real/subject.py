# SPDX-License-Identifier: Apache-2.0
"""The file `subject` of each folder of examples/real: what is tested, how it is built and explored,
what has to come out. examples/real/README.md has the keys."""
import glob
import os
import re
import shlex

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REAL = os.path.join(ROOT, "examples", "real")
VERDICTS = ("bug", "suspected", "complete", "incomplete", "nothing-explored")
LISTS = ("prepare", "also", "sources", "flags", "libs", "make", "suppress", "bug", "ledger", "harness",
         "again", "cc")
TEXTS = ("about", "package", "repository", "tree", "program", "args", "run", "time", "verdict", "fast", "plain",
         "alone", "language")


class Wrong(Exception):
    """A subject file that does not say what it must."""


class Subject:
    """One folder. Lists are lines as written, in order."""

    def __init__(self, name):
        self.name, self.dir = name, os.path.join(REAL, name)
        self.values = {key: [] for key in LISTS}
        self.values.update({key: "" for key in TEXTS})
        self._read(os.path.join(self.dir, "subject"))
        v = self.values
        self.package, _, self.version = v["package"].partition(" ")
        if v["repository"]:
            self.repository, _, self.version = v["repository"].partition(" ")
            self.package = name
        self.tree = v["tree"] or "upstream"
        self.time_s = int(v["time"] or 600)
        self.fast = v["fast"] == "yes"
        self.verdict = v["verdict"]
        self.bugs = [self._bug(line) for line in v["bug"]]
        self._check()

    def __getattr__(self, key):
        try:
            return self.__dict__["values"][key]
        except KeyError:
            raise AttributeError(key) from None

    def _read(self, path):
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                key, colon, value = line.partition(":")
                if not colon or key not in self.values:
                    raise Wrong(f"{path}:{number}: unknown key '{key}'")
                if key in LISTS:
                    self.values[key].append(value.strip())
                else:
                    self.values[key] = (self.values[key] + " " + value.strip()).strip()

    def _bug(self, line):
        """(kind, file, line or None) of 'deadlock workqueue.c:12'."""
        kind, _, place = line.partition(" ")
        name, _, number = place.partition(":")
        return kind, name, int(number) if number else None

    def _check(self):
        if self.values["repository"] and not re.fullmatch(r"[0-9a-f]{40}", self.version):
            raise Wrong(f"{self.name}: repository and the commit in full")
        if not self.version or self.tree not in ("upstream", "debian", "binary"):
            raise Wrong(f"{self.name}: package and version, tree upstream, debian or binary")
        if self.verdict not in VERDICTS or bool(self.bugs) != (self.verdict == "bug"):
            raise Wrong(f"{self.name}: verdict {', '.join(VERDICTS)}; bug only with a bug")
        if self.language not in ("", "c++"):
            raise Wrong(f"{self.name}: language c++, or none for C")
        if bool(self.make) != bool(self.program):
            raise Wrong(f"{self.name}: make and program come together")

    def harness(self):
        """Our own files: those of the folder, or those it names."""
        named = [os.path.join(self.dir, name) for name in self.values["harness"]]
        return named or sorted(glob.glob(os.path.join(self.dir, "*.cpp" if self.language else "*.c")))

    def compiler(self):
        """The command of treadle that builds it."""
        return self.language or "cc"

    def words(self, key, tree):
        """The words of a list, with $SRC and $HERE filled in."""
        text = " ".join(self.values[key])
        return shlex.split(text.replace("$SRC", tree).replace("$HERE", self.dir))

    def files(self, tree):
        """The sources of the package that are compiled with the harness."""
        found = []
        for word in self.words("sources", tree):
            hits = sorted(glob.glob(os.path.join(tree, word)))
            if not hits:
                raise Wrong(f"{self.name}: no file {word} in {self.package} {self.version}")
            found += hits
        return found

    def expects(self, finding):
        """Whether this finding is one that the subject names."""
        return any(finding["kind"] == kind and os.path.basename(finding["file"]) == name
                   and line in (None, finding["line"]) for kind, name, line in self.bugs)


def names():
    return sorted(n for n in os.listdir(REAL) if os.path.exists(os.path.join(REAL, n, "subject")))


def load(wanted):
    """The subjects of these names, or all of them."""
    unknown = set(wanted) - set(names())
    if unknown:
        raise Wrong("no subject " + ", ".join(sorted(unknown)))
    return [Subject(name) for name in (wanted or names())]
