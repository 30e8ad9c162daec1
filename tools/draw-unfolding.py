#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/unfolding.md.

Usage: tools/draw-unfolding.py [DIR]

Writes unfolding.svg, targets.svg and pairs.svg into DIR (docs/pictures). A picture is a
description: nodes, lines between them, words. Change it here and draw again."""
import math
import os
import sys

INK, PALE, BLUE, ORANGE, RED = "#222", "#8a8a8a", "#1f5f99", "#b3541e", "#b00020"
FILL = {"state": "#dbe8f5", "read": "#fff", "start": "#eee", "new": "#ffd98a",
        "blue": "#cfe1f3", "orange": "#f6d5c0"}
# name: colour, dashes, width, arrow
LINES = {
    "thread": (INK, "", 1.8, True),      # the thread's next event
    "state": (BLUE, "", 1.8, True),      # the state that follows a state
    "read": (BLUE, "5 4", 1.5, True),    # the state that is read
    "named": (PALE, "2 3", 1.5, True),   # a read that an exclusive event comes after
    "conflict": (RED, "", 1.3, False),
    "frame": ("#ccc", "", 1, False),
}
RADIUS, BOX = 17, 13


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Picture:
    """Parts are drawn in the order in which they were added, lines first."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.at, self.lines, self.parts = {}, [], []

    def node(self, name, x, y, label, style="read", shape="event", border=INK, radius=RADIUS):
        """shape: event, target (no run has executed it) or box."""
        self.at[name] = (x, y, 0)
        dash = ' stroke-dasharray="4 3"' if shape == "target" else ""
        look = f'fill="{FILL[style]}" stroke="{border}" stroke-width="1.6"{dash}'
        if shape == "box":
            half = 7 * len(label) / 2 + 8
            self.at[name] = (x, y, half)
            self.parts.append(f'<rect x="{x - half:.0f}" y="{y - BOX}" width="{2 * half:.0f}" '
                              f'height="{2 * BOX}" rx="3" {look}/>')
        else:
            self.parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" {look}/>')
        self.words(x, y + 4, label, "middle", weight="bold")

    def line(self, a, b, style, bend=0, mark="", part=0.5):
        """From node a to node b; bend moves the middle sideways; part: where the mark is."""
        (xa, ya, wa), (xb, yb, wb) = self.at[a], self.at[b]
        dx, dy = xb - xa, yb - ya
        length = math.hypot(dx, dy)
        mx, my = (xa + xb) / 2 - bend * dy / length, (ya + yb) / 2 + bend * dx / length
        (x1, y1), (x2, y2) = self.rim(xa, ya, wa, mx, my), self.rim(xb, yb, wb, mx, my)
        colour, dashes, width, arrow = LINES[style]
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        end = f' marker-end="url(#{colour[1:]})"' if arrow else ""
        self.lines.append(f'<path d="M{x1:.0f} {y1:.0f} Q{mx:.0f} {my:.0f} {x2:.0f} {y2:.0f}" '
                          f'fill="none" stroke="{colour}" stroke-width="{width}"{dash}{end}/>')
        if mark:
            a, b, c = (1 - part) ** 2, 2 * part * (1 - part), part ** 2
            self.mark(a * x1 + b * mx + c * x2, a * y1 + b * my + c * y2, mark, colour)

    @staticmethod
    def rim(x, y, half, to_x, to_y):
        """Where a line from the middle leaves a circle, or a box of this half width."""
        dx, dy = to_x - x, to_y - y
        length = math.hypot(dx, dy) or 1
        out = RADIUS + 2
        if half:
            sides = [(half + 2) / abs(dx) if dx else 1, (BOX + 2) / abs(dy) if dy else 1]
            out = min(sides) * length
        return x + out * dx / length, y + out * dy / length

    def mark(self, x, y, text, colour):
        self.lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="8" fill="#fff" stroke="{colour}"/>')
        self.lines.append(f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle" fill="{colour}" '
                          f'font-weight="bold">{text}</text>')

    def words(self, x, y, text, anchor="start", colour=INK, weight="", size="", family=""):
        look = "".join(f' {k}="{v}"' for k, v in (
            ("font-weight", weight), ("font-size", size), ("font-family", family)) if v)
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"{look} '
                          f'xml:space="preserve">{escape(text)}</text>')

    def lines_of(self, x, y, text, step=17, **look):
        for k, line in enumerate(text.strip("\n").split("\n")):
            if line:
                self.words(x, y + step * k, line, **look)

    def frame(self, x, y, width, height, fill="#fafafa"):
        self.lines.insert(0, f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" '
                          f'fill="{fill}" stroke="#ccc"/>')

    def key(self, x, y, style, text):
        colour, dashes, width, arrow = LINES[style]
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        end = f' marker-end="url(#{colour[1:]})"' if arrow else ""
        self.lines.append(f'<path d="M{x} {y - 4}h30" stroke="{colour}" stroke-width="{width}"'
                          f'{dash}{end}/>')
        if not arrow:
            self.mark(x + 15, y - 4, "#", colour)
        self.words(x + 42, y, text)

    def svg(self):
        arrows = "".join(
            f'<marker id="{c[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{c}"/></marker>' for c in (INK, BLUE, PALE))
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" font-family="sans-serif" '
                f'font-size="13">', "<!-- drawn by tools/draw-unfolding.py -->",
                f"<title>{escape(self.title)}</title>", f"<defs>{arrows}</defs>",
                f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>']
        return "\n".join(head + self.lines + self.parts + ["</svg>"]) + "\n"


# ---- a program and its unfolding ----

CODE = """
atomic_int x;

reader:
  a = x;

writer:
  b = x;
  x = 1;
"""


def unfolding():
    p = Picture(720, 440, "A reader and a writer: the program and its unfolding")
    p.frame(12, 12, 128, 160)
    p.lines_of(24, 36, CODE, family="monospace")
    p.node("R", 225, 40, "reader", "start", "box")
    p.node("x0", 430, 40, "x = 0", "state", "box", BLUE)
    p.node("W", 640, 40, "writer", "start", "box")
    p.node("1", 225, 145, "1", "read")
    p.node("2", 640, 145, "2", "read")
    p.node("3", 365, 250, "3", "state", border=BLUE)
    p.node("4", 500, 250, "4", "state", border=BLUE)
    p.node("5", 225, 335, "5", "read")
    p.words(198, 149, "a = 0", "end")
    p.words(666, 149, "b = 0")
    p.words(365, 286, "x = 1", "middle")
    p.words(500, 286, "x = 1", "middle")
    p.words(198, 339, "a = 1", "end")
    p.line("R", "1", "thread")
    p.line("R", "5", "thread", -88)
    p.line("W", "2", "thread")
    p.line("2", "3", "thread", -10)
    p.line("2", "4", "thread")
    p.line("x0", "3", "state")
    p.line("x0", "4", "state")
    p.line("1", "x0", "read")
    p.line("2", "x0", "read")
    p.line("5", "4", "read", 52)
    p.line("3", "1", "named")
    p.line("1", "4", "conflict", 12, "#")
    p.line("3", "4", "conflict", 0, "#")
    p.line("1", "5", "conflict", -22, "#")
    p.key(24, 372, "thread", "the thread goes on")
    p.key(24, 396, "state", "the state becomes another")
    p.key(24, 420, "conflict", "conflict: never in one run")
    p.key(270, 372, "read", "reads this state")
    p.key(270, 396, "named", "after this read")
    p.words(470, 372, "run 1:  1  2  3", weight="bold")
    p.words(470, 396, "run 2:  2  4  5", weight="bold")
    p.words(470, 420, "two traces, five events")
    return p


# ---- the targets next to a new event ----

def as_history(p, x):
    p.words(x + 12, 34, "e is a history", weight="bold")
    p.words(x + 12, 52, "e's thread will read x:")
    p.words(x + 12, 69, "in which states?")
    p.node("e1", x + 45, 112, "e", "new")
    p.node("s0", x + 165, 112, "s0", "state", border=BLUE)
    p.node("s1", x + 125, 190, "s1", "state", border=BLUE)
    p.node("s2", x + 198, 190, "s2", "state", border=BLUE)
    p.node("s3", x + 198, 262, "s3", "state", border=BLUE)
    p.node("t1", x + 45, 190, "", "read", "target", ORANGE)
    p.node("t2", x + 45, 262, "", "read", "target", ORANGE)
    p.line("s0", "s1", "state")
    p.line("s0", "s2", "state")
    p.line("s2", "s3", "state")
    p.line("e1", "t1", "thread")
    p.line("e1", "t2", "thread", 40)
    p.line("t1", "s0", "read")
    p.line("t2", "s1", "read")
    p.line("e1", "s2", "conflict", -8, "#", 0.83)
    p.lines_of(x + 12, 306, "Walk from the last state that\ne knows; turn back where one\n"
               "does not fit: s3 is not asked.")


def as_state(p, x):
    p.words(x + 12, 34, "e is a state", weight="bold")
    p.words(x + 12, 52, "x has a new value: who can")
    p.words(x + 12, 69, "come after it?")
    p.node("s", x + 168, 112, "s", "state", border=BLUE)
    p.node("e2", x + 168, 262, "e", "new")
    p.node("h", x + 45, 112, "h", "read")
    p.node("r", x + 100, 190, "r", "read")
    p.node("t3", x + 45, 262, "", "read", "target", ORANGE)
    p.line("s", "e2", "state")
    p.line("h", "r", "thread")
    p.line("r", "s", "read")
    p.line("h", "t3", "thread", 18)
    p.line("t3", "e2", "read")
    p.lines_of(x + 12, 306, "Only a history that had its\nchance in the state before, s:\n"
               "an event there, or blocked.")


def as_read(p, x):
    p.words(x + 12, 34, "e is a read", weight="bold")
    p.words(x + 12, 52, "an exclusive event names the")
    p.words(x + 12, 69, "reads it comes after")
    p.node("s9", x + 120, 112, "s", "state", border=BLUE)
    p.node("e3", x + 45, 170, "e", "new")
    p.node("h9", x + 195, 170, "h", "read")
    p.node("w", x + 175, 262, "w", "state", border=BLUE)
    p.node("t4", x + 75, 262, "", "state", "target", ORANGE)
    p.line("e3", "s9", "read")
    p.line("s9", "w", "state")
    p.line("s9", "t4", "state")
    p.line("h9", "w", "thread")
    p.line("h9", "t4", "thread")
    p.line("t4", "e3", "named")
    p.lines_of(x + 12, 306, "Only a sibling is asked: w did\nnot come after e, so there is\n"
               "one like w that does.")


def targets():
    p = Picture(720, 470, "The targets next to a new event, and the run that covers one")
    for x, draw in ((8, as_history), (246, as_state), (484, as_read)):
        p.frame(x, 12, 228, 342)
        draw(p, x)
    p.frame(8, 364, 704, 96, "#fff")
    p.node("k1", 36, 390, "e", "new")
    p.words(60, 394, "new event")
    p.node("k2", 160, 390, "", "read", "target", ORANGE)
    p.words(184, 394, "target")
    p.node("k3", 260, 390, "", "state", border=BLUE)
    p.words(284, 394, "state")
    p.node("k4", 350, 390, "", "read")
    p.words(374, 394, "history or read; lines as in the first picture")
    p.words(20, 428, "The run of a target:", weight="bold")
    p.words(172, 428, "its causes (the cone) and itself, in the order of their numbers,")
    p.words(172, 446, "as steps; after them the runner goes on as it likes.")
    return p


# ---- pairs ----

def pair(p, x, k):
    p.frame(x, 44, 142, 196)
    p.words(x + 71, 62, f"pair {k}", "middle", weight="bold")
    p.words(x + 36, 80, "reader", "middle", PALE)
    p.words(x + 106, 80, "writer", "middle", PALE)
    p.node(f"r{k}", x + 36, 112, "0", "blue", border=BLUE)
    p.node(f"w{k}", x + 106, 144, "w", "blue", border=BLUE)
    p.node(f"v{k}", x + 106, 214, "w", "orange", border=ORANGE)
    p.node(f"q{k}", x + 36, 190, "1", "orange", border=ORANGE)
    p.line(f"w{k}", f"r{k}", "named")
    p.line(f"q{k}", f"v{k}", "read")
    p.line(f"r{k}", f"q{k}", "conflict", 0, "#")
    p.line(f"w{k}", f"v{k}", "conflict", 0, "#")


def pairs():
    p = Picture(720, 350, "Pairs: 2^n traces, two runs")
    p.words(12, 26, "n pairs of threads: one writes a variable, the other reads it; pairs have "
            "nothing in common.")
    for k in range(4):
        pair(p, 12 + 152 * k, k + 1)
    p.words(634, 146, ". . .  n", size="18")
    p.node("run1", 24, 264, "", "blue", border=BLUE, radius=9)
    p.words(42, 268, "run 1: every reader first, it sees 0.")
    p.node("run2", 24, 290, "", "orange", border=ORANGE, radius=9)
    p.words(42, 294, "run 2: the targets that run 1 left are of different pairs, so all of them "
            "fit into one run.")
    p.words(42, 318, "A trace takes one of the two colours for each pair: 2^n traces.")
    p.words(42, 340, "n = 10: 1,024 traces, 2 runs.   n = 50: 10^15 traces, 2 runs.", weight="bold")
    return p


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    where = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "docs", "pictures")
    os.makedirs(where, exist_ok=True)
    for draw in (unfolding, targets, pairs):
        with open(os.path.join(where, draw.__name__ + ".svg"), "w", encoding="utf-8") as f:
            f.write(draw().svg())


if __name__ == "__main__":
    main()
