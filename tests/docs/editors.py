#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The task and the launch configuration of docs/howto.md, run as an editor would: the problem matcher finds the bug and its
place; with gdb 14 or newer the debug adapter stops there.

Usage: editors.py TREADLE
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Adapter:
    """A debug adapter, as an editor talks to it."""

    def __init__(self, words, folder, env):
        self.child = subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seq, self.seen = 0, []

    def read(self):
        length = 0
        for line in iter(self.child.stdout.readline, b"\r\n"):
            assert line, "the adapter has ended: %s" % self.seen
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        self.seen.append(json.loads(self.child.stdout.read(length)))
        return self.seen[-1]

    def send(self, command, **arguments):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()

    def until(self, holds):
        for message in list(self.seen):
            if holds(message):
                return message
        while True:
            message = self.read()
            if holds(message):
                return message

    def ask(self, command, **arguments):
        self.send(command, **arguments)
        mine = self.seq
        return self.until(lambda m: m["type"] == "response" and m["request_seq"] == mine)


def debug(page, folder, env):
    """The configuration of the page: the program stops where it fails, with the variables of the program to look at."""
    version = subprocess.run(["gdb", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[0]
    if int(re.findall(r"(\d+)\.\d+", version)[-1]) < 14:
        print("no debug adapter: " + version)
        return
    block = re.search(r"```json file=\.vscode/launch\.json\n(.*?)```", page, re.S)[1]
    wanted = json.loads(block)["configurations"][0]
    words = [wanted["command"]] + [w for pattern in wanted["args"] for w in
                                   sorted(glob.glob(os.path.join(folder, pattern))) or [pattern]]
    adapter = Adapter(words, folder, env)
    assert adapter.ask("initialize", adapterID="treadle", linesStartAt1=True)["success"]
    adapter.send(wanted["request"])
    adapter.until(lambda m: m.get("event") == "initialized")
    assert adapter.ask("configurationDone")["success"]
    stopped = adapter.until(lambda m: m.get("event") == "stopped")
    thread = stopped["body"]["threadId"]
    frames = adapter.ask("stackTrace", threadId=thread)["body"]["stackFrames"]
    names = [(f["name"], f.get("line")) for f in frames]
    assert ("main", 41) in names, names
    assert not [n for n, _ in names if n.startswith("__treadle_") or n.startswith("rt_")], names
    value = adapter.ask("evaluate", expression="balance", frameId=frames[0]["id"])["body"]["result"]
    assert value == "-1", value
    adapter.ask("disconnect", terminateDebuggee=True)
    adapter.child.wait(20)


def main():
    with open(f"{ROOT}/docs/howto.md", encoding="utf-8") as f:
        page = f.read()
    block = re.search(r"```json file=\.vscode/tasks\.json\n(.*?)```", page, re.S)[1]
    task = json.loads(block)["tasks"][0]
    matcher = task["problemMatcher"]["pattern"]
    with tempfile.TemporaryDirectory(prefix="editors-") as folder:
        shutil.copy(f"{ROOT}/examples/bank/bank.c", folder)
        env = {**os.environ, "PATH": os.path.dirname(os.path.abspath(sys.argv[1])) + ":" + os.environ["PATH"]}
        done = subprocess.run(task["command"], shell=True, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = [m for m in map(re.compile(matcher["regexp"]).match, done.stdout.split("\n")) if m]
        places = [(m[matcher["file"]], int(m[matcher["line"]]), m[matcher["severity"]]) for m in found]
        wanted = [("bank.c", 41, "error")]
        assert places == wanted and os.path.exists(os.path.join(folder, places[0][0])), (places, done.stdout)
        assert "assertion 'balance >= 0' failed" in found[0][matcher["message"]], found[0]
        debug(page, folder, env)
    print("ok")


main()
