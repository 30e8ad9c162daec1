#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make-inline.sh CLANG SRC_ROOT INPUT OUTPUT: compiles the inlined checks to bitcode.
# Module flags are dropped, so that the checks link with a module of any settings; calls
# go through the address table (-fno-plt), because a lazy binder would not keep the
# registers that the slow path keeps.
set -e
clang=$1 root=$2 input=$3 output=$4
"$clang" -std=gnu17 -O2 -fPIC -fno-plt -fno-stack-protector -fno-unwind-tables \
    -fno-asynchronous-unwind-tables -D_GNU_SOURCE -I"$root" -S -emit-llvm \
    -o "$output.ll" "$input"
sed -e '/^!llvm\.module\.flags/d' -e '/^!llvm\.ident/d' \
    -e 's/^source_filename.*/source_filename = "inline.c"/' "$output.ll" >"$output.plain.ll"
"$clang" -Xclang -disable-llvm-passes -Wno-override-module -c -emit-llvm \
    -o "$output" "$output.plain.ll"
rm -f "$output.ll" "$output.plain.ll"
