#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C file of the pages for a browser: embed.py OUTPUT.c

Each page is page.html with style and scripts in place, cut at the three holes that the data
fills: title, text (for a browser without scripts) and data.
"""
import base64
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = ["dom.js", "decode.js", "model.js", "lanes.js", "source.js", "graph.js", "waits.js", "finding.js"]
PAGES = {
    "finding": COMMON + ["start_finding.js"],
    "session": COMMON + ["plots.js", "coverage.js", "session.js"],
}
HOLES = ["title", "text", "data"]


def source(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        text = f.read()
    # The licence stands once, at the top of the page.
    return re.sub(r"\A/\* SPDX-License-Identifier: Apache-2.0 \*/\n", "", text)


def digest(text):
    """As Content-Security-Policy wants it: nothing else may run on the page."""
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def pieces(page):
    """The page around its holes, len(HOLES) + 1 texts."""
    script = "(() => {\n'use strict';\n%s})();\n" % "\n".join(source(n) for n in PAGES[page])
    style = source("style.css")
    if "</script" in script.lower() or "</style" in style.lower():
        sys.exit("embed.py: an end tag inside a script or style")
    filled = {"style": style, "script": script, "style-hash": digest(style), "script-hash": digest(script)}
    parts, done = [""], 0
    for i, word in enumerate(re.split(r"\{\{([a-z-]+)\}\}", source("page.html"))):
        if i % 2 == 0:
            parts[-1] += word
        elif word in filled:
            parts[-1] += filled[word]
        else:
            assert word == HOLES[done], word
            done += 1
            parts.append("")
    assert done == len(HOLES)
    return parts


def c_string(text):
    lines = []
    for line in text.splitlines(keepends=True):
        quoted = "".join(c if " " <= c <= "~" and c not in '"\\?' else "".join("\\%03o" % b for b in c.encode())
                         for c in line)
        lines.append('    "%s"' % quoted)
    return "\n".join(lines)


def main():
    out = ["/* SPDX-License-Identifier: Apache-2.0 */", "/* Made by embed.py. */", '#include "report/html/html_int.h"', ""]
    for page in PAGES:
        body = ",\n".join("    /* before %s */\n%s" % (hole, c_string(part))
                          for hole, part in zip(HOLES + ["the end"], pieces(page)))
        out.append("const char *const rep_web_%s[REP_WEB_PIECES] = {\n%s};\n" % (page, body))
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write("\n".join(out))


if __name__ == "__main__":
    main()
