#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""treadle mcp: a session of the protocol, and requests that are none.

Usage: run.py TREADLE
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


LONG = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg)
{
    for (int i = 0; i < 9; i++) {
        pthread_mutex_lock(&m);
        n = n * 3 + (arg != 0);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, i & 1 ? &n : NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
"""


class Server:
    def __init__(self, treadle, folder):
        self.process = subprocess.Popen([treadle, "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.n = 0

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, method, **params):
        self.n += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.n, "method": method, "params": params}).encode())
        answer = self.read()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.n, answer
        return answer

    def call(self, tool, **arguments):
        """(text, whether it is an error)"""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        assert "result" in answer, answer
        content = answer["result"]["content"]
        assert len(content) == 1 and content[0]["type"] == "text", answer
        return content[0]["text"], answer["result"]["isError"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def protocol(s):
    first = s.ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "test", "version": "1"})["result"]
    assert first["protocolVersion"] == "2025-03-26" and "tools" in first["capabilities"], first
    assert s.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-06-18"
    s.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert s.ask("ping")["result"] == {}
    tools = s.ask("tools/list")["result"]["tools"]
    assert [t["name"] for t in tools] == ["build", "check", "run", "findings", "explain", "show", "replay", "ledger"], tools
    for t in tools:
        assert t["description"] and t["inputSchema"]["type"] == "object", t
        assert set(t["inputSchema"]["required"]) <= set(t["inputSchema"]["properties"]), t


def tools(s, folder, treadle):
    assert s.call("findings")[1], "there is no session yet"
    for name in ("bank", "bank_fixed"):
        subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", f"{ROOT}/examples/bank/{name}.c", "-o", f"{folder}/{name}"], check=True)
    text, wrong = s.call("run", program="./bank", args=["30", "71"], time="20s")
    said = " ".join(text.split())  # where lines break depends on how long the path is
    assert not wrong and "assertion 'balance >= 0' failed" in said and "[exit 1]" in text, text
    text, wrong = s.call("findings")
    found = [line.split()[0] for line in text.split("\n")[1:] if line]
    assert not wrong and len(found) == 1 and found[0].startswith("assert-"), text
    text, wrong = s.call("show", finding=found[0])
    assert not wrong and "FAILS HERE" in text, text
    text, wrong = s.call("replay", finding=found[0])
    assert not wrong and "[exit 1]" in text, text
    text, wrong = s.call("replay", finding=found[0], program="./bank_fixed")
    assert "[exit 1]" not in text, text
    text, wrong = s.call("run", program="./bank_fixed", args=["30", "71"], time="20s", goal="traces")
    assert not wrong and "COMPLETE" in text and "[exit 0]" in text, text
    text, wrong = s.call("ledger")
    assert not wrong and text.startswith("complete"), text
    for tool, arguments in (("show", {"finding": "assert-0000"}), ("run", {"program": "./missing"}), ("show", {"finding": "--html"}),
                            ("ledger", {"session": "/nowhere"}), ("run", {"program": "--help"}), ("run", {"program": "./bank", "time": "x"})):
        text, wrong = s.call(tool, **arguments)
        assert wrong and text, (tool, arguments, text)


def structured(s, folder):
    answer = s.ask("tools/call", name="build", arguments={"args": ["-g", "-O1", "-pthread", f"{ROOT}/examples/bank/bank.c", "-o", "built"]})["result"]
    assert not answer["isError"] and os.access(f"{folder}/built", os.X_OK), answer
    assert s.call("build", args=["-c", "nowhere.c"])[1]
    result = s.ask("tools/call", name="run", arguments={"program": "./built", "args": ["30", "71"], "time": "20s"})["result"]["structuredContent"]
    assert result["verdict"] == "bug" and [f["kind"] for f in result["findings"]] == ["assert"], result
    text, wrong = s.call("explain", finding=result["findings"][0]["id"])
    assert not wrong and "FAILS HERE" in text, text
    assert s.call("check", dir="/nowhere")[1]


def start_long(s, treadle, folder):
    """A session of minutes, which is under way."""
    with open(f"{folder}/long.c", "w", encoding="ascii") as f:
        f.write(LONG)
    subprocess.run([treadle, "cc", "-g", "-O1", "-pthread", f"{folder}/long.c", "-o", f"{folder}/long"], check=True)
    s.send(b'{"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": {"name": "run", "arguments":'
           b' {"program": "./long", "goal": "traces", "time": "10m"}}}')
    time.sleep(1)


def cancelled(s, treadle, folder):
    start_long(s, treadle, folder)
    s.send(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "another"}}')
    time.sleep(0.5)
    start = time.monotonic()
    s.send(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}')
    assert s.ask("ping")["result"] == {}  # and not the answer of what was cancelled
    assert time.monotonic() - start < 5


def left(treadle, folder):
    s = Server(treadle, folder)
    start_long(s, treadle, folder)
    start = time.monotonic()
    assert s.end() == 0 and time.monotonic() - start < 5


def broken(s):
    def refused(line, code):
        s.send(line)
        answer = s.read()
        assert answer["error"]["code"] == code and answer["error"]["message"], (line, answer)

    refused(b"x", -32700)
    refused(b"{}x", -32700)
    refused(b"[" * 1000, -32700)
    refused(b"[]", -32700)
    refused(b'{"id": 1}', -32600)
    refused(b'{"id": {}, "method": "ping"}', -32700)
    refused(b'{"id": 1, "method": "none"}', -32601)
    refused(b'{"id": 1, "method": "tools/call"}', -32602)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "run"}}', -32602)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "rm", "arguments": {}}}', -32602)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "show", "arguments": {"finding": "a", "x": "b"}}}', -32602)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "show", "arguments": {"finding": ["a", "b"]}}}', -32602)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "show", "arguments": {"finding": {}}}}', -32600)
    refused(b'{"id": 1, "method": "tools/call", "params": {"name": "show", "arguments": {"finding": "a\\u0000b"}}}', -32600)
    refused(b'{"id": 1, "method": "' + b"a" * (2 << 20) + b'"}', -32700)
    draw = random.Random(3)
    whole = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"name": "x", "arguments": {"a": ["b"]}}}).encode()
    for _ in range(300):
        line = bytearray(whole)
        for _ in range(draw.randrange(1, 6)):
            line[draw.randrange(len(line))] = draw.choice(b'{}[]",:\\x00\xff1 ')
        s.send(bytes(line).replace(b"\n", b" "))
    s.send(b"\n \n" + b'{"id": "last", "method": "ping"}')
    while True:
        answer = s.read()
        assert answer is not None and ("result" in answer or "error" in answer), answer
        if answer["id"] == "last":
            break


def main():
    treadle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="mcp-") as folder:
        s = Server(treadle, folder)
        protocol(s)
        tools(s, folder, treadle)
        structured(s, folder)
        cancelled(s, treadle, folder)
        broken(s)
        assert s.end() == 0, "exit status"
        left(treadle, folder)
    print("ok")


main()
