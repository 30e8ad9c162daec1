#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed package is all there is: what a newcomer does, and the commands of the README.
#
# Usage: use.sh SOURCE, in a clean root that has the package and python3
set -eu
source=$1
dir=$(mktemp -d)
cd "$dir"

# exits N COMMAND...
exits() {
    wanted=$1
    shift
    status=0
    "$@" || status=$?
    [ $status = "$wanted" ] || { echo "exit $status, not $wanted: $*"; exit 1; }
}

treadle --version
cp /usr/share/doc/treadle/examples/bank/bank.c /usr/share/doc/treadle/examples/bank/bank_fixed.c .
exits 0 treadle cc -g -pthread bank.c -o bank
exits 0 treadle doctor ./bank
exits 1 treadle run ./bank 30 71
exits 1 treadle replay treadle-out/latest/*.treadle
exits 0 treadle cc -g -pthread bank_fixed.c -o bank
exits 4 treadle replay --quiet treadle-out/latest/*.treadle
exits 0 treadle run --keep-runs ./bank 30 71
exits 0 treadle minimize treadle-out/latest
exits 0 treadle test treadle-suite
mkdir harnesses
cp bank harnesses/bank
printf '%s\n' 'treadle-suite 1' 'bank bank 30 71' >harnesses/treadle.suite
exits 0 treadle test --junit=results.xml harnesses
grep -q '<testsuite name="bank"' results.xml
exits 0 "$source/tests/docs/run.py" /usr/bin/treadle "$source/README.md"
