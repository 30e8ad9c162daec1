# SPDX-License-Identifier: Apache-2.0
# Homebrew on Linux: brew install --build-from-source --HEAD ./packaging/treadle.rb, with HOMEBREW_TREADLE_GIT naming the repository.
class Treadle < Formula
  desc "Finds concurrency bugs in C and C++ programs by running them under every schedule"
  homepage ENV.fetch("HOMEBREW_TREADLE_GIT", "file:///usr/src/treadle")
  license "Apache-2.0"
  head ENV.fetch("HOMEBREW_TREADLE_GIT", "file:///usr/src/treadle"), using: :git

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "cadical"
  depends_on "elfutils"
  depends_on "json-c"
  depends_on "libpq"
  depends_on :linux
  depends_on "llvm@19"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "z3"
  depends_on "zstd"

  def install
    ENV.prepend_path "PATH", Formula["llvm@19"].opt_bin
    system "meson", "setup", "build", "-Dllvm=19", "-Dtests=false", "-Dwerror=false", *std_meson_args
    system "meson", "compile", "-C", "build"
    system "meson", "install", "-C", "build"
  end

  test do
    system bin/"treadle", "doctor", "--self-test"
  end
end
