#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that treadle needs.
#
#   tools/install-deps.sh             everything: both LLVM versions, tests, lint, manual pages
#   tools/install-deps.sh --minimal   what a build for use needs
#   tools/install-deps.sh --list      prints the packages instead of installing them
#
# LLVM=16 tools/install-deps.sh --minimal takes another LLVM (16 to 19).
set -eu

llvm=${LLVM:-19}
minimal="gcc libc6-dev git pkg-config python3 meson ninja-build
    clang-$llvm llvm-$llvm-dev libxxhash-dev libzstd-dev libsqlite3-dev libjson-c-dev libdw-dev libz3-dev
    libcadical-dev libpq-dev gdb"

# The second LLVM, sanitizers and fuzzers, unit tests, lint, the site, a browser, the server of a farm, the
# other processor.
full="clang-19 llvm-19-dev libclang-rt-19-dev clang-16 llvm-16-dev
    mkdocs python3 python3-yaml python3-junitparser python3-jsonschema graphviz lcov
    libcmocka-dev clang-format-14 mandoc binutils chromium postgresql openssl sqlite3
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

# tests/dropin: what the packages built there need themselves.
dropin="dpkg-dev make libevent-dev zlib1g-dev"

# The Debian package, a clean root to try it in, builds and shells that treadle is to fit in.
fit="debhelper mmdebstrap cmake zsh fish"

usage() {
    sed -n '3,9s/^# \{0,1\}//p' "$0"
}

packages="$minimal $full $dropin $fit"
action=install
for arg in "$@"; do
    case $arg in
    --minimal) packages=$minimal ;;
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

if [ $action = list ]; then
    printf '%s\n' $packages | sort -u
    exit 0
fi

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "install-deps.sh: needs root or sudo" >&2
    exit 1
fi

# A broken list of some other repository must not stop us: what counts is the installation.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
    echo "install-deps.sh: apt-get update failed; going on with the lists at hand" >&2
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $packages </dev/null
