#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: axioms.py TEST [RULE...]

How many execution graphs a litmus test has under RC11, by trying all of them: what each read reads, the order of the stores to
each location, and the axioms as they are defined (Lahav and others, PLDI 2017). For tests of loads, stores,
read-modify-writes and fences (tests/models/programs/states.c has the letters). RULE changes the definition:
  sequence  a release sequence has no later store of the same thread (C++20)
  success   a compare_exchange that fails has the order of one that succeeds
  anywhere  seq_cst events are ordered by sb;hb;sb whatever the locations are, not only where both steps change it; from
            the read to the write of a read-modify-write is such a step
With all three it counts what GenMC 0.10.3 counts."""
import itertools
import sys

ACQUIRE, RELEASE = "abs", "lbs"


class Event:
    def __init__(self, number, thread, op):
        self.number, self.thread, self.kind = number, thread, op[0]
        self.at = None if self.kind == "F" else op[1]
        self.values = [int(c) for c in op if c.isdigit()]
        self.orders = [c for c in op[1:] if c in "rlabs"]
        self.reads = self.kind in "RXAC"

    def writes(self, seen):
        return self.kind in "WXA" or self.kind == "C" and seen == self.values[0]

    def written(self, seen):
        return seen + self.values[0] if self.kind == "A" else self.values[-1]


class Relation:
    """Pairs of events: a mask of successors for each."""

    def __init__(self, n, pairs=()):
        self.to = [0] * n
        for a, b in pairs:
            self.to[a] |= 1 << b

    def __or__(self, other):
        made = Relation(len(self.to))
        made.to = [a | b for a, b in zip(self.to, other.to)]
        return made

    def then(self, other):
        made = Relation(len(self.to))
        for a, mask in enumerate(self.to):
            for b in range(len(self.to)):
                if mask >> b & 1:
                    made.to[a] |= other.to[b]
        return made

    def closed(self):
        made = Relation(len(self.to))
        made.to = list(self.to)
        for k in range(len(made.to)):
            for a in range(len(made.to)):
                if made.to[a] >> k & 1:
                    made.to[a] |= made.to[k]
        return made

    def only(self, keep):
        return Relation(len(self.to), [(a, b) for a, b in self.pairs() if keep(a, b)])

    def pairs(self):
        return [(a, b) for a, mask in enumerate(self.to) for b in range(len(self.to)) if mask >> b & 1]

    def is_irreflexive(self):
        return not any(mask >> a & 1 for a, mask in enumerate(self.to))


class Graph:
    """Events, what each read reads (rf: by read) and the order of stores to each location; initial stores first."""

    def __init__(self, events, values, wrote, rf, mo, rules):
        self.events, self.rules, self.rf = events, rules, rf
        n = self.n = len(events)
        self.same = Relation(n, [(i, i) for i in range(n)])
        self.sb = Relation(n, [(a.number, b.number) for a in events for b in events
                               if a.number < b.number and (a.thread == b.thread or a.thread < 0 <= b.thread)])
        self.mo = Relation(n, [(a, b) for order in mo for i, a in enumerate(order) for b in order[i + 1:]])
        self.reads_from = Relation(n, [(w, r) for r, w in rf.items()])
        back = Relation(n, [(r, w) for r, w in rf.items()])
        self.rb = back.then(self.mo).only(lambda a, b: a != b)
        self.wrote = wrote
        self.values = values

    def order(self, e):
        event = self.events[e]
        is_failed = event.kind == "C" and e not in self.wrote
        return event.orders[-1 if is_failed and "success" not in self.rules else 0] if event.orders else "r"

    def is_at_same(self, a, b):
        return self.events[a].at is not None and self.events[a].at == self.events[b].at

    def is_fence(self, e):
        return self.events[e].kind == "F"

    def synchronises(self):
        """Release to acquire, over a release sequence."""
        sequence = Relation(self.n, [(w, w) for w in self.wrote])
        if "sequence" not in self.rules:
            sequence = sequence | self.sb.only(lambda a, b: a in self.wrote and b in self.wrote and self.is_at_same(a, b))
        to_rmw = self.reads_from.only(lambda a, b: b in self.wrote)
        sequence = sequence.then(to_rmw.closed() | self.same).then(self.reads_from)
        pairs = []
        for w, r in sequence.pairs():
            heads = [w] if self.order(w) in RELEASE and self.events[w].thread >= 0 else []
            heads += [f for f in range(self.n) if self.is_fence(f) and self.order(f) in RELEASE and self.sb.to[f] >> w & 1]
            tails = [r] if self.order(r) in ACQUIRE else []
            tails += [f for f in range(self.n) if self.is_fence(f) and self.order(f) in ACQUIRE and self.sb.to[r] >> f & 1]
            pairs += itertools.product(heads, tails)
        return Relation(self.n, pairs)

    def is_consistent(self):
        eco = (self.reads_from | self.mo | self.rb).closed()
        hb = (self.sb | self.synchronises()).closed()
        if not hb.is_irreflexive() or not hb.then(eco).is_irreflexive():
            return False
        if not (self.sb | self.reads_from).closed().is_irreflexive():
            return False
        changes = self.sb.only(lambda a, b: not self.is_at_same(a, b))
        if "anywhere" in self.rules:
            changes = self.sb | Relation(self.n, [(e, e) for e in self.wrote if self.events[e].reads])
        scb = self.sb | changes.then(hb).then(changes) | hb.only(self.is_at_same) | self.mo | self.rb
        sc = [e for e in range(self.n) if self.events[e].thread >= 0 and self.order(e) == "s"]
        plain = Relation(self.n, [(e, e) for e in sc if not self.is_fence(e)])
        fences = Relation(self.n, [(e, e) for e in sc if self.is_fence(e)])
        hb_or_same = hb | self.same
        left, right = plain | fences | fences.then(hb_or_same), plain | fences | hb_or_same.then(fences)
        psc = left.then(scb).then(right) | fences.then(hb | hb.then(eco).then(hb)).then(fences)
        return psc.closed().is_irreflexive()


def events_of(test):
    threads = [thread.split(".") for thread in test.split("/")]
    places = sorted({op[1] for ops in threads for op in ops if op[0] != "F"})
    events = [Event(i, -1, f"W{at}0r") for i, at in enumerate(places)]
    for t, ops in enumerate(threads):
        for op in ops:
            events.append(Event(len(events), t, op))
    return places, events


def values_of(events, rf):
    """What each event saw and wrote; None if values come out of nothing."""
    seen, wrote = {}, {e.number: 0 for e in events if e.thread < 0}
    left = [e for e in events if e.thread >= 0 and e.kind != "F"]
    while left:
        ready = [e for e in left if not e.reads or rf[e.number] in wrote]
        if not ready:
            return None
        for e in ready:
            seen[e.number] = wrote[rf[e.number]] if e.reads else None
            if e.writes(seen[e.number]):
                wrote[e.number] = e.written(seen[e.number])
        left = [e for e in left if e not in ready]
    return seen, wrote


def orders(events, at, wrote, rf):
    """Of the stores to a location: a read-modify-write stands behind what it reads."""
    mine = [e for e in wrote if events[e].at == at and events[e].thread >= 0]
    first = next(e.number for e in events if e.thread < 0 and e.at == at)
    for rest in itertools.permutations(mine):
        line = (first, *rest)
        if all(not events[e].reads or rf[e] == line[i - 1] for i, e in enumerate(line) if i):
            yield line


def count(test, rules=()):
    places, events = events_of(test)
    reads = [e for e in events if e.reads]
    sources = [[e.number for e in events if e.at == r.at and e is not r and e.kind in "WXAC"] for r in reads]
    n = 0
    for chosen in itertools.product(*sources):
        rf = dict(zip([r.number for r in reads], chosen))
        known = values_of(events, rf)
        if known is None or any(w not in known[1] for w in chosen):
            continue
        for mo in itertools.product(*(list(orders(events, at, known[1], rf)) for at in places)):
            n += Graph(events, known[0], known[1], rf, mo, rules).is_consistent()
    return n


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__)
        sys.exit(2)
    print(count(sys.argv[1], sys.argv[2:]))
