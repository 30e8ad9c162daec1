#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C file of a text: embed.py INPUT OUTPUT.c NAME"""
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    lines = f.read().splitlines()
with open(sys.argv[2], "w", encoding="utf-8") as f:
    f.write("/* Made of %s. */\n#include \"run/run_int.h\"\n\nconst char %s[] =\n" % (sys.argv[1].split("/")[-1], sys.argv[3]))
    for line in lines:
        f.write('    "%s\\n"\n' % line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?"))
    f.write("    ;\n")
