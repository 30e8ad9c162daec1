#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C file of the SQL of a farm: embed.py OUTPUT.c exchange.h functions.sql 1.sql 2.sql ...

@STO_MAX_...@ in the SQL is the number that exchange.h defines: both engines have the same limits."""
import re
import sys

LIMIT = re.compile(r"^#define (STO_MAX_\w+) (?:(\d+)u|\((\d+)u << (\d+)\))\s", re.MULTILINE)


def limits(path):
    """{name: number} of the header."""
    with open(path, encoding="ascii") as f:
        return {m[1]: int(m[2]) if m[2] else int(m[3]) << int(m[4]) for m in LIMIT.finditer(f.read())}


def filled_in(text, known):
    return re.sub(r"@(\w+)@", lambda m: str(known[m[1]]), text)


def check(path, text):
    """The meaning of a backslash in a literal depends on settings of the connection: there is none. Nor is anything
    compared with NULL by =."""
    if "\\" in text:
        sys.exit(f"{path}: a backslash, whose meaning depends on standard_conforming_strings")
    if re.search(r"(?:(?<!:)=|<>)\s*NULL\b", text):
        sys.exit(f"{path}: a comparison with NULL, whose meaning depends on transform_null_equals")
    if re.search(r"\b(?:E|U&)'", text, re.IGNORECASE):
        sys.exit(f"{path}: a literal whose meaning depends on backslash_quote or escapes")


def c_string(text):
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    return "\n".join('    "%s\\n"' % line for line in quoted)


def main():
    texts, known = [], limits(sys.argv[2])
    for path in sys.argv[3:]:
        with open(path, encoding="ascii") as f:
            sql = filled_in(f.read(), known)
            check(path, sql)
            texts.append("    /* %s */\n%s" % (path.split("/")[-1], c_string(sql)))
    functions = texts.pop(0)
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write('/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by embed.py. */\n'
                '#include "store/exchange/farm_int.h"\n\nconst char *const sto_farm_migrations[] = {\n'
                + ",\n".join(texts) + "};\n"
                "const char sto_farm_functions[] =\n" + functions + ";\n"
                "const unsigned sto_farm_n_migrations = %du;\n" % len(texts))


if __name__ == "__main__":
    main()
