#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh TREADLE: threads of libstdc++ are controlled, and what is not watched is said.
treadle=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

echo '#include <thread>' >probe.cpp
if ! "$treadle" cc -c probe.cpp -o probe.o 2>probe.txt; then
    echo "skipped threads: no headers of C++"
    exit 0
fi

# check NAME EXIT TEXT WORDS...: the command ends so, and says the text
check() {
    name=$1 code=$2 text=$3
    shift 3
    "$@" >out.txt 2>&1
    got=$?
    if [ $got -eq "$code" ] && grep -q -- "$text" out.txt && ! grep -q nondeterministic out.txt; then
        echo "ok      threads: $name"
    else
        echo "FAILED  threads: $name (exit $got)"
        tail -20 out.txt
        failed=1
    fi
}

"$treadle" cc -g -O1 "$here/threads.cpp" -o wrong -lstdc++ || exit 1
"$treadle" cc -g -O1 -DMENDED "$here/threads.cpp" -o mended -lstdc++ || exit 1
check "assertion" 1 "assertion 'balance >= 0' failed" "$treadle" run -q ./wrong
check "not watched" 3 "not watched: _ZNSt6thread4joinEv" "$treadle" run -q ./mended
check "trusted" 0 "trusted: " "$treadle" run -q --trust-libraries ./mended
exit $failed
