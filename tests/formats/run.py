#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What treadle report writes is read by other programs: run.py [--validate] TREADLE

Sessions of some examples, one of them under a name that no format likes, one with texts that are
not ASCII wherever a program has texts, are written in every format and read back: by the parsers of Python, and by dot, genhtml, junitparser and a YAML parser
where they are installed. --validate fetches a validator for SARIF with npm and asks it as well; it
exits with 77, which is a skip, where there is no npm or no network."""
import argparse
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
HOSTILE = b"we\"ird ]]> <&%,:\xff\xc3\xa4.c"
# In folder, file, function, variable, comments, names of threads, arguments: two to four bytes a
# character; "fAr" is to be Latin-1, which is no UTF-8.
TEXTS = "fl\u00fcsse/b\u00e4nk \u20ac.c"
TEXTS_CHANGES = [
    ("balance", "gr\u00f6\u00dfe"),
    ("*teller", "*\u51fa\u7eb3"),
    (" teller", " \u51fa\u7eb3"),
    ("int n = ", 'pthread_setname_np(pthread_self(), arg); /* \U0001f9f5 fAr M\u00fcller */ int n = '),
    ("0);\n    return 0", "0); /* \U0001d11e Guthaben fAr M\u00fcller */\n    return 0"),
]
SKIP = 77
# program, arguments, kinds of its findings
SESSIONS = [
    ("bank", ["30", "71"], {"assert"}),
    ("counter", [], {"race"}),
    ("dining", [], {"deadlock"}),
    ("lazy", [], None),
]


class Failed(Exception):
    pass


def check(holds, text):
    if not holds:
        raise Failed(text)


def run(command, **more):
    return subprocess.run(command, capture_output=True, timeout=300, **more)


class Session:
    """A program, explored, and what report says of it."""

    def __init__(self, treadle, folder, source, args):
        self.treadle, self.folder = treadle, folder
        self.is_hostile = source == HOSTILE
        self.has_texts = source == TEXTS
        done = run([treadle, "cc", "-g", "-O1", "-pthread", source, "-o", "program"], cwd=folder)
        check(done.returncode == 0, done.stderr.decode(errors="replace"))
        self.run = run([treadle, "run", "--quiet", "-k", "--time=60", "--json=run.json", "--out=out",
                        "--", "./program"] + args, cwd=folder)
        check(self.run.returncode == 1, "no bug: %s" % self.run.stderr.decode(errors="replace"))
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            self.json = json.load(f)

    def report(self, *options, code=0):
        done = run([self.treadle, "report"] + list(options) + ["out"], cwd=self.folder)
        check(done.returncode == code, "%s: exit %d: %s" % (options, done.returncode, done.stderr))
        return done.stdout

    def latin(self, option):
        """A format that is bytes: paths are as the system has them."""
        path = os.path.join(self.folder, option + ".out")
        self.report("--%s=%s" % (option, path))
        with open(path, encoding="latin-1") as f:
            return f.read()

    def page(self, finding):
        done = run([self.treadle, "show", "--json", "out/%s.treadle" % finding], cwd=self.folder)
        check(done.returncode == 0, "show --json: %s" % done.stderr)
        return json.loads(done.stdout)

    def read(self, option):
        """The format on standard output, and the same as a file."""
        path = os.path.join(self.folder, option + ".out")
        self.report("--%s=%s" % (option, path))
        with open(path, "rb") as f:
            text = f.read()
        check(text == self.report("--%s=-" % option), "--%s differs on standard output" % option)
        return text.decode("utf-8")


# ---- SARIF ----

def check_flow(flow):
    orders = []
    for thread in flow["threadFlows"]:
        own = [place["executionOrder"] for place in thread["locations"]]
        check(own == sorted(own), "a thread goes back in time")
        orders += own
    check(len(orders) == len(set(orders)), "two steps at once")
    kinds = [k for thread in flow["threadFlows"] for p in thread["locations"]
             for k in p.get("kinds", [])]
    check(len(flow["threadFlows"]) > 1, "one thread only")
    return kinds


def check_sarif(session):
    log = json.loads(session.read("sarif"))
    check(log["version"] == "2.1.0" and len(log["runs"]) == 1, "not SARIF 2.1.0")
    ran = log["runs"][0]
    rules = ran["tool"]["driver"]["rules"]
    findings = {f["id"]: f for f in session.json["findings"]}
    ids = [r["partialFingerprints"]["treadleFinding/v1"] for r in ran["results"]]
    check(ids == list(findings), "findings %s, results %s" % (list(findings), ids))
    for result in ran["results"]:
        finding = findings[result["partialFingerprints"]["treadleFinding/v1"]]
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["kind"], "rule")
        place = result["locations"][0]["physicalLocation"]
        check(place["region"]["startLine"] == finding["line"], "line")
        kinds = [k for flow in result["codeFlows"] for k in check_flow(flow)]
        check("danger" in kinds or finding["kind"] != "assert", "nothing fails")
        parties = session.page(finding["id"])["parties"]
        check(len(result["relatedLocations"]) >= len(parties), "parties are missing")
    check(ran["invocations"][0]["exitCode"] == session.run.returncode, "exit code")
    check(len(ran["invocations"][0]["toolExecutionNotifications"]) == len(session.json["ledger"]),
          "ledger")


# ---- JUnit ----

def check_junit(session):
    text = session.read("junit")
    suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
    kinds = {f["kind"] for f in session.json["findings"]}
    failures = suite.findall("testcase/failure")
    check({f.get("type") for f in failures} == kinds, "failures %s" % failures)
    check(int(suite.get("failures")) == len(kinds), "count of failures")
    check(int(suite.get("tests")) == len(suite.findall("testcase")), "count of tests")
    check(all("==treadle== BUG" in f.text for f in failures), "no report in a failure")
    reader = ("import junitparser,sys\nx = junitparser.JUnitXml.fromfile(sys.argv[1])\n"
              "print(sum(s.failures for s in x), sum(s.tests for s in x))")
    path = os.path.join(session.folder, "junit.out")
    if run(["/usr/bin/python3", "-c", "import junitparser"]).returncode == 0:
        done = run(["/usr/bin/python3", "-c", reader, path])
        check(done.stdout.split() == [suite.get("failures").encode(), suite.get("tests").encode()],
              "junitparser: %s" % done)


# ---- lcov ----

def check_lcov(session):
    text = session.read("lcov") if not session.is_hostile else session.latin("lcov")
    files = text.count("SF:")
    check(files > 0 and files == text.count("end_of_record"), "records")
    lines = re.findall(r"^DA:(\d+),([01])$", text, re.M)
    hit = sum(int(n) for n in re.findall(r"^LH:(\d+)$", text, re.M))
    check(hit == sum(taken == "1" for _, taken in lines), "LH")
    sides = re.findall(r"^BRDA:\d+,\d+,\d+,([-01])$", text, re.M)
    coverage = session.json["coverage"]
    check(len(sides) == coverage["branches"], "sides")
    check(sides.count("1") == coverage["covered"], "sides taken")
    check(not sides or "1" in sides, "no side was taken")
    for finding in session.json["findings"]:
        place = (str(finding["line"]), "1")
        check(place in lines, "line %s failed and was not executed" % finding["line"])
    if shutil.which("genhtml"):
        done = run(["genhtml", "--branch-coverage", "-o", "coverage", "lcov.out"], cwd=session.folder)
        check(done.returncode == 0 and b"Overall coverage rate" in done.stdout, done.stderr.decode())


# ---- pictures ----

def check_dot(session):
    text = session.read("dot")
    for finding in session.json["findings"]:
        check(finding["id"] in text, "finding")
    check(text.count("subgraph cluster_f") > 2 * len(session.json["findings"]), "threads")
    if shutil.which("dot"):
        done = run(["dot", "-Tsvg"], input=text.encode())
        check(done.returncode == 0 and not done.stderr and b"</svg>" in done.stdout, str(done.stderr))


def check_unfolding(session):
    if session.json["events"] > 400:
        session.report("--unfolding=-", code=2)
        return
    text = session.read("unfolding")
    nodes = len(re.findall(r"^  e\d+ \[label", text, re.M))
    check(nodes >= session.json["events"] > 0, "%d nodes, %d events" % (nodes, session.json["events"]))
    if shutil.which("dot"):
        done = run(["dot", "-Tsvg"], input=text.encode())
        check(done.returncode == 0 and not done.stderr and b"</svg>" in done.stdout, str(done.stderr))


def check_perfetto(session):
    events = json.loads(session.read("perfetto"))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    begins = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    check(slices and begins and begins.keys() == ends.keys(), "flows")
    for flow, end in ends.items():
        check(begins[flow]["ts"] < end["ts"], "an arrow goes back in time")
        for e in (begins[flow], end):
            check(any(s["tid"] == e["tid"] and s["pid"] == e["pid"] and
                      s["ts"] < e["ts"] < s["ts"] + s["dur"] for s in slices), "no slice")
    names = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    check(len(names) == len(session.json["findings"]), "a process per finding")


# ---- the rest ----

def check_github(session):
    lines = session.report("--github").decode("utf-8").splitlines()
    check(len(lines) == len(session.json["findings"]) + len(session.json["ledger"]), "lines")
    for line in lines:
        check(re.fullmatch(r"::(error|warning|notice) ([a-z]+=[^,:\n]*)(,[a-z]+=[^,:\n]*)*::.*", line),
              line)


def check_witness(session):
    if session.is_hostile:
        done = run([session.treadle, "report", "--witness=-", "out"], cwd=session.folder)
        check(done.returncode == 2 and b"cannot open" in done.stderr, str(done))
        return
    text = session.read("witness")
    wanted = [f for f in session.json["findings"] if f["kind"] in ("assert", "abort", "race")]
    check(text.count("violation_sequence") == len(wanted), "entries")
    try:
        import yaml
    except ImportError:
        return
    for entry, finding in zip(yaml.safe_load(text), wanted):
        meta = entry["metadata"]
        task = meta["task"]
        check(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", meta["uuid"]), "uuid")
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", meta["creation_time"]), "time")
        check(meta["producer"]["name"] == "treadle", "producer")
        check(set(task["input_files"]) == set(task["input_file_hashes"]), "files")
        check(all(re.fullmatch("[0-9a-f]{64}", h) for h in task["input_file_hashes"].values()), "hash")
        check(("data-race" in task["specification"]) == (finding["kind"] == "race"), "specification")
        points = [[p["waypoint"] for p in s["segment"]] for s in entry["content"]]
        targets = len(session.page(finding["id"])["parties"]) if finding["kind"] == "race" else 1
        targets = max(targets, 1)
        check([p["type"] for p in points[-1]] == ["target"] * targets, "target")
        check(all("thread_id" in p and p["location"]["line"] > 0 for s in points for p in s), "places")


def check_html(session):
    text = session.read("html")
    check(text.startswith("<!") and text.rstrip().endswith("</html>"), "no page")
    check(all(f["id"] in text for f in session.json["findings"]), "finding")
    check("http://" not in text.replace("http://www.w3.org/", ""), "it loads something")


def check_json(session):
    check(json.loads(session.read("json")) == session.json, "the JSON is another one")


def check_text(session):
    text = session.report().decode("utf-8", errors="replace")
    printed = session.run.stdout.decode("utf-8", errors="replace")
    for finding in session.json["findings"]:
        check("BUG %s" % finding["id"] in text, "a report is missing")
        one = session.report("--finding=" + finding["id"]).decode("utf-8", errors="replace")
        check(one.count("==treadle== BUG") == 1, "not one report")
    check(text.splitlines()[-1] == printed.splitlines()[-1], "the summary is another one")
    for option in ("--dot", "--perfetto", "--json"):
        done = run([session.treadle, "show", option, "out/%s.treadle" % session.json["findings"][0]["id"]],
                   cwd=session.folder)
        check(done.returncode == 0 and done.stdout, "show %s: %s" % (option, done.stderr))
        if option != "--dot":
            json.loads(done.stdout)


def check_refusals(session):
    session.report("--finding=assert-ffff", code=2)
    session.report("--sarif=/nowhere/at/all", code=2)
    done = run([session.treadle, "report", "nothing"], cwd=session.folder)
    check(done.returncode == 2 and b"there is no session" in done.stderr, str(done))


def check_texts(session):
    """What a program has as text is in the formats, and no byte of it makes one unreadable."""
    if not session.has_texts:
        return
    finding = session.json["findings"][0]
    check("gr\u00f6\u00dfe >= 0" in finding["message"] and finding["file"].endswith(TEXTS), str(finding))
    page = session.page(finding["id"])
    source = "".join(s["text"] for s in page["sources"])
    check("\U0001d11e Guthaben f\ufffdr M\u00fcller" in source, source)
    for option in ("sarif", "junit", "dot", "perfetto", "html", "json"):
        text = session.read(option)
        for escaped in re.findall(r"\\u[0-9a-f]{4}|&#x?[0-9a-f]+;", text):
            text = text.replace(escaped, json.loads('"%s"' % escaped) if escaped[0] == "\\" else html.unescape(escaped))
        check("gr\u00f6\u00dfe" in text, "--%s without the name of the variable" % option)


CHECKS = [check_texts, check_sarif, check_junit, check_lcov, check_dot, check_unfolding, check_perfetto, check_github, check_witness,
          check_html, check_json, check_text, check_refusals]


# ---- the validator ----

def fetch_validator(folder):
    """The SARIF multitool: a program, and the published schema."""
    if not shutil.which("npm"):
        print("skipped: there is no npm")
        sys.exit(SKIP)
    done = run(["npm", "pack", "@microsoft/sarif-multitool-linux"], cwd=folder)
    packed = glob.glob(os.path.join(folder, "*.tgz"))
    if done.returncode != 0 or not packed:
        print("skipped: npm cannot fetch the validator")
        sys.exit(SKIP)
    shutil.unpack_archive(packed[0], folder)
    tool = os.path.join(folder, "package", "Sarif.Multitool")
    os.chmod(tool, 0o755)
    return tool


def validate(tool, session):
    """No message but recommendations (SARIF2...), and no error of the schema."""
    path = os.path.join(session.folder, "sarif.out")
    out = os.path.join(session.folder, "validated.sarif")
    done = run([tool, "validate", path, "--output", out, "--log", "ForceOverwrite"],
               env=dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1"))
    check(done.returncode == 0, done.stdout.decode())
    with open(out, encoding="utf-8-sig") as f:
        results = json.load(f)["runs"][0].get("results", [])
    bad = [r for r in results if r["ruleId"][:6] != "SARIF2"]
    check(not bad, "the validator says: %s" % bad[:3])
    schema = os.path.join(os.path.dirname(tool), "sarif-2.1.0.json")
    reader = ("import json,jsonschema,sys\n"
              "e = list(jsonschema.Draft7Validator(json.load(open(sys.argv[1]))).iter_errors("
              "json.load(open(sys.argv[2]))))\nprint(e[:3])\nsys.exit(bool(e))")
    if run(["/usr/bin/python3", "-c", "import jsonschema"]).returncode == 0:
        done = run(["/usr/bin/python3", "-c", reader, schema, path])
        check(done.returncode == 0, "the schema refuses it: %s" % done.stdout)


# ---- all of it ----

def sessions(treadle, top):
    for name, args, kinds in SESSIONS:
        folder = os.path.join(top, name)
        os.mkdir(folder)
        shutil.copy(os.path.join(EXAMPLES, name, name + ".c"), folder)
        session = Session(treadle, folder, name + ".c", args)
        found = {f["kind"] for f in session.json["findings"]}
        check(kinds is None or kinds <= found, "%s: found %s" % (name, found))
        yield name, session
    folder = os.path.join(top, "hostile")
    os.mkdir(folder)
    shutil.copy(os.path.join(EXAMPLES, "bank", "bank.c"), os.path.join(folder.encode(), HOSTILE))
    yield "hostile", Session(treadle, folder, HOSTILE, ["30", "71"])
    folder = os.path.join(top, "texts")
    os.makedirs(os.path.join(folder, os.path.dirname(TEXTS)))
    with open(os.path.join(EXAMPLES, "bank", "bank.c"), encoding="utf-8") as f:
        text = "#define _GNU_SOURCE\n" + f.read()
    for old, new in TEXTS_CHANGES:
        check(old in text, "bank.c has no " + old)
        text = text.replace(old, new)
    with open(os.path.join(folder, TEXTS), "wb") as f:
        f.write(text.encode().replace(b"fAr", b"f\xfcr"))
    yield "texts", Session(treadle, folder, TEXTS, ["30 \u20ac", "71 \U0001f9f5"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--validate", action="store_true")
    parser.add_argument("treadle")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="treadle-formats") as top:
        tool = None
        if options.validate:
            os.mkdir(os.path.join(top, "npm"))
            tool = fetch_validator(os.path.join(top, "npm"))
        for name, session in sessions(os.path.abspath(options.treadle), top):
            for function in CHECKS + ([lambda s: validate(tool, s)] if tool else []):
                what = "validate" if function.__name__ == "<lambda>" else function.__name__[6:]
                try:
                    function(session)
                    print("ok      %s %s" % (name, what))
                except (Failed, KeyError, ValueError, TypeError, IndexError) as e:
                    failures += 1
                    print("FAILED  %s %s: %s: %s" % (name, what, type(e).__name__, e))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
