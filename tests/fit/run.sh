#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An installed treadle fits in: manual pages, completion, pkg-config, CMake, Meson.
#
# Usage: run.sh PREFIX
set -u
prefix=$1
here=$(cd "$(dirname "$0")" && pwd)
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/share/pkgconfig
unset CC CFLAGS LDFLAGS TREADLE_OUT
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# check NAME COMMAND...: the command succeeds.
check() {
    local name=$1
    shift
    if "$@" >check.log 2>&1; then
        echo "ok    $name"
    else
        echo "FAIL  $name"
        sed 's/^/      /' check.log
        failed=1
    fi
}

# same NAME EXPECTED GOT
same() {
    if [ "$2" = "$3" ]; then
        echo "ok    $1"
    else
        printf 'FAIL  %s: not "%s" but "%s"\n' "$1" "$2" "$3"
        failed=1
    fi
}

# Every command has a page, every page is one.
for command in $(treadle --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    check "treadle-$command(1) is there" test -e "$prefix/share/man/man1/treadle-$command.1"
done
for page in man1/treadle.1 man3/treadle.3 man5/treadle-recording.5 man7/treadle.7; do
    check "$page is there" test -e "$prefix/share/man/$page"
done

# complete WORDS...: what bash offers for the last word.
complete_words() {
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }
        _treadle; printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' \
        - "$prefix/share/bash-completion/completions/treadle" "$@"
}
printf '#include <assert.h>\nint main(void)\n{\n    assert(0);\n}\n' >fails.c
treadle cc -g fails.c -o fails
treadle run ./fails >run.log 2>&1
id=$(basename treadle-out/latest/*.treadle .treadle)
same "bash: commands" "replay report run " "$(complete_words treadle r)"
same "bash: findings" "$id " "$(complete_words treadle replay "")"
same "bash: options" "$(treadle run --help-all | grep -o -e '--keep[a-z-]*' | sort -u | tr "\n" " ")" \
    "$(complete_words treadle run --keep)"
same "bash: goals" "branches " "$(complete_words treadle run --goal = b)"
same "bash: choices" "no-bug " "$(complete_words treadle test --expect = n)"
if command -v zsh >/dev/null; then
    check "zsh: syntax" zsh -n "$prefix/share/zsh/site-functions/_treadle"
fi
if command -v fish >/dev/null; then
    check "fish: syntax" fish -n "$prefix/share/fish/vendor_completions.d/treadle.fish"
    same "fish: findings" "$id" "$(fish -c \
        "source $prefix/share/fish/vendor_completions.d/treadle.fish; complete -C 'treadle replay ass'" | cut -f1)"
fi

same "pkg-config: the compiler" "$prefix/bin/treadle-cc" "$(pkg-config --variable=cc treadle)"
printf '#include <treadle.h>\nint main(void)\n{\n    treadle_assert(treadle_u8("x") < 256);\n}\n' >plain.c
check "pkg-config: treadle.h for any compiler" sh -c \
    'cc plain.c $(pkg-config --cflags treadle) -o plain && ./plain'

# rebuilt NAME DIR BUILD TEST HARNESS: a changed header, and nothing else, makes a new harness, whose test fails; once it is as
# before the test passes again; and nothing is built where nothing changed.
rebuilt() {
    local name=$1 dir=$2 build=$3 test=$4 harness=$5 before
    before=$(stat -c %y "$harness")
    check "$name: builds again" sh -c "$build"
    same "$name: nothing is built if nothing changed" "$before" "$(stat -c %y "$harness")"
    sed -i 's/ARE_CROSSED = 0/ARE_CROSSED = 1/' "$dir/forks.h"
    check "$name: builds with another header" sh -c "$build"
    check "$name: another header makes another harness" sh -c "! ($test) >fails.log 2>&1 && grep -q deadlock fails.log"
    sed -i 's/ARE_CROSSED = 1/ARE_CROSSED = 0/' "$dir/forks.h"
    check "$name: builds with the header as before" sh -c "$build"
    check "$name: and the test passes" sh -c "$test"
}

# Each in its own directory: a harness that passes, and one with a bug that is expected.
if command -v cmake >/dev/null; then
    cp -r "$here/cmake" cmake; cp "$here"/*.[ch] cmake
    check "cmake: configures" cmake -S cmake -B cmake/build "-DTREADLE_MODULES=$prefix/share/treadle/cmake"
    check "cmake: builds" cmake --build cmake/build
    check "cmake: its tests pass" sh -c 'cd cmake/build && ctest --output-on-failure'
    check "cmake: JUnit is written" grep -q '<testsuite name="dining"' cmake/build/treadle.xml
    rebuilt cmake cmake "cmake --build cmake/build" "cd cmake/build && ctest --output-on-failure -R '^treadle-dining$'" \
        cmake/build/treadle/dining
    check "cmake, Ninja: configures" cmake -G Ninja -S cmake -B cmake/ninja "-DTREADLE_MODULES=$prefix/share/treadle/cmake"
    check "cmake, Ninja: builds" cmake --build cmake/ninja
    rebuilt "cmake, Ninja" cmake "cmake --build cmake/ninja" "cd cmake/ninja && ctest --output-on-failure -R '^treadle-dining$'" \
        cmake/ninja/treadle/dining
else
    echo "note  cmake is not installed"
fi
cp -r "$here/meson" meson; cp "$here"/*.[ch] meson
check "meson: configures" meson setup meson/build meson
check "meson: its tests pass" meson test -C meson/build
rebuilt meson meson "ninja -C meson/build" "meson test -C meson/build --print-errorlogs" meson/build/dining
exit $failed
