#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# treadle doctor --self-test: passes here within 20 seconds of processor time, leaves nothing behind, and fails without a compiler.
# Usage: self_test.sh TREADLE
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder"
cd "$folder"
if ! (ulimit -t 20 && "$1" doctor --self-test) >out.txt; then
    cat out.txt
    echo "the self-test fails"
    exit 1
fi
[ "$(grep -c ': *ok$\|  ok$\|[a-z)] *ok$' out.txt)" -ge 5 ] || { cat out.txt; exit 1; }
rm out.txt
[ -z "$(ls)" ] || { echo "left behind: $(ls)"; exit 1; }
if TREADLE_CC=/bin/false "$1" doctor --self-test >out.txt; then
    echo "a machine without a compiler is well"
    exit 1
fi
grep -q FAILS out.txt
echo ok
