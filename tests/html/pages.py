#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of findings as treadle keeps them (docs/formats.md), made by small simulations.

    pages.py NAME > page.json      NAME: one of those that pages.py --list prints
"""
import json
import random
import sys

BANK = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
    pthread_mutex_lock(&m);
    int b = balance;
    pthread_mutex_unlock(&m);
    return b;
}

static void set(int b)
{
    pthread_mutex_lock(&m);
    balance = b;
    pthread_mutex_unlock(&m);
}

static void *teller(void *arg)
{
    int n = atoi(arg);
    if (get() >= n)
        set(get() - n);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t1, t2;
    if (argc != 3) return 2;
    pthread_create(&t1, NULL, teller, argv[1]);
    pthread_create(&t2, NULL, teller, argv[2]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance >= 0);
    return 0;
}
"""


class Page:
    """Acts one after the other; steps, who wrote what is read, and order follow by themselves."""

    def __init__(self, ident, title, message, source, file):
        self.file, self.source = file, source.splitlines()
        self.page = {
            "format": "treadle-page", "format_version": 1, "id": ident, "kind": ident.split("-")[0],
            "title": title, "message": message, "values": "", "at": self.place(0, ""),
            "program": "./" + file.rsplit("/", 1)[-1].removesuffix(".c"), "args": [], "version": "0.1.0",
            "recording": ident + ".treadle", "schedule": "", "inputs": [], "condition": "", "preemptions": 0,
            "left_out": 0, "threads": [], "steps": [], "parties": [], "why": [], "hidden": "",
            "sources": [{"file": file, "first": 1, "text": source}], "text": "(text)\n"}
        self.n_acts, self.n_shown, self.stop = 0, 0, "ended"
        self.writer, self.release, self.value = {}, {}, {}

    def place(self, line, function):
        return {"file": self.file, "line": line, "function": function}

    def thread(self, name, function, title, line=0, matters=True):
        self.page["threads"].append({"name": name, "function": function, "title": title, "matters": matters,
                                     "created": self.place(line, "main") if line else self.place(0, "")})
        return len(self.page["threads"]) - 1

    def act(self, thread, line, text, shown=True, fails=False, kind="op", new=False, **more):
        steps = self.page["steps"]
        last = steps[-1] if steps else None
        if last is None or last["thread"] != thread or last["at"]["line"] != line or new:
            stop = self.stop if last is not None and last["thread"] != thread else ""
            self.page["preemptions"] += stop == "preempted"
            text_of = self.source[line - 1].strip() if line <= len(self.source) else ""
            last = {"thread": thread, "number": 0, "at": self.place(line, self.function(thread)), "source": text_of,
                    "stop": stop, "fails": False, "acts": []}
            steps.append(last)
            self.stop = "ended"
        act = {"kind": kind, "text": text, "object": "", "value": "", "old": "", "from": -1, "after": -1,
               "shown": shown, "choice": kind != "read" and kind != "write", "fails": fails}
        act.update(more)
        last["acts"].append(act)
        last["fails"] = last["fails"] or fails
        if shown and last["number"] == 0:
            self.n_shown += 1
            last["number"] = self.n_shown
        self.n_acts += 1
        return self.n_acts - 1

    def function(self, thread):
        return self.page["threads"][thread]["function"]

    def read(self, thread, line, name, **more):
        value = self.value.get(name, 0)
        return self.act(thread, line, "%s -> %s" % (name, value), kind=more.pop("kind", "read"), object=name,
                        value=str(value), **{"from": self.writer.get(name, -1)}, **more)

    def write(self, thread, line, name, value, **more):
        old = self.value.get(name, 0)
        text = "%s = %s (was %s)" % (name, value, old)
        index = self.act(thread, line, text, kind=more.pop("kind", "write"), object=name, value=str(value),
                         old=str(old), after=self.writer.get(name, -1), **more)
        self.writer[name], self.value[name] = index, value
        return index

    def lock(self, thread, line, name, **more):
        more.setdefault("shown", False)
        return self.act(thread, line, "lock %s got it" % name, kind="lock", object=name,
                        after=self.release.get(name, -1), **more)

    def unlock(self, thread, line, name, **more):
        more.setdefault("shown", False)
        self.release[name] = self.act(thread, line, "unlock " + name, kind="unlock", object=name, **more)

    def done(self, line, function):
        self.page["at"] = self.place(line, function)
        return self.page


def bank():
    p = Page("assert-71c2", "assertion failed", "assertion 'balance >= 0' failed", BANK, "bank.c")
    p.value["balance"] = 100
    main = p.thread("main", "main", "main")
    t1 = p.thread("T1", "teller", 'T1 teller("30")', 35)
    t2 = p.thread("T2", "teller", 'T2 teller("71")', 36)

    def get(t, **more):
        p.lock(t, 10, "m", new=True)
        p.read(t, 11, "balance", **more)
        p.unlock(t, 12, "m")

    def put(t, value):
        p.lock(t, 18, "m", new=True)
        p.write(t, 19, "balance", value)
        p.unlock(t, 20, "m")

    p.act(main, 35, "create T1", shown=False, kind="create")
    p.act(main, 36, "create T2", shown=False, kind="create")
    p.stop = "waits"
    get(t1)
    p.act(t1, 26, "100 >= 30 is true", kind="decide")
    p.stop = "preempted"
    get(t2)
    p.act(t2, 26, "100 >= 71 is true", kind="decide")
    get(t2)
    put(t2, 29)
    p.act(t2, 28, "return", shown=False, kind="end")
    p.stop = "ended"
    get(t1)
    put(t1, -1)
    p.act(t1, 28, "return", shown=False, kind="end")
    p.act(main, 37, "join T1", shown=False, kind="join")
    p.act(main, 38, "join T2", shown=False, kind="join")
    p.read(main, 39, "balance", fails=True)
    page = p.done(39, "main")
    page.update(values="balance = -1", args=["30", "71"], schedule="main:2 T1:2 T2:7 T1:5 main:2",
                condition="100 - arg1 < arg2 <= 100",
                inputs=[{"name": "arg1", "value": "30", "type": "u8", "matters": True},
                        {"name": "arg2", "value": "71", "type": "u8", "matters": True}] +
                [{"name": "line[%d]" % i, "value": v, "type": "b8", "matters": i == 0}
                 for i, v in enumerate(("'G'", "69", "'T'", "32", "0"))],
                hidden="12 lock/unlock of 'm' without contention, 6 create/join/exit",
                why=["T2's write at #4 comes between T1's check (#1) and T1's second read (#5).",
                     "No data race: all accesses are ordered by 'm' or join."])
    page["steps"][-1]["calls"] = "bank.c:39 in check, called at bank.c:39 in main"
    return page


RING = """/* A queue for one producer and one consumer. */
#include <pthread.h>

static struct {
    unsigned head, tail;
    int slots[8];
} ring;

static void *producer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        unsigned t = ring.tail;
        ring.slots[t % 8] = i;
        ring.tail = t + 1;
    }
    return NULL;
}

static void *consumer(void *arg)
{
    while (ring.head == ring.tail)
        ;
    return NULL;
}
"""


def race():
    p = Page("race-0b4e", "data race", "data race on 'ring.tail' (unsigned, global 'ring')", RING, "src/queue/ring.c")
    p.thread("main", "main", "main", matters=False)
    t1 = p.thread("T1", "producer", "T1 producer(NULL)", 30)
    t2 = p.thread("T2", "consumer", "T2 consumer(NULL)", 31)
    p.act(0, 30, "create T1", shown=False, kind="create")
    p.act(0, 31, "create T2", shown=False, kind="create")
    p.read(t1, 12, "ring.tail", shown=False)
    p.write(t1, 13, "ring.slots[0]", 0, shown=False)
    p.write(t1, 14, "ring.tail", 1)
    p.stop = "preempted"
    p.read(t2, 21, "ring.head")
    p.read(t2, 21, "ring.tail", fails=True)
    page = p.done(14, "producer")
    page["parties"] = [
        {"role": "write", "thread": t1, "at": p.place(14, "producer"), "text": "writes ring.tail (4 bytes); holds nothing"},
        {"role": "read", "thread": t2, "at": p.place(21, "consumer"), "text": "reads ring.tail (4 bytes); holds nothing"}]
    page["why"] = ["T1 and T2 are not ordered here: no common lock, atomic or join."]
    return page


XFER = "\n".join(["/* Moves money between accounts. */", "#include <pthread.h>", ""] + [""] * 10 +
                 ["static void *move(void *arg)", "{", "    struct pair *p = arg;",
                  "    pthread_mutex_lock(&p->from->lock);", "    pthread_mutex_lock(&p->to->lock);",
                  "    p->to->money += p->amount;", "    p->from->money -= p->amount;",
                  "    pthread_mutex_unlock(&p->to->lock);", "    pthread_mutex_unlock(&p->from->lock);",
                  "    return NULL;", "}", "", "int main(void)", "{", "    pthread_t t1, t2;"] + [""] * 9 +
                 ["    pthread_create(&t1, NULL, move, &ab);", "    pthread_create(&t2, NULL, move, &ba);",
                  "    pthread_join(t1, NULL);", "}"]) + "\n"


def deadlock():
    p = Page("deadlock-5d10", "deadlock", "deadlock: 2 threads wait for each other, main waits in join", XFER, "xfer.c")
    main = p.thread("main", "main", "main")
    t1 = p.thread("T1", "move", "T1 move(&ab)", 38)
    t2 = p.thread("T2", "move", "T2 move(&ba)", 39)
    p.act(main, 38, "create T1", shown=False, kind="create")
    p.act(main, 39, "create T2", shown=False, kind="create")
    p.stop = "waits"
    p.lock(t1, 17, "a->lock", shown=True)
    p.stop = "preempted"
    p.lock(t2, 17, "b->lock", shown=True)
    p.act(t2, 18, "lock a->lock WAITS for T1", kind="waits", object="a->lock", fails=True)
    p.stop = "waits"
    p.act(t1, 18, "lock b->lock WAITS for T2", kind="waits", object="b->lock", fails=True)
    p.stop = "waits"
    p.act(main, 40, "join T1 WAITS for T1", kind="waits", fails=True)
    page = p.done(18, "move")
    page["parties"] = [
        {"role": "waits", "thread": t1, "at": p.place(18, "move"),
         "text": "holds a->lock taken at xfer.c:17, wants b->lock"},
        {"role": "waits", "thread": t2, "at": p.place(18, "move"),
         "text": "holds b->lock taken at xfer.c:17, wants a->lock"},
        {"role": "waits", "thread": main, "at": p.place(40, "main"), "text": "joins T1"}]
    at = {line: p.place(line, "move") for line in (17, 18)}
    page["waits"] = [
        {"role": "holds", "thread": t1, "other": -1, "object": "a->lock", "how": "writer", "at": at[17]},
        {"role": "wants", "thread": t1, "other": -1, "object": "b->lock", "how": "reader", "at": at[18]},
        {"role": "holds", "thread": t2, "other": -1, "object": "b->lock", "how": "", "at": at[17]},
        {"role": "wants", "thread": t2, "other": -1, "object": "a->lock", "how": "", "at": at[18]},
        {"role": "joins", "thread": main, "other": t1, "object": "", "how": "", "at": p.place(40, "main")},
        {"role": "last", "thread": main, "other": -1, "object": "a->lock", "how": "signal", "at": p.place(38, "main")}]
    page["why"] = ["T1 waits for T2, which holds b->lock; T2 waits for T1, which holds a->lock."]
    return page


def crowd(n_threads, n_rounds, ident, seed=7):
    """Workers that take turns on a few counters; the last one fails."""
    rng = random.Random(seed)
    lines = ["#include <stdatomic.h>", ""] + ["void *work_%d(void *job) /* a stage of the pipeline */" % i
                                              for i in range(n_threads)]
    while len(lines) < 420:
        lines.append("    atomic_fetch_add(&stage[%d].count, step_of(job, %d)); // round" % (len(lines) % 9, len(lines)))
    p = Page(ident, "assertion failed", "assertion 'total == expected_total_of_all_stages(&pipeline)' failed",
             "\n".join(lines) + "\n", "lib/pipeline/stages.c")
    threads = [p.thread("main", "main", "main")]
    threads += [p.thread("T%d" % i, "work_%d" % i, "T%d work_%d(&jobs[%d])" % (i, i, i - 1), 10 + i)
                for i in range(1, n_threads)]
    for t in threads[1:]:
        p.act(0, 10 + t, "create T%d" % t, shown=False, kind="create")
    now = 0
    for i in range(n_rounds):
        shown = n_rounds < 100 or i > n_rounds - 40
        if rng.random() < 0.45:
            now = rng.randrange(len(threads))
            p.stop = rng.choice(["preempted", "waits", "waits"])
        name, line = "stage[%d].count" % rng.randrange(9), 30 + rng.randrange(380)
        if rng.random() < 0.5:
            p.read(threads[now], line, name, shown=shown, kind="load")
        else:
            p.write(threads[now], line, name, rng.randrange(1000), shown=shown, kind="store")
    p.read(threads[0], 400, "stage[3].count", fails=True)
    page = p.done(400, "main")
    page["why"] = ["Some write fell between a read and a write of another thread."]
    return page


def hostile():
    """What a program may call its things must not become markup."""
    evil = "</script><script>window.evil=1</script><img src=x onerror='window.evil=2'>"
    p = Page("assert-0bad", "assertion failed " + evil, "assertion '" + evil + "' failed", "x = '" + evil + "';\ny = \"" + evil + "\";\n",
             "a" + evil + ".c")
    t = p.thread("main" + evil, "main" + evil, "main " + evil)
    p.write(t, 1, evil, 1)
    p.read(t, 2, evil, fails=True)
    page = p.done(1, evil)
    for name in ("values", "program", "version", "recording", "schedule", "condition", "hidden", "text"):
        page[name] = evil
    page["why"] = [evil, "\u2028\u2029<!--<script>"]
    page["args"] = [evil, "-->", "]]>", "&lt;b&gt;", "\x01\x7f"]
    page["inputs"] = [{"name": evil, "value": evil, "type": evil, "matters": True}]
    page["parties"] = [{"role": evil, "thread": 0, "at": p.place(1, evil), "text": evil}]
    page["waits"] = [{"role": evil, "thread": 0, "other": -1, "object": evil, "how": evil, "at": p.place(1, evil)}]
    page["steps"][0]["calls"] = evil
    return page


def empty():
    """The least that a page can be."""
    return Page("crash-0000", "crash", "the program ended by signal 11", "", "none.c").done(0, "")


PAGES = {"bank": bank, "race": race, "deadlock": deadlock, "hostile": hostile, "empty": empty,
         "six": lambda: crowd(6, 40, "assert-6666"), "threads": lambda: crowd(12, 60, "assert-12aa"), "many": lambda: crowd(8, 10000, "assert-10ee")}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(PAGES))
    elif len(sys.argv) == 2 and sys.argv[1] in PAGES:
        json.dump(PAGES[sys.argv[1]](), sys.stdout)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
