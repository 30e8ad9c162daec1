#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds treadle from this source tree and installs it: what the container, the action and the template below do.
#
#   packaging/install.sh [PREFIX]     PREFIX: /usr/local
#
# Debian 12 or newer, as root; a few minutes.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
prefix=${1:-/usr/local}
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
"$source/tools/install-deps.sh" --minimal
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
meson setup "$build" "$source" --prefix="$prefix" -Dllvm=19 -Dtests=false -Dwerror=false
ninja -C "$build"
meson install -C "$build" --no-rebuild
"$prefix/bin/treadle" doctor --self-test
