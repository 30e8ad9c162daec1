# SPDX-License-Identifier: Apache-2.0
"""Counts that show whether the generator reaches what it should."""
from program import walk


def sources(program):
    """{id of a statement with a condition: operation its register was read with}"""
    found = {}
    for body in program.bodies:
        last = {}
        for s in walk(body):
            if "cond" in s.at:
                found[id(s)] = last.get(s.at["cond"][0], "nothing")
            if s.at.get("r") is not None:
                last[s.at["r"]] = s.op
    return found


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


class Total:
    """Sums over all programs."""

    def __init__(self):
        self.n, self.n_skipped, self.n_different, self.n_compared = 0, 0, 0, 0
        self.n_simulated, self.n_nodes, self.n_with_nodes = 0, 0, 0
        self.kinds, self.reached, self.failed, self.has, self.ops = {}, {}, {}, {}, {}
        self.traces, self.interleavings, self.events = [], [], []
        self.runs, self.ratios = 0, []

    @staticmethod
    def count(table, key):
        table[key] = table.get(key, 0) + 1

    def add(self, program, has, verdict):
        self.n += 1
        self.n_different += bool(verdict.differences)
        self.n_skipped += bool(verdict.skipped)
        if verdict.other is None:
            return
        self.n_compared += 1
        self.n_simulated += verdict.simulated
        self.n_nodes += verdict.nodes
        self.n_with_nodes += verdict.nodes > 0
        a, b = verdict.reference, verdict.other
        for name in has:
            self.count(self.has, name)
        for op in program.ops():
            self.count(self.ops, op)
        traces = a.get("traces", 0)  # of --search=all
        self.traces.append(traces)
        self.interleavings.append(a["runs"])
        self.events.append(a.get("events", 0))
        self.runs += b["runs"]
        self.ratios.append(b["runs"] / max(1, traces))
        self.add_findings(program, verdict)

    def add_findings(self, program, verdict):
        report = verdict.reference["findings"]
        for kind in {f["kind"] for f in report}:
            self.count(self.kinds, kind)
        self.count(self.kinds, "none") if not report else None
        source, reached, failed = sources(program), set(), set()
        for f in report:
            s, context = verdict.places.get(f["line"], (None, ()))
            if f["kind"] in ("assert", "race", "abort"):
                reached |= set(context)
            if f["kind"] == "assert" and s is not None and s.op == "assert":
                failed.add(source.get(id(s), "nothing"))
        for name in reached:
            self.count(self.reached, name)
        for name in failed:
            self.count(self.failed, name)

    def line(self):
        simulated = f"{self.n_simulated} simulated, " if self.n_simulated else ""
        if self.n_with_nodes:
            simulated += f"{self.n_nodes} nodes of {self.n_with_nodes} compared, "
        return (f"{self.n} programs, {self.n_skipped} skipped, {simulated}"
                f"{self.n_different} disagreements")

    @staticmethod
    def table(title, counts):
        told = ", ".join(f"{k} {v}" for k, v in sorted(counts.items(), key=lambda x: -x[1]))
        print(f"{title}: {told or 'none'}")

    def print(self, seconds):
        def spread(values):
            shares = (0.1, 0.5, 0.9, 0.99)
            return (f"mean {sum(values) / max(1, len(values)):.1f}, " +
                    ", ".join(f"{int(100 * q)} % {quantile(values, q)}" for q in shares) +
                    f", most {max(values, default=0)}")

        self.table("features of programs", self.has)
        self.table("programs with statements", self.ops)
        self.table("programs with findings", self.kinds)
        self.table("programs with findings inside", self.reached)
        self.table("programs with failed assertions on what was read by", self.failed)
        print("interleavings: " + spread(self.interleavings))
        print("traces: " + spread(self.traces) +
              f"; one only: {sum(t == 1 for t in self.traces)} programs")
        print("events: " + spread(self.events))
        n = max(1, len(self.ratios))
        print(f"runs: {self.runs} for {sum(self.traces)} traces; "
              f"mean of runs/traces {sum(self.ratios) / n:.3f}")
        print(f"{seconds:.1f} s, {self.n / max(0.001, seconds):.1f} programs/s")
        print(self.line(), flush=True)
