#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# features.sh TREADLE: a program with every feature of C prints the same built with clang
# and built with treadle cc, at every level of optimisation.
treadle=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
clang=$("$treadle" cc '-###' -c "$here/features.c" 2>&1 | sed -n 's/^ "\([^"]*clang[^"]*\)".*/\1/p' | head -1)
[ -n "$clang" ] || { echo "FAILED  cannot tell which clang treadle cc runs"; exit 1; }
cx=
[ "$(uname -m)" = x86_64 ] && cx=-mcx16

"$clang" -O1 $cx "$here/features.c" "$here/features_other.c" -o plain -pthread -latomic &&
    ./plain >expected || { echo "FAILED  plain build"; exit 1; }

while read -r flags; do
    # shellcheck disable=SC2086
    if "$treadle" cc $flags $cx "$here/features.c" "$here/features_other.c" -o prog \
        -pthread -latomic >log 2>&1 && ./prog >got 2>&1 && cmp -s got expected; then
        echo "ok      features $flags"
    else
        echo "FAILED  features $flags"
        head -5 log
        diff expected got | head -5
        failed=1
    fi
done <<'END'
-O0 -g
-O1
-O2 -g
-O3 -march=native
-Os
-O2 -fno-pic -no-pie
-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
-O2 -fno-builtin -lm
-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong
END
exit $failed
