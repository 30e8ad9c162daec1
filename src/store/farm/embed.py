#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C file of the migrations of a farm: embed.py OUTPUT.c 1.sql 2.sql ..."""
import sys


def c_string(text):
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    return "\n".join('    "%s\\n"' % line for line in quoted)


def main():
    texts = []
    for number, path in enumerate(sys.argv[2:], 1):
        with open(path, encoding="ascii") as f:
            texts.append("    /* %d */\n%s" % (number, c_string(f.read())))
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write('/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by embed.py. */\n'
                '#include "store/farm_int.h"\n\nconst char *const sto_farm_migrations[] = {\n'
                + ",\n".join(texts) + "};\n"
                "const unsigned sto_farm_n_migrations = %du;\n" % len(texts))


if __name__ == "__main__":
    main()
