#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh TREADLE: the site table of names.c holds what its comments say.
treadle=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

awk '{ n = index($0, "/*<"); m = index($0, ">*/") }
     n && m { text = substr($0, n + 3, m - n - 3)
              k = split(text, sites, ",")
              for (i = 1; i <= k; i++) { gsub(/^ +| +$/, "", sites[i])
                  if (sites[i] != "") print NR, sites[i] } }' "$here/names.c" |
    sort >"$work/expected"
awk '/\/\*</ { print NR " " }' "$here/names.c" >"$work/lines"

for flags in "-O0 -g" "-O0" "-O2 -g" "-O2 -fPIC"; do
    # shellcheck disable=SC2086
    "$treadle" cc $flags "$here/names.c" -o "$work/names" -pthread &&
        "$work/names" | sed 's/ [a-z_]*:/ /; s/  */ /g; s/ $//' | sort |
        grep -F -f "$work/lines" | awk 'NR == FNR { want[$1]; next } $1 in want' \
            "$work/lines" - >"$work/got"
    if diff "$work/expected" "$work/got" >"$work/diff"; then
        echo "ok      names $flags"
    else
        echo "FAILED  names $flags"
        head -20 "$work/diff"
        failed=1
    fi
done
exit $failed
