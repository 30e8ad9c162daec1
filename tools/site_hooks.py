# SPDX-License-Identifier: Apache-2.0
"""What mkdocs needs to read our pages, which are written for readers of the repository.

A fence keeps its first word: `console slow` and `c file=NAME` are for tests/docs/run.py. A list gets the empty
line before it that Python's Markdown requires."""
import re

FENCE = re.compile(r"^```(\S*).*$")
ITEM = re.compile(r"^([-*]|\d+\.) ")


def on_page_markdown(markdown, **_):
    lines, is_code = [], False
    for line in markdown.split("\n"):
        m = FENCE.match(line)
        if m:
            is_code = not is_code
            line = "```" + m.group(1)
        before = lines[-1] if lines else ""
        if not is_code and ITEM.match(line) and before.strip() and not ITEM.match(before) and before[0] != " ":
            lines.append("")
        lines.append(line)
    return "\n".join(lines)
