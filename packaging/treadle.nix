# SPDX-License-Identifier: Apache-2.0
# Nix: nix-build -E 'with import <nixpkgs> {}; callPackage ./packaging/treadle.nix {}'
{ stdenv, lib, meson, ninja, pkg-config, python3, makeWrapper, llvmPackages_19, xxHash, zstd, sqlite, json_c, elfutils, z3, cadical, postgresql, gdb }:
stdenv.mkDerivation {
  pname = "treadle";
  version = "1.0.0";
  src = lib.cleanSource ../.;
  nativeBuildInputs = [ meson ninja pkg-config python3 makeWrapper llvmPackages_19.llvm.dev llvmPackages_19.clang ];
  buildInputs = [ llvmPackages_19.llvm xxHash zstd sqlite json_c elfutils z3 cadical postgresql ];
  mesonFlags = [ "-Dllvm=19" "-Dtests=false" "-Dwerror=false" "-Dlibdir=lib" ];
  # The runtime works on stacks that it made itself and replaces functions of the C library; what treadle cc links is not stripped.
  hardeningDisable = [ "all" ];
  dontStrip = true;
  postInstall = ''
    wrapProgram $out/bin/treadle --set-default TREADLE_CC ${llvmPackages_19.clang}/bin/clang --prefix PATH : ${gdb}/bin
  '';
  meta = {
    description = "Finds concurrency bugs in C and C++ programs by running them under every schedule";
    license = lib.licenses.asl20;
    platforms = [ "x86_64-linux" ];
    mainProgram = "treadle";
  };
}
