#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian package in a clean root that has what debian/control asks for, and nothing else.
#
# Usage: tests/package/build.sh [DIR]     as root; needs mmdebstrap and a Debian mirror, and takes some minutes
#
# The source is what is committed. The clean root is a temporary directory that is removed at the end; the package is copied to
# DIR. Not part of .ci/run, which builds the package where everything is installed.
set -eu
cd "$(dirname "$0")/../.."
dir=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

mmdebstrap --mode=root --variant=buildd --aptopt='APT::Install-Recommends "false"' \
    --customize-hook='mkdir -p "$1/usr/src/treadle"' \
    --customize-hook='git archive HEAD | tar -x -C "$1/usr/src/treadle"' \
    --customize-hook='chroot "$1" sh -c "cd /usr/src/treadle && apt-get build-dep -y ./"' \
    "$suite" "$work/clean" /etc/apt/sources.list.d/debian.sources
unshare --mount --pid --fork --mount-proc="$work/clean/proc" chroot "$work/clean" \
    sh -c 'cd /usr/src/treadle && LC_ALL=C.UTF-8 nice dpkg-buildpackage -us -uc -b'
ls -l "$work"/clean/usr/src/treadle_*.deb
if [ -n "$dir" ]; then
    mkdir -p "$dir"
    cp "$work"/clean/usr/src/treadle_*.deb "$dir"
fi
