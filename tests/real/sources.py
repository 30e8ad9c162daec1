# SPDX-License-Identifier: Apache-2.0
"""Sources of Debian packages, headers of binary packages, or a commit of a git repository, unpacked below a
cache directory that is no part of the repository.

Invariants: nothing of the system changes and no root is needed; what the package lists of the
machine name is what is asked; a directory in the cache is complete or not there; a commit is named in full."""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

CLANGS = tuple(f"clang-{v}" for v in (19, 22, 21, 20, 18, 17, 16)) + ("clang",)


class Unreachable(Exception):
    """A source package that cannot be fetched: no network, or another version is served."""


class Broken(Exception):
    """A command of a subject that failed."""


def clang(language="cc"):
    """The compiler for plain programs, of C or (language c++) C++."""
    for name in CLANGS:
        if language == "c++":
            name = name.replace("clang", "clang++")
        if shutil.which(name):
            return name
    raise Broken("no clang")


def cache_dir():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("TREADLE_REAL_CACHE") or os.path.join(base, "treadle-real")


def shell(command, where, env=None, limit=1800):
    """Runs a command line; its last words are the reason if it fails."""
    try:
        done = subprocess.run(["sh", "-ec", command], cwd=where, env={**os.environ, **(env or {})},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        raise Broken(f"'{command}' takes longer than {limit} s") from None
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()[-12:]
        raise Broken(f"'{command[:80]}': " + "\n    ".join(words))
    return done.stdout


class Apt:
    """apt with directories of its own, for fetching only."""

    def __init__(self, where):
        self.dir = os.path.join(where, "apt")
        self.options = ["-q"]
        for name, value in (("Dir::Etc::sourcelist", "/dev/null"),
                            ("Dir::Etc::sourceparts", os.path.join(self.dir, "parts")),
                            ("Dir::State::lists", os.path.join(self.dir, "lists")),
                            ("Dir::Cache", os.path.join(self.dir, "cache")),
                            ("APT::Sandbox::User", "root")):
            self.options += ["-o", f"{name}={value}"]
        self.updated = False

    def _lists(self):
        """What the machine uses for binaries, asked for sources as well."""
        for path in ["/etc/apt/sources.list"] + glob.glob("/etc/apt/sources.list.d/*"):
            if not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8") as f:
                text = f.read()
            text = re.sub(r"(?m)^Types:.*", "Types: deb deb-src", text)
            text = re.sub(r"(?m)^deb (.*)", r"deb \1\ndeb-src \1", text)
            name = "main-" + os.path.basename(path)
            if os.path.basename(path) == "sources.list":
                name = "main.list"
            with open(os.path.join(self.dir, "parts", name), "w", encoding="utf-8") as f:
                f.write(text)

    def update(self):
        if self.updated:
            return
        for part in ("lists/partial", "cache/archives/partial", "parts"):
            os.makedirs(os.path.join(self.dir, part), exist_ok=True)
        self._lists()
        done = subprocess.run(["apt-get"] + self.options + ["update"], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unreachable("apt-get update: " + done.stderr.strip()[-200:])
        self.updated = True

    def download(self, package, where, binary=False):
        """Fetches what there is of a source or binary package; what is missing shows later."""
        self.update()
        what = ["download"] if binary else ["--download-only", "source"]
        subprocess.run(["apt-get"] + self.options + what + [package],
                       cwd=where, capture_output=True, check=False)


def git_archive(name, repository, commit, where):
    """Fetches one commit into where, as a tarball named as one of a source package is."""
    path = os.path.join(where, f"{name}_{commit}.orig.tar.gz")
    with tempfile.TemporaryDirectory(dir=where) as work:
        tarball = os.path.join(work, "tar.gz")
        try:
            shell("git init -q --bare r", work)
            # A server need not hand out a commit by its name: then all branches.
            shell(f"git -C r fetch -q --depth=1 '{repository}' {commit} ||"
                  f" git -C r fetch -q '{repository}' '+refs/heads/*:refs/heads/*'", work, limit=600)
            shell(f"git -C r archive --prefix={name}/ -o '{tarball}' {commit}", work)
        except Broken as e:
            raise Unreachable(f"{repository} {commit[:7]}: {e}") from None
        os.rename(tarball, path)
    return path


class Sources:
    """Trees of source packages, prepared for subjects."""

    def __init__(self):
        self.dir = cache_dir()
        self.files = os.path.join(self.dir, "files")
        self.trees = os.path.join(self.dir, "trees")
        os.makedirs(self.files, exist_ok=True)
        os.makedirs(self.trees, exist_ok=True)
        self.apt = Apt(self.dir)

    def _find(self, package, pattern):
        found = glob.glob(os.path.join(self.files, f"{package}_{pattern}"))
        return sorted(f for f in found if not f.endswith(".asc"))

    def _file(self, package, pattern):
        if not self._find(package, pattern):
            self.apt.download(package, self.files, pattern.endswith(".deb"))
        found = self._find(package, pattern)
        if not found:
            raise Unreachable(f"the package {package} {pattern} cannot be had here")
        return found[-1]

    def _tarball(self, subject):
        repository = getattr(subject, "repository", "")
        found = self._find(subject.package, f"{subject.version}*.orig.tar.*")
        if found or not repository:
            return self._file(subject.package, f"{subject.version}*.orig.tar.*")
        return git_archive(subject.package, repository, subject.version, self.files)

    def _unpack(self, subject, where):
        if subject.tree == "debian":
            dsc = self._file(subject.package, f"{subject.version}*.dsc")
            shell(f"dpkg-source --no-check -x '{dsc}' tree", where)
        elif subject.tree == "binary":
            version = subject.version.replace(":", "%3a")
            deb = self._file(subject.package, f"{version}*.deb")
            shell(f"dpkg-deb -x '{deb}' tree", where)
        else:
            orig = self._tarball(subject)
            shell(f"mkdir tree && tar xf '{orig}' -C tree --strip-components=1", where)

    def also(self, subject):
        """Where the tarballs of other packages are, as variables for make: LIBEVENT, say."""
        found = {}
        for line in subject.also:
            package, _, version = line.partition(" ")
            name = re.sub(r"\W", "_", package).upper()
            found[name] = self._file(package, f"{version}*.orig.tar.*")
        return found

    def tree(self, subject):
        """The unpacked and prepared tree of a subject."""
        what = "\n".join([subject.tree] + subject.prepare).encode()
        version = subject.version.replace(":", "_")
        name = f"{subject.package}-{version}-{hashlib.sha1(what).hexdigest()[:8]}"
        path = os.path.join(self.trees, name)
        stamp = os.path.join(path, ".treadle-prepared")
        if os.path.exists(stamp):
            return path
        shutil.rmtree(path, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=self.trees) as work:
            self._unpack(subject, work)
            # Paths that configure writes down must hold: prepare where it stays.
            os.rename(os.path.join(work, "tree"), path)
        for line in subject.prepare:
            shell(line, path, {"CC": clang()})
        with open(stamp, "w", encoding="utf-8"):
            pass
        return path
