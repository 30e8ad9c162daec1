#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C file of the SQL of a farm: embed.py OUTPUT.c functions.sql 1.sql 2.sql ..."""
import sys


def c_string(text):
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    return "\n".join('    "%s\\n"' % line for line in quoted)


def main():
    texts = []
    for path in sys.argv[2:]:
        with open(path, encoding="ascii") as f:
            texts.append("    /* %s */\n%s" % (path.split("/")[-1], c_string(f.read())))
    functions = texts.pop(0)
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write('/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by embed.py. */\n'
                '#include "store/exchange/farm_int.h"\n\nconst char *const sto_farm_migrations[] = {\n'
                + ",\n".join(texts) + "};\n"
                "const char sto_farm_functions[] =\n" + functions + ";\n"
                "const unsigned sto_farm_n_migrations = %du;\n" % len(texts))


if __name__ == "__main__":
    main()
