# SPDX-License-Identifier: Apache-2.0
"""Runs programs with two searches of treadle and compares what they say."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
import harness  # noqa: E402
import program as prog  # noqa: E402
import simulate  # noqa: E402

CFLAGS = ["-g", "-O0", "-pthread", "-I" + harness.INCLUDE]
MOST_RUNS = 200000
TIME_S = 20   # of one session, by its own option
LIMIT_S = 90  # until it is killed
HANG = "--timeout=30s"  # the machine may be busy
MOST_TOLD = 8
REDUCED = ("dpor", "flip")
FLIGHTS = 16  # runs that the search has under way at most


class Verdict:
    """What the comparison of one program gave."""

    def __init__(self):
        self.skipped = ""      # why it was not compared
        self.simulated = False
        self.nodes = 0         # of forests, that were compared one by one
        self.differences = []  # [(what, text)]
        self.reference, self.other = None, None  # reports
        self.places = {}       # line -> (statement, context)

    def kinds(self):
        return {what for what, _ in self.differences}


def findings(report, by_variable=False):
    """{(kind, id): finding}; by_variable: races on one variable are one."""
    found = {}
    for f in report["findings"]:
        is_coarse = by_variable and f["kind"] == "race"
        found[f["kind"], simulate.variable_of(f) if is_coarse else f["id"]] = f
    return found


def place(finding):
    file = os.path.basename(finding.get("file") or "?")
    text = f"{finding['id']} {file}:{finding.get('line')} {finding.get('message', '')}"
    if finding.get("other_line"):
        text += f" (and :{finding['other_line']})"
    return text


def kind_of(finding):
    """A deadlock without a cycle, in which nobody has ended with a lock, is "idle"."""
    known = ("each other", "itself", "has exited")
    if finding["kind"] == "deadlock" and not any(k in finding["message"] for k in known):
        return "idle"
    return finding["kind"]


def is_complete(report):
    """Also true of a session with findings, where the verdict does not tell."""
    return report["verdict"] != "incomplete" and not report["stopped"] and not report["ledger"]


def is_but_races(report):
    """Nothing was left out but orders of wide accesses that race."""
    return is_complete(report) or {g["kind"] for g in report["ledger"]} == {"race"}


def leaves_sections(report):
    """Nothing was left out but orders of what is in atomic sections, which the goal races says."""
    return {g["kind"] for g in report["ledger"]} == {"sections"}


def is_within(report):
    """Nothing was left out but what needs more preemptions, or longer runs."""
    return is_complete(report) or {g["kind"] for g in report["ledger"]} <= {"preemptions", "depth"} and \
        report.get("depth_completed", 0) is not None


def differences_within(a, b, by_variable=False, loops=False):
    """The same with a bound on preemptions. The digests are equal; suspects are run whatever
    the bound, so there may be more findings, and sites that race may have become operations in
    one of the sessions only."""
    fa, fb = findings(a, by_variable), findings(b, by_variable)
    # Two races on one variable make other sites operations than one of them does.
    more = {k for k in findings(b).keys() - findings(a).keys() if k[0] == "race"}
    found = differences(a, b, by_variable, loops)
    loose = {"verdict", "deadlock", "idle", "race"}
    loose |= {"digest", "runs", "traces"} if more else set()
    return ([d for d in found if d[0] not in loose] +
            [(kind_of(fa[k]), f"only {a['search']}: {place(fa[k])}")
             for k in sorted(fa.keys() - fb.keys()) if k[0] in ("race", "deadlock")])


def ending(report):
    gaps = ", ".join(f"{g['kind']} {g.get('text', '')}" for g in report["ledger"])
    if is_complete(report):
        return report["verdict"]
    return f"{report['verdict']} ({report['stopped'] or gaps})"


def sides(report):
    """Sides of branches that were never taken, as texts."""
    return {f"{os.path.basename(n['file'])}:{n['line']}:{n['column']}/{n['side']}"
            for n in report["coverage"]["never"]}


def side_differences(a, b):
    """Of two sessions with the goal branches: the same sides are taken, the same assertions fail.
    A session that says it is not complete may have missed some, but has none that cannot be."""
    found = []
    never_a, never_b = sides(a), sides(b)
    missed, made_up = sorted(never_b - never_a), sorted(never_a - never_b)
    if missed and is_complete(b):
        found.append(("sides", f"only {a['search']} takes {', '.join(missed[:MOST_TOLD])}"))
    if made_up:
        found.append(("sides", f"only {b['search']} takes {', '.join(made_up[:MOST_TOLD])}"))
    fa, fb = findings(a), findings(b)
    for side, only, by in ((a, fa.keys() - fb.keys(), fa), (b, fb.keys() - fa.keys(), fb)):
        for key in sorted(only):
            if key[0] == "nondet" or (key[0] == "assert" and (side is b or is_complete(b))):
                found.append((key[0], f"only {side['search']}: {place(by[key])}"))
    breaks_off = {"mutex", "thread", "misuse", "memory", "crash"}
    if not is_complete(b) and not breaks_off & {key[0] for key in fb}:
        found.append(("verdict", f"{ending(a)} / {ending(b)}"))
    return found


def is_followed(report):
    """Nothing was left out, findings or not."""
    return not report["stopped"] and not report["ledger"]


def node_differences(a, b):
    """Of two sessions that count nodes of forests and left nothing out: the sets of nodes are equal."""
    if a["digest"] == b["digest"]:
        return []
    return [("nodes", f"{a['digest'][:16]} of {a.get('events')} nodes / {b['digest'][:16]} of {b.get('events')}")]


def observation_differences(a, b):
    """Of a session with the goal observations: it has no finding that cannot be, and if it is complete every
    assertion that fails and every deadlock; it may say that it is not. Races and misuse are not its goal."""
    found = []
    fa, fb = findings(a), findings(b)
    for key in sorted(fb.keys() - fa.keys()):
        if key[0] != "race":
            found.append((kind_of(fb[key]), f"only {b['search']}: {place(fb[key])}"))
    for key in sorted(fa.keys() - fb.keys()):
        if is_complete(b) and key[0] in ("assert", "abort", "deadlock", "livelock"):
            found.append((kind_of(fa[key]), f"only {a['search']}: {place(fa[key])}"))
    if not is_complete(b):
        found.append(("gaps", f"{ending(a)} / {ending(b)}"))
    return found


def claim_differences(a, b):
    """Of a session with the search learned: it has no finding that cannot be; if it is complete and has none, there is
    none at all, races and misuse among them. Behind a first race others may be left."""
    found = []
    fa, fb = findings(a, True), findings(b, True)
    for key in sorted(fb.keys() - fa.keys()):
        found.append((kind_of(fb[key]), f"only {b['search']}: {place(fb[key])}"))
    for key in sorted(fa.keys() - fb.keys()):
        if is_complete(b) and not fb:
            found.append((kind_of(fa[key]), f"only {a['search']}: {place(fa[key])}"))
    if not is_complete(b):
        found.append(("gaps", f"{ending(a)} / {ending(b)}"))
    return found


def differences(a, b, by_variable=False, loops=False):
    """[(what, text)] between the report of the reference and the other one."""
    if b["search"] == "learned":
        return claim_differences(a, b)
    if b["goal"] == "observations":
        return observation_differences(a, b)
    if a["goal"] == b["goal"] == "branches":
        return side_differences(a, b)
    found = []
    for report in (a, b):  # the programs are deterministic
        for f in report["findings"]:
            if f["kind"] == "nondet":
                found.append(("nondet", f"{report['search']}: {place(f)}"))
    if a["digest"] != b["digest"]:
        found.append(("digest", f"{a['digest'][:16]} of {a.get('events')} events / "
                                f"{b['digest'][:16]} of {b.get('events')} events"))
    if ending(a) != ending(b):
        found.append(("verdict", f"{ending(a)} / {ending(b)}"))
    fa, fb = findings(a, by_variable), findings(b, by_variable)
    for side, only, by in ((a, fa.keys() - fb.keys(), fa), (b, fb.keys() - fa.keys(), fb)):
        for key in sorted(only)[:MOST_TOLD]:
            found.append((kind_of(by[key]), f"only {side['search']}: {place(by[key])}"))
    # A decision that is not known to end the run can end several runs under way alike.
    early = FLIGHTS if b["solver"]["queries"] > 0 and b["findings"] else 0
    runs = b["runs"] - (b["blocked_runs"] if loops else 0)
    # A race or a loop that waits begins the search again, with a load or store more as an operation.
    lines = {n for f in b["findings"] if f["kind"] == "race" for n in (f["line"], f["other_line"])}
    rounds = 1 + max(2 * len(lines), b.get("promoted", 0))
    if "depth" in b:  # a run to see that the program does not end, then a search for each of 8, 16, ...
        # Runs that confirm a prediction go beyond the bound, and may begin alike.
        is_alone = not b["promoted"] and not b["findings"] and b["depth"] <= 8
        runs = runs - 1 if is_alone else 0
    is_reduced = b["search"] in REDUCED
    if a["search"] == "all" != b["search"] and not is_reduced and runs > rounds * a["traces"] + early:
        found.append(("runs", f"{runs} runs for {a['traces']} traces"))
    if is_reduced:
        found += reduced_differences(a, b)
    elif b["goal"] == "traces":
        found += trace_differences(a, b, early, loops)
    return found


def reduced_differences(a, b):
    """The other one has run some traces more than once, but all of them: those that were cut
    short, too."""
    if (a["trace_digest"], a["traces"]) == (b["trace_digest"], b["traces"]):
        return []
    return [("traces", f"{a['traces']} / {b['traces']}")]


def trace_differences(a, b, early, loops):
    """The other one is to have run every trace, and each once."""
    found = []
    # With a bound it may have run others as well: it says so. Then it has more.
    may_have_more = b.get("preemptions_exceeded", 0) > 0 and b["whole_traces"] > a["whole_traces"]
    if a["trace_digest"] != b["trace_digest"] and not may_have_more:
        found.append(("traces", f"{a['whole_traces']} / {b['whole_traces']}"))
    # A run may be made for what turns out to be another round of a loop; it counts as blocked.
    vain = b["blocked_runs"] if loops else 0
    # A run that fails on its way to a suspect may be like one before.
    vain += b["traces"] - b["whole_traces"]
    if b["promoted"] == 0 and not b["traces"] <= b["runs"] <= b["traces"] + early + vain:
        found.append(("redundant", f"{b['runs']} runs of {b['traces']} traces"))
    # A wait that may time out has no other end.
    if b["blocked_runs"] > a["blocked_runs"] and not loops:
        found.append(("blocked", f"{b['blocked_runs']} runs"))
    return found


class Tester:
    """Compiles batches of programs and compares the two searches on each of them."""

    def __init__(self, path, reference, other, ignored=(), by_variable=False, runs=MOST_RUNS,
                 simulates=False, is_bounded=False, only=(), looks_at_races=False, node_runs=0, explains=False):
        self.quiet = [] if explains else [harness.UNEXPLAINED]
        self.node_runs = node_runs
        self.looks_at_races = looks_at_races
        self.is_bounded = is_bounded
        self.path, self.ignored, self.by_variable = path, set(ignored), by_variable
        self.only = set(only)
        self.simulates = simulates
        self.reference = reference + [f"--runs={runs}"]
        self.other = other

    def sessions(self, treadle, binary, args, verdict, more):
        """Fills the reports of a verdict; False: there is nothing to compare."""
        for name, options in (("reference", self.reference), ("other", self.other)):
            options = options + ["-k", "-q", f"--time={TIME_S}s", HANG] + self.quiet + more
            result = treadle.run(binary, args, options, LIMIT_S)
            if result.problem or result.code not in (0, 1, 3):
                text = f"{' '.join(options)}: exit {result.code}: {result.tail()}"
                verdict.differences.append(("tool", text))
                return False
            setattr(verdict, name, result.report)
            is_done = is_within if self.is_bounded else \
                is_but_races if self.looks_at_races else is_complete
            if name == "reference" and not is_done(result.report):
                verdict.skipped = ending(result.report)
                return False
        return True

    def compare(self, treadle, binary, args, places, more=(), loops=True):
        """more: further options of both sessions. loops: some may wait for other threads."""
        v = Verdict()
        v.places = places
        if self.sessions(treadle, binary, args, v, list(more)):
            compared = differences_within if self.is_bounded else differences
            found = compared(v.reference, v.other, self.by_variable, loops)
            if self.looks_at_races and not is_complete(v.reference):  # both say that orders are missing
                found = [d for d in found if d[0] not in ("digest", "runs", "race") and
                         (d[0] != "verdict" or is_complete(v.other))]
            if "gaps" in self.only and not is_complete(v.other) and not leaves_sections(v.other):
                found.append(("gaps", ending(v.other)))
            if self.node_runs and is_followed(v.other):
                found += self.nodes(treadle, binary, args, list(more), v)
            v.differences = [d for d in found if d[0] not in self.ignored and
                             (not self.only or d[0] in self.only)]
        return v

    def nodes(self, treadle, binary, args, more, v):
        """What threads do by what they read, beside that of every interleaving (treadle-divided)."""
        options = ["--search=forests", f"--runs={self.node_runs}", "-k", "-q", f"--time={TIME_S}s", HANG] + self.quiet + more
        result = treadle.run(binary, args, options, LIMIT_S)
        if result.problem or result.code not in (0, 1, 3):
            return [("tool", f"{' '.join(options)}: exit {result.code}: {result.tail()}")]
        if not is_followed(result.report):
            return []
        v.nodes = v.other["events"]
        return node_differences(result.report, v.other)

    def batch(self, programs):
        """Yields the verdict of each program, in order; a caller may stop early."""
        treadle = harness.Treadle(self.path)
        try:
            text, places = prog.put_batch(programs)
            binary = self.compile(treadle, text)
            for i, where in enumerate(places):
                v = self.compare(treadle, binary, [str(i)], where, programs[i].options(),
                                 programs[i].has_loops())
                if self.simulates and not v.skipped:
                    found = simulate.differences(programs[i], v, self.looks_at_races)
                    v.simulated = found is not None
                    v.differences += found or []
                yield v
        finally:
            treadle.close()

    def compile(self, treadle, text, name="batch"):
        source = os.path.join(treadle.dir, name + ".c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        binary, error = treadle.cc(source, flags=["-lm"], base=CFLAGS)
        if error:
            raise RuntimeError(f"treadle cc: {error}")
        return binary

    def file(self, path):
        """The verdict of a C file."""
        with open(path, encoding="utf-8") as f:
            return self.alone(f.read(), os.path.splitext(os.path.basename(path))[0])

    def alone(self, text, name):
        """The verdict of a source with one program, that is in the file name.c. A line of its
        own "treadle: OPTION..." names further options."""
        more = re.search(r"^ \* treadle: (-.*)$", text, re.M)
        treadle = harness.Treadle(self.path)
        try:
            return self.compare(treadle, self.compile(treadle, text, name), [], {},
                                more.group(1).split() if more else [])
        finally:
            treadle.close()
