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
"$treadle" c++ -g -O1 -DMENDED "$here/threads.cpp" -o mended || exit 1
"$treadle" c++ -g -O1 -DMENDED -DAWAY "$here/threads.cpp" -o away || exit 1
check "assertion" 1 "failed threads.cpp:" "$treadle" run -q ./wrong
check "complete" 0 "NO BUG - COMPLETE" "$treadle" run -q ./mended
check "not watched" 3 "std::random_device::_M_getval" "$treadle" run -q ./away
check "trusted" 0 "trusted:" "$treadle" run -q --trust-libraries ./away
for level in -O0 -O2; do
    "$treadle" c++ -g $level "$here/strings.cpp" -o strings || exit 1
    check "strings $level" 1 "assertion failed strings.cpp:" "$treadle" run -q --trust-libraries ./strings
done
exit $failed
