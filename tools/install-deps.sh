#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that treadle needs, on Debian 12, 13 and sid.
#
#   tools/install-deps.sh             everything: tests with the oldest and the newest LLVM, lint, manual pages
#   tools/install-deps.sh --minimal   what a build for use needs
#   tools/install-deps.sh --tests     what a build with its tests needs
#   tools/install-deps.sh --list      prints the packages instead of installing them
#
# LLVM=16 tools/install-deps.sh --minimal takes another LLVM: 19 otherwise, or the newest where that is not packaged.
set -eu

usage() {
    sed -n '3,10s/^# \{0,1\}//p' "$0"
}

which=all
action=install
for arg in "$@"; do
    case $arg in
    --minimal | --tests) which=${arg#--} ;;
    --list) action=list ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
done

as_root=
if [ $action = install ]; then
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "install-deps.sh: needs root or sudo" >&2
            exit 1
        }
        as_root=sudo
    fi
    # A broken list of some other repository must not stop us: what counts is the installation.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
        echo "install-deps.sh: apt-get update failed; going on with the lists at hand" >&2
fi

# What differs between releases: packages of these names that this one has.
candidates=clang-format-14
for version in 16 17 18 19 20 21 22; do
    candidates="$candidates clang-$version llvm-$version-dev libc++-$version-dev"
done
there=" $(apt-cache madison $candidates | sed 's/^ *//; s/ .*//' | sort -u | tr '\n' ' ')"

# The versions of LLVM that the release and treadle both have, oldest first.
versions=
for version in 16 17 18 19 20 21 22; do
    case $there in
    *" clang-$version "*" llvm-$version-dev "*) versions="$versions $version" ;;
    esac
done
oldest=$(set -- $versions && echo ${1:-19})
newest=$(printf '%s\n' 19 $versions | tail -n 1)
case " ${versions:-19} " in
*" 19 "*) llvm=${LLVM:-19} ;;
*) llvm=${LLVM:-$newest} ;;
esac

format=
case $there in
*" clang-format-14 "*) format=clang-format-14 ;;
esac

libcxx=
case $there in
*" libc++-$llvm-dev "*) libcxx="libc++-$llvm-dev libc++abi-$llvm-dev" ;;
esac

clang_and_llvm() {
    for version in "$@"; do
        printf '%s\n' clang-$version llvm-$version-dev libclang-rt-$version-dev
    done
}

minimal="gcc libc6-dev git pkg-config python3 meson ninja-build clang-$llvm llvm-$llvm-dev
    libxxhash-dev libzstd-dev libsqlite3-dev libjson-c-dev libdw-dev libz3-dev libcadical-dev libpq-dev gdb"

# Its C interface alone is not enough (src/instrument/meson.build).
[ "$llvm" != 21 ] || minimal="$minimal g++"

# Sanitizers, unit tests, programs that read what treadle writes, the server of a farm, C++ with both libraries; what the packages
# that tests/dropin builds need themselves.
tests="$minimal libclang-rt-$llvm-dev g++ $libcxx libcmocka-dev
    python3-yaml python3-junitparser python3-jsonschema graphviz lcov mandoc binutils postgresql openssl sqlite3
    dpkg-dev make mount libevent-dev zlib1g-dev"

# The other LLVM, lint (whose formatter not all releases have), the site, a browser, the other processor, the Debian
# package with roots of other releases to try it in, builds and shells that treadle is to fit in.
full="$tests $(clang_and_llvm $oldest $newest) $format
    mkdocs chromium gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user debhelper mmdebstrap cmake zsh fish"

case $which in
minimal) packages=$minimal ;;
tests) packages=$tests ;;
all) packages=$full ;;
esac

if [ $action = list ]; then
    printf '%s\n' $packages | sort -u
    exit 0
fi
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $packages </dev/null
