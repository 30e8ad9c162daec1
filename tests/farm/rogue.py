# SPDX-License-Identifier: Apache-2.0
"""A member of a farm that hands in what no honest worker would, generated from a seed, against a running campaign.

Fields out of range, missing and too long, texts that are none, items of another campaign and of another worker, reports
twice and late, divisions that lose something, parts that were not done. The leader never fails. Where all that was handed
in must be refused or ignored, the result is that of a run alone; where not, it is that or INCOMPLETE, and the ledger
names the row."""
import json
import os
import random
import subprocess
import time

# A call of exchange; what a report hands in goes into the braces.
EXCHANGE = ("SELECT * FROM treadle.exchange({campaign}, {worker}, {generation}, {item}, {token}, {done}, {counts},"
            " {digests}, {whole}, {children}, {keeps}, {news}, {lines}, {state}, {texts}, {want}, {lease}, {seen}, {call})")
PLAIN = {"generation": 0, "item": 0, "token": 0, "done": "false", "counts": "'{0,0,0,0}'", "digests": "'{0,0}'",
         "whole": "true", "children": "'{}'", "keeps": "false", "news": "'{}'", "lines": "'{}'", "state": "'{}'",
         "texts": "'{}'", "want": 0, "lease": 1000, "seen": 0, "call": 1}
EIGHT = "ARRAY['a','b','c','d','e','f','g','h']::pg_catalog.bytea[]"
LARGEST = 2 ** 63 - 1
LONG = f"convert_to(repeat('x', {17 << 20}), 'UTF8')"


class Failed(Exception):
    pass


def require(holds, text):
    if not holds:
        raise Failed(text)


def exchange_of(campaign, worker, **fields):
    return EXCHANGE.format(campaign=campaign, worker=worker, **{**PLAIN, **fields})


def numbers(values):
    return "ARRAY[" + ",".join(str(v) for v in values) + "]::bigint[]"


def bytes_of(b):
    return f"'\\x{b.hex()}'::bytea"


def array_of(texts):
    return "ARRAY[" + ",".join(t if isinstance(t, str) else bytes_of(t) for t in texts) + "]::bytea[]"


# ---- items (src/explore/core/item.c) ----

def varint(b, at):
    value, shift = 0, 0
    while True:
        value |= (b[at] & 0x7f) << shift
        shift += 7
        at += 1
        if b[at - 1] < 0x80:
            return value, at


def literals_of(payload):
    """The bytes of each literal of an item; [] of one that cannot be read."""
    n, at = varint(payload, 1)
    found = []
    try:
        for _ in range(n):
            start = at
            n_steps, at = varint(payload, at + 17)
            for _ in range(2 * n_steps):
                _, at = varint(payload, at)
            n_inputs, at = varint(payload, at)
            for _ in range(n_inputs):
                _, at = varint(payload, at + 8)
            found.append(payload[start:at])
    except IndexError:
        return []
    return found


def item_of(n, literals):
    return bytes([1]) + number_of(n) + literals


def number_of(n):
    out = b""
    while n >= 128:
        out += bytes([n % 128 + 128])
        n //= 128
    return out + bytes([n])


def halves(payload, literal):
    n, at = varint(payload, 1)
    return [item_of(n + 1, payload[at:] + bytes([has]) + literal[1:]) for has in (1, 0)]


# ---- the rogue ----

class Session:
    """A connection, by one psql for all commands."""
    END = "---- end of a command: "

    def __init__(self, server, user):
        self.psql = subprocess.Popen(
            [os.path.join(server.bin, "psql"), "-XAtq", "-h", server.dir, "-p", str(server.port), "-U", user, "-d", "farm"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def say(self, sql):
        """What it answers, and whether it took the command."""
        self.psql.stdin.write(f"{sql};\n\\echo {self.END}:ERROR\n".encode())
        self.psql.stdin.flush()
        lines = []
        for line in self.psql.stdout:
            text = line.decode(errors="replace").rstrip("\n")
            if text.startswith(self.END):
                return Answer(sql, text.endswith("false"), "\n".join(lines))
            lines.append(text)
        raise Failed(f"the server has ended the connection of a rogue: {lines}")

    def close(self):
        self.psql.stdin.close()
        self.psql.wait(timeout=60)


class Answer:
    def __init__(self, sql, is_taken, text):
        self.sql, self.is_taken, self.text = sql, is_taken, text

    def cells(self):
        """Of the first row."""
        return self.text.split("\n")[0].split("|")


class Rogue:
    def __init__(self, farm, seed):
        self.farm = farm
        self.server = farm.cluster
        self.random = random.Random(seed)
        self.owner = Session(self.server, "farm_owner")
        self.member = Session(self.server, "farm_worker")
        self.starter = Session(self.server, "farm_starter")
        self.campaign = self.ask("SELECT max(id) FROM treadle.campaign")
        self.workers = [self.say(f"SELECT treadle.worker_join({self.campaign}, 'rogue {i}')").text for i in range(3)]
        self.calls = {w: 0 for w in self.workers}
        self.of_generation = "0"
        self.hostage = None  # (worker, item, token, payload): while it is held the campaign goes on
        self.held = []  # others
        self.old = []  # reports that were handed in before
        self.taken = {}  # by kind: [handed in, taken by the server]

    def ask(self, sql):
        answer = self.owner.say(sql)
        require(answer.is_taken, f"{sql}: {answer.text}")
        return answer.text.strip()

    def say(self, sql):
        return self.member.say(sql)

    def close(self):
        for session in (self.owner, self.member, self.starter):
            session.close()

    def exchange(self, worker, **fields):
        self.calls[worker] += 1
        own = {"seen": self.calls[worker] - 1, "call": self.calls[worker], "generation": self.of_generation, "lease": 600000}
        sql = exchange_of(self.campaign, worker, **{**own, **fields})
        done = self.say(sql)
        if done.is_taken:
            self.old.append(sql)
        else:
            self.calls[worker] -= 1
        return done

    def lease(self, worker, tries):
        """An item with its lease, or None: nobody has one to give away."""
        for _ in range(tries):
            done = self.exchange(worker, want=1)
            require(done.is_taken, f"an exchange without a report: {done.text}")
            row = done.cells()
            if row[0]:
                return (worker, row[0], row[1], bytes.fromhex(row[3][2:]))
            time.sleep(0.05)
        return None

    def begin(self):
        self.hostage = self.lease(self.workers[0], 400)
        left = self.ask(f"SELECT id, state, worker, attempts, generation FROM treadle.item WHERE campaign = {self.campaign}")
        require(self.hostage, f"the rogue gets no item after {self.taken}: {left}")

    def any_held(self):
        return self.random.choice(self.held + [self.hostage])

    def take(self):
        """An item to be handed in."""
        one = self.lease(self.workers[1], 20)
        if not one and self.held:
            one = self.held.pop()
        return one

    def report(self, **fields):
        """Of an item that is held; it is refused, so that it is held on."""
        one = self.any_held()
        return self.exchange(one[0], **{"item": one[1], "token": one[2], **fields})

    def hand_over(self, **fields):
        """Of one that is not held any more."""
        one = self.take()
        return one and self.exchange(one[0], **{"item": one[1], "token": one[2], **fields})

    def leave(self):
        for w in self.workers:
            self.say(f"SELECT treadle.worker_gone({self.campaign}, {w})")

    # What is refused: each returns what the server said.

    def bad_number(self):
        return self.random.choice([-1, -LARGEST, LARGEST, 2 ** 40 + 1, "NULL"])

    def bad_state(self):
        values = [0] * 7
        values[self.random.randrange(7)] = self.bad_number()
        return self.exchange(self.workers[0], state=numbers(values), texts="ARRAY['a','b','c']::bytea[]")

    def bad_counts(self):
        values = [0] * 4
        values[self.random.randrange(4)] = self.bad_number()
        if self.random.random() < 0.2:
            values = values[:3]
        return self.report(done="true", counts=numbers(values))

    def bad_digests(self):
        bad = self.random.choice(["NaN", "-1", "0.5", str(2 ** 128), "Infinity", "NULL"])
        pair = self.random.choice([f"{bad},0", f"0,{bad}", "0", "0,0,0"])
        return self.report(done="true", digests=f"'{{{pair}}}'")

    def bad_lines(self):
        lines = self.random.choice(["'{-1}'", "'{4294967296}'", "'{}'", "ARRAY[NULL]::bigint[]", "'{1,2}'", "'{{1}}'"])
        return self.exchange(self.workers[1], news=EIGHT if lines != "'{{1}}'" else f"{EIGHT}[1:7]", lines=lines)

    def bad_size(self):
        field = self.random.randrange(4)
        if field == 0:
            return self.exchange(self.workers[1], lease=self.random.choice([0, -1, 600001, 2 ** 31 - 1]))
        if field == 1:
            return self.exchange(self.workers[1], want=self.random.choice([-1, 4097, 2 ** 31 - 1]))
        if field == 2:
            return self.exchange(self.workers[1], state="'{1,1,1,1,1,1,1}'", texts=f"ARRAY['a', {LONG}, 'c']::bytea[]")
        eight = [b"x"] * 8
        eight[self.random.randrange(8)] = LONG
        return self.exchange(self.workers[1], news=array_of(eight), lines="'{1}'")

    def bad_text(self):
        zero = b"a\0b"
        if self.random.random() < 0.5:
            return self.exchange(self.workers[1], state="'{1,1,1,1,1,1,1}'",
                                 texts=array_of(self.random.sample([zero, b"x", b"y"], 3)))
        eight = [b"x"] * 8
        eight[self.random.randrange(8)] = zero
        return self.exchange(self.workers[1], news=array_of(eight), lines="'{1}'")

    def missing(self):
        name = self.random.choice(sorted(set(PLAIN) - {"seen", "call"}))
        return self.report(**{"done": "true", name: "NULL"})

    def bad_children(self):
        one = self.any_held()
        literals = literals_of(one[3])
        literal = literals[-1] if literals else bytes(17) + b"\0\0"
        first, second = halves(one[3], literal)
        other = halves(item_of(len(literals) - 1, b"".join(literals[:-1])) if literals else item_of(1, literal), literal)
        wrong = self.random.choice([
            [b"garbage", b""], [b""], [first], [first, first], [first, second, second], other, [one[3], one[3]],
            [first, second + b"x"], [first[:-1], second[:-1]] if len(first) < len(one[3]) + 20 else [second],
            [item_of(0, b"")] * 2, [b"\2" + first[1:], b"\2" + second[1:]], [first, "NULL"]])
        return self.report(children=array_of(wrong), done=self.random.choice(["false", "true"]),
                           keeps=self.random.choice(["true", "false"]))

    def done_with_children(self):
        one = self.any_held()
        return self.report(done="true", children=array_of([one[3]]))

    def of_another_worker(self):
        strangers = self.ask(f"SELECT id FROM treadle.worker WHERE campaign = {self.campaign} AND role <> 'farm_worker'")
        stranger = self.random.choice(strangers.split("\n"))
        if self.random.random() < 0.3:
            return self.say(f"SELECT treadle.worker_gone({self.campaign}, {stranger})")
        return self.say(exchange_of(self.campaign, stranger, want=1, call=LARGEST))

    def of_no_campaign(self):
        return self.random.choice([
            lambda: self.say(exchange_of(2 ** 40, self.workers[0])),
            lambda: self.say(exchange_of(self.campaign, 2 ** 40)),
            lambda: self.say(f"SELECT treadle.worker_join({2 ** 40}, 'x')"),
            lambda: self.say(f"SELECT treadle.worker_join({self.campaign}, '\\x00'::bytea)"),
            lambda: self.say(f"SELECT treadle.campaign_again({2 ** 40}, 0, '', '')"),
            lambda: self.say(f"SELECT * FROM treadle.samples({self.campaign}, '{{}}')"),
            lambda: self.say(f"SELECT treadle.campaign_stop({self.campaign})"),
            lambda: self.say(f"SELECT treadle.leases_clear({self.campaign})")])()

    REFUSED = [bad_state, bad_counts, bad_digests, bad_lines, bad_size, bad_text, missing, bad_children,
               done_with_children, of_another_worker, of_no_campaign]

    # What is taken, and changes nothing.

    def twice(self):
        return self.say(self.random.choice(self.old))

    def late(self):
        """With an invalid token, one of another generation, or of an item that another worker of it holds."""
        one = self.any_held()
        worker = self.random.choice([w for w in self.workers if w != one[0]])
        wrong = self.random.choice([{"token": int(one[2]) + 2}, {"generation": 7}, {"generation": -1}, {"item": LARGEST}, {}])
        fields = {"item": one[1], "token": one[2], "done": "true", "counts": "'{1,1,1,1}'", "digests": "'{5,5}'", **wrong}
        return self.exchange(worker, **fields)

    def of_another_campaign(self):
        other = self.starter.say("SELECT treadle.campaign_begin(ARRAY['1','2','3','4','5']::bytea[], '\\x0100'::bytea)").text
        worker = self.say(f"SELECT treadle.worker_join({other}, 'rogue')").text
        one = self.any_held()
        done = self.say(exchange_of(other, worker, item=one[1], token=one[2], done="true", counts="'{9,9,9,9}'"))
        self.ask(f"SELECT treadle.campaign_forget({other})")
        return done

    def strange_name(self):
        name = self.random.choice([b"\x1b[2J\x1b]0;x\x07", "\u202eevil".encode(), b"\xff\xfe", b"x" * 2000, b""])
        return self.exchange(self.workers[2], state="'{1,1,1,1,1,1,1}'", texts=array_of([name, "NULL", "NULL"]))

    IGNORED = [twice, late, of_another_campaign, strange_name]

    # What is taken, and shows.

    def lie(self):
        """A part that was not done."""
        return self.hand_over(done="true", counts=f"'{{{self.random.randrange(100)},0,0,0}}'", digests="'{1,0}'")

    def not_complete(self):
        return self.hand_over(done="true", whole="false")

    def false_event(self):
        """A division at an event that there is not."""
        one = self.take()
        steps = [self.random.choice([0, 1, 2, 63, 64, 1000, 2 ** 32 - 1]) for _ in range(2 * self.random.choice([0, 1, 5, 5000]))]
        inputs = self.random.choice([0, 1, 100])
        literal = bytes([1]) + self.random.randbytes(16) + number_of(len(steps) // 2)
        literal += b"".join(number_of(max(n, i % 2)) for i, n in enumerate(steps)) + number_of(inputs)
        literal += b"".join(self.random.randbytes(8) + number_of(self.random.getrandbits(64)) for _ in range(inputs))
        return one and self.exchange(one[0], item=one[1], token=one[2], children=array_of(halves(one[3], literal)))

    def changed_event(self):
        """A division at an event that there is, with bytes of its schedule and inputs changed."""
        one = self.take()
        literals = literals_of(one[3]) if one else []
        if not literals:
            return None
        literal = bytearray(self.random.choice(literals))
        for _ in range(self.random.randrange(1, 4)):
            literal[self.random.randrange(1, len(literal))] = self.random.randrange(128)
        return self.exchange(one[0], item=one[1], token=one[2], children=array_of(halves(one[3], bytes(literal))))

    def broken_literal(self):
        """A division that looks like one, whose literal nobody can read."""
        one = self.take()
        literal = bytes([1]) + self.random.randbytes(self.random.randrange(18, 60))
        return one and self.exchange(one[0], item=one[1], token=one[2], children=array_of(halves(one[3], literal)))

    def bad_finding(self):
        recording = self.random.choice([
            b"garbage", b"", b"treadle recording 1\n", b"\x1b[2J", self.random.randbytes(50).replace(b"\0", b"x"),
            b"treadle recording 1\nprogram /bin/sh\nsteps " + b"0 " * 5000])
        texts = [f"assert-{self.random.randrange(10 ** 9)}".encode(), b"assert", b"\x1b]0;x\x07.c", b"f", "\u202ex".encode(),
                 recording, b"{}", b"text"]
        return self.exchange(self.workers[2], news=array_of(texts), lines="'{1}'")

    def bad_ledger(self):
        ledger = self.random.choice([
            b"garbage", b"%s %s\nx\ty\n" % (self.workers[2].encode(), self.of_generation.encode()),
            b"1 0\n99999999999999999999999\t1\tdepth\t\tx\n", b"1 0\n1\t-1\tdepth\t\tx\n", b"1 0\n1\t1\tmembers\t\t\x1b[31m\n",
            b"1 0\n" + b"".join(b"1\t%d\tdepth\tf\tx\n" % i for i in range(12000))])
        if len(ledger) > 100000:
            ledger = "convert_to(E'1 0\\n' || repeat(E'1\\t1\\tdepth\\tf\\tx\\n', 12000), 'UTF8')"
        return self.exchange(self.workers[2], state="'{1,1,1,1,1,1,1}'", texts=array_of([b"rogue", ledger, "NULL"]))

    def bad_coverage(self):
        return self.exchange(self.workers[2], state="'{1,1,1,1,1,1,1}'", texts=array_of([b"rogue", b"", b"1" * 9999]))

    def park(self):
        """An item whose leases all end."""
        one = self.take()
        for _ in range(3 if one else 0):
            self.say(f"SELECT treadle.worker_gone({self.campaign}, {one[0]})")
            if self.exchange(one[0], want=1).cells()[0] != one[1]:
                break
        return one and self.say(f"SELECT treadle.worker_gone({self.campaign}, {one[0]})")

    def again(self):
        """The campaign begins anew with accesses that are none."""
        accesses = self.random.choice([b"garbage", b"\xff" * 8, b"\1\0\0\0\1\0\0\0" * 5000, b"\1\0\0\0\2\0\0\0"])
        done = self.say(f"SELECT treadle.campaign_again({self.campaign}, {self.of_generation}, '\\x0100',"
                        f" {bytes_of(accesses)})")
        self.of_generation = self.ask(f"SELECT generation FROM treadle.campaign WHERE id = {self.campaign}")
        self.held = []
        self.begin()
        return done

    SHOWN = [lie, not_complete, false_event, changed_event, broken_literal, bad_finding, bad_ledger, bad_coverage, park, again]

    def hand_in(self, kinds, n):
        for _ in range(n):
            kind = self.random.choice(kinds)
            done = kind(self)
            count = self.taken.setdefault(kind.__name__, [0, 0])
            count[0] += 1
            is_taken = done is not None and done.is_taken
            count[1] += is_taken
            require(kind not in self.REFUSED or not is_taken,
                    f"taken: {kind.__name__} {done.sql[:600] if done else ''}")


# ---- the test ----

ROW = ("item ", "worker ", "finding ", "generation ", "was restarted")


def check_end(farm, leader, out, expected, is_exact):
    leader.wait(timeout=300)
    said = leader.stderr.read()
    require(leader.returncode in (0, 3), f"the leader ended with {leader.returncode}: {said}")
    with open(f"{out}.json", encoding="utf-8") as f:
        r = json.load(f)
    got = {k: r.get(k) for k in expected}
    if leader.returncode == 0:
        require(got == expected, f"with a rogue {got}, alone {expected}")
    else:
        named = [g["text"] for g in r["ledger"] if g["kind"] in ("members", "parked") and any(w in g["text"] for w in ROW)]
        require(named, f"INCOMPLETE, and no row is named: {r['ledger']}")
    require(not is_exact or leader.returncode == 0, f"nothing of it counts, and yet: {r['ledger']}")
    for text in (said, farm.call("top", "--once", farm.address("reader")).stdout):
        require(all(c in "\n\t" or c.isprintable() and c != "\u202e" for c in text), f"on a terminal: {text!r}")
    return r


def campaign(farm, program, expected, seed, kinds, n, is_exact):
    leader, out = farm.lead(program, "states")
    rogue = Rogue(farm, seed)
    try:
        rogue.begin()
        rogue.hand_in(kinds, n)
        rogue.leave()
    except BaseException:
        leader.kill()
        leader.wait()
        raise
    finally:
        rogue.close()
    r = check_end(farm, leader, out, expected, is_exact)
    print(f"  seed {seed}: {n} hand-ins, {r['verdict']}, farm {r['farm']}; kind, handed in, taken: "
          + ", ".join(f"{k} {a} {b}" for k, (a, b) in sorted(rogue.taken.items())), flush=True)
    return r


def invent(farm):
    """A member that takes all it can get of a search of hours and says that it was done: large numbers, so that
    nothing a leader sees in its time contradicts them. What could not be verified is not complete."""
    program = farm.build("invented", "bench/peers/fib.c", ["-DN=9"])
    leader, out = farm.lead(program, "states")
    rogue, n = Rogue(farm, 1), 0
    try:
        deadline = time.time() + 240
        while leader.poll() is None and time.time() < deadline:
            one = rogue.lease(rogue.workers[0], 1)
            if one:
                done = rogue.exchange(one[0], item=one[1], token=one[2], done="true",
                                      counts="'{549755813888,549755813888,549755813888,0}'", digests="'{1,1}'")
                n += done.is_taken
    finally:
        rogue.close()
        if leader.poll() is None:
            leader.kill()
    leader.wait(timeout=60)
    require(n > 0, "the member got no item: this shows nothing")
    require(leader.returncode == 3, f"{n} parts were invented, and the leader ended with {leader.returncode}")
    with open(f"{out}.json", encoding="utf-8") as f:
        r = json.load(f)
    require(any(g["kind"] == "members" for g in r["ledger"]), f"no line about the members: {r['ledger']}")
    print(f"  {n} invented parts, {r['verdict']}, farm {r['farm']}", flush=True)


def wrong_divisions(item):
    """What an item is replaced by, and whether it is handed in as well: something is in neither child, or in two."""
    literals = literals_of(item)
    literal = literals[-1] if literals else bytes([1]) + b"\7" * 16 + b"\0\0"
    other = bytes([1]) + b"\5" * 16 + b"\0\0"
    first, second = halves(item, literal)
    return {"one half": ([first], "false"), "no half": ([], "true"), "the same half twice": ([second, second], "false"),
            "halves at two events": ([second, halves(item, other)[0]], "false"),
            "half of another item": ([second, item_of(1, other)], "false"),
            "halves, and handed in": ([first, second], "true")}


def divide_wrongly(farm):
    """A farm whose functions check no division: the leader derives by itself that something is missing."""
    server = farm.cluster
    program = farm.build("divided", "bench/peers/fib.c", ["-DN=5"])
    server.psql("CREATE OR REPLACE FUNCTION treadle.check_division(item bytea, children bytea[]) RETURNS void LANGUAGE sql"
                " AS ''", user="farm_owner", database="farm")
    try:
        for name in wrong_divisions(item_of(0, b"")):
            divide_one(farm, program, name)
    finally:
        farm.cluster.psql("DROP FUNCTION treadle.check_division(bytea, bytea[])", user="farm_owner", database="farm")
        done = farm.call("farm", "init", farm.cluster.address("farm", user="farm_owner"))
        require(done.returncode == 0, f"farm init: {done.stderr}")


def divide_one(farm, program, name):
    leader, out = farm.lead(program, "states", "--trust-members")
    rogue = Rogue(farm, 1)
    try:
        rogue.begin()
        worker, item, token, payload = rogue.hostage
        children, done = wrong_divisions(payload)[name]
        said = rogue.exchange(worker, item=item, token=token, children=array_of(children), done=done, counts="'{1,0,0,0}'")
        require(said.is_taken, f"{name}: the farm refused it, so this shows nothing: {said.text}")
        if name == "no half":  # a part that is not of the campaign any more
            rogue.ask(f"DELETE FROM treadle.division WHERE item = {item}")
        rogue.leave()
    except BaseException:
        leader.kill()
        raise
    finally:
        rogue.close()
    leader.wait(timeout=300)
    with open(f"{out}.json", encoding="utf-8") as f:
        ledger = json.load(f)["ledger"]
    texts = [g["text"] for g in ledger if "not all of it" in g["text"] or "results of" in g["text"]]
    require(leader.returncode == 3 and texts, f"{name}: {leader.returncode} {ledger}")
    print(f"  {name}: {texts[0]}", flush=True)


def subject(farm):
    """A program whose leader is not done before a rogue has come, and what it says without others."""
    program = farm.build("raided", "bench/peers/fib.c", ["-DN=6"])
    alone = farm.out()
    farm.call(*farm.leader_words(program, "states", alone, "-j1", "--alone=1h"))
    with open(f"{alone}.json", encoding="utf-8") as f:
        r = json.load(f)
    return program, {k: r[k] for k in ("verdict", "events", "digest")}


def test(farm, seeds, n, kinds):
    program, expected = subject(farm)
    for seed in seeds:
        campaign(farm, program, expected, seed, Rogue.REFUSED + Rogue.IGNORED, n, True)
        campaign(farm, program, expected, seed, Rogue.REFUSED + Rogue.IGNORED + Rogue.SHOWN + Rogue.SHOWN[:-1], n, False)
    for kind in kinds:
        for _ in range(5):  # a leader that is done before anything is handed in shows nothing
            r = campaign(farm, program, expected, len(seeds), [kind], 3, False)
            if r["farm"]["others"] > 0 or r["verdict"] == "incomplete":
                break
        require(r["verdict"] == "incomplete", f"{kind.__name__}: {r['verdict']}")
