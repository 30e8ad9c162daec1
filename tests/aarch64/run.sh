#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The runtime compiles for aarch64, and its switch of fibers works there, under qemu. Skipped where
# there is no cross compiler (gcc-aarch64-linux-gnu) or emulator (qemu-user).
set -eu
src=$(cd "$(dirname "$0")/../../src" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cc=aarch64-linux-gnu-gcc
if ! command -v $cc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
    echo "no aarch64 compiler or emulator"
    exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags="-std=gnu17 -O2 -fPIC -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE -I$src"
for file in "$src"/runtime/[cmps]*/*.c "$src"/runtime/core/switch.S; do
    [ "$(basename "$file")" = inline.c ] && continue
    $cc $flags -c "$file" -o "$out/object.o"
done
echo "ok    the runtime compiles"
$cc $flags -static "$here/switch.c" "$src/runtime/core/switch.S" -o "$out/switch"
timeout 60 qemu-aarch64 "$out/switch"
echo "ok    fibers switch"
echo "2 passed, 0 failed"
