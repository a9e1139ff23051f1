#!/usr/bin/env bash
# Builds the fuzz targets the way OSS-Fuzz and ClusterFuzzLite ask for it: with
# $CC, $CXX, $CFLAGS, $CXXFLAGS and $LIB_FUZZING_ENGINE, in $WORK, into $OUT. A
# target gets its seeds, its dictionary and its options. The tree is only read.
set -euo pipefail
: "${CC:?}" "${CXX:?}" "${CFLAGS?}" "${CXXFLAGS?}" "${LIB_FUZZING_ENGINE:?}"
: "${OUT:?}" "${WORK:?}"
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$WORK/poolproof
fail() { echo "build.sh: $1" >&2; exit 2; }

# Where a target runs there is nothing but libc: the rest is linked statically.
archive() {
  local file
  file=$($CC $CFLAGS -print-file-name="lib$1.a")
  [ -f "$file" ] || fail "lib$1.a is not installed"
  printf '%s\n' "$file"
}
# The kernels are compiled to PTX too, which the base image's clang cannot do.
ptx=
for compiler in clang /usr/bin/clang; do
  [[ $("$compiler" --print-targets 2>/dev/null) != *nvptx64* ]] || ptx=$(command -v "$compiler")
done
[ -n "$ptx" ] || fail "no clang with the target nvptx64 is installed"
libfuzzer=OFF
[ "${FUZZING_ENGINE:-libfuzzer}" != libfuzzer ] || libfuzzer=ON

# -w: another compiler knows other warnings, and here they would be errors.
# The engine may be C++: $CXX links. What $WORK has may be of other flags.
CFLAGS="$CFLAGS -w" cmake --fresh -S "$source" -B "$build" -G Ninja \
  -DCMAKE_BUILD_TYPE= -DBUILD_TESTING=OFF \
  -DPP_FUZZERS=ON -DPP_LIBFUZZER=$libfuzzer -DPP_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DPP_CLANG="$ptx" -DCSV_LIBRARY="$(archive csv)" -DNETTLE_LIBRARY="$(archive nettle)" \
  -Dpkgcfg_lib_JANSSON_jansson="$(archive jansson)" \
  -DCMAKE_C_LINK_EXECUTABLE="$CXX $CXXFLAGS <CMAKE_C_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>"

# The empty target measures engines; it would only take time from the others.
mapfile -t rows < <(grep -E '^[a-z]' "$source/fuzz/targets" | grep -v '^empty ')
mapfile -t names < <(printf '%s\n' "${rows[@]}" | cut -d ' ' -f 1)
cmake --build "$build" --target "${names[@]/#/fuzz-}"

for row in "${rows[@]}"; do
  read -r name kind _ longest _ <<<"$row"
  target=fuzz-$name
  cp "$build/bin/$target" "$OUT/"
  {
    printf '[libfuzzer]\nmax_len = %s\ntimeout = 60\n' "$longest"
    [ "$kind" = bytes ] || echo "dict = $target.dict"
  } >"$OUT/$target.options"
  [ "$kind" = bytes ] || cp "$source/fuzz/dict/$kind.dict" "$OUT/$target.dict"
  "$source/fuzz/fuzz" zip "$name" -o "$OUT/${target}_seed_corpus.zip"
done
