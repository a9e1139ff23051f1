# Seeds and grown corpus: list, build, replay, minimise, zip.
# shellcheck shell=bash disable=SC2154,SC2034

# Copies a target's seeds, and what was once found, to a folder, each under the
# name that it has in corpus/. A longer input than the target takes would be
# cut into another one, so it stays behind.
copy_seeds() {
  local target=$1 to=$2 folder file short
  look_up "$target"
  mkdir -p "$to"
  for folder in ${folders//,/ } regressions; do
    [ -d "$root/corpus/$folder" ] ||
      fail "corpus/$folder is not there; fuzz/targets names it for $target"
    while IFS= read -r -d '' file; do
      short=${file#"$root/corpus/"}
      cp "$file" "$to/${short//\//-}"
    done < <(find "$root/corpus/$folder" -type f -name '[!.]*' \
      ! -perm -u+x -size "-$((longest + 1))c" -print0)
  done
}

count_files() { find "$1" -type f -name '[!.]*' 2>/dev/null | wc -l; }

#= list usage: fuzz/fuzz list [TARGET...] [--corpus DIR]
#= list A line a target: name, kind of input, longest input in bytes, how many
#= list seeds, how many inputs the grown corpus has, what it is about.
#= list
#= list   --corpus DIR   the grown corpus, a folder a target (build/corpus)
do_list() {
  local target
  open_work
  printf '%-13s %-8s %6s %6s %6s  %s\n' target input bytes seeds grown about
  for target in "${targets[@]}"; do
    copy_seeds "$target" "$work/$target"
    printf '%-13s %-8s %6d %6d %6d  %s\n' "$name" "$kind" "$longest" \
      "$(count_files "$work/$target")" \
      "$(count_files "$option_corpus/$target")" "$what"
  done
}

#= build usage: fuzz/fuzz build [TARGET...] [--engine libfuzzer|afl]
#= build Builds the targets, and what replays and shrinks inputs (build/fuzz).
#= build
#= build   --engine libfuzzer|afl   libfuzzer (the default): the preset fuzz, in
#= build                  build/fuzz, under ASan and UBSan; afl: the presets afl
#= build                  (the same, by afl-clang-fast) and afl-cmplog, and our
#= build                  mutator for afl-fuzz (preset release)
do_build() {
  local preset
  if [ "$option_engine" = libfuzzer ]; then
    build_preset fuzz "${targets[@]/#/fuzz-}" "${targets[@]/#/replay-}" trim-input
    return
  fi
  build_preset fuzz "${targets[@]/#/replay-}" trim-input
  need_afl
  for preset in afl afl-cmplog; do
    AFL_QUIET=1 AFL_LLVM_CMPLOG=$([ $preset = afl ] || echo 1) \
      build_preset "$preset" "${targets[@]/#/fuzz-}"
  done
  build_preset release pp_mutate_afl
}

build_preset() {
  local preset=$1
  shift
  [ -n "${AFL_LLVM_CMPLOG:-}" ] || unset AFL_LLVM_CMPLOG
  (cd "$root" && cmake --preset "$preset" >/dev/null &&
    cmake --build --preset "$preset" --target "$@")
}

#= replay usage: fuzz/fuzz replay [TARGET...] [OPTION...]
#= replay Runs seeds, grown corpus and other inputs through targets, unchanged.
#= replay
#= replay   --input PATH   a file or folder, in place of seeds and grown corpus;
#= replay                  may be given again
#= replay   --corpus DIR   the grown corpus, a folder a target (build/corpus)
#= replay   --build DIR    where the targets are built (build/fuzz)
do_replay() {
  local target program bad=0
  open_work
  sanitizers
  for target in "${targets[@]}"; do
    program=$(binary_of "$option_build" replay "$target")
    local inputs=("${option_input[@]}")
    if [ ${#inputs[@]} = 0 ]; then
      copy_seeds "$target" "$work/$target"
      inputs=("$work/$target")
      [ ! -d "$option_corpus/$target" ] || inputs+=("$option_corpus/$target")
    fi
    printf '%-13s ' "$target"
    "$program" "${inputs[@]}" >"$work/said" || bad=1
    cat "$work/said"
  done
  return $bad
}

#= minimise usage: fuzz/fuzz minimise [TARGET...] [OPTION...]
#= minimise Keeps of the grown corpus what reaches more than the seeds and the
#= minimise rest of it do.
#= minimise
#= minimise   --engine libfuzzer|afl   by -merge=1 (the default), or afl-cmin
#= minimise   --corpus DIR   the grown corpus, a folder a target (build/corpus)
#= minimise   --build DIR    where the targets are built (build/fuzz)
#= minimise   --afl DIR      where AFL++'s are (build/afl)
do_minimise() {
  local target before
  open_work
  sanitizers
  for target in "${targets[@]}"; do
    local grown=$option_corpus/$target small=$work/small seeds=$work/seeds
    rm -rf "$small" "$seeds"
    before=$(count_files "$grown")
    copy_seeds "$target" "$seeds"
    mkdir -p "$grown" "$small"
    "minimise_$option_engine" "$target" "$seeds" "$grown" "$small"
    rm -rf "$grown.new"
    cp -r "$small" "$grown.new"
    rm -rf "$grown"
    mv "$grown.new" "$grown"
    printf '%-13s %6d inputs, now %d\n' "$target" "$before" \
      "$(count_files "$grown")"
  done
}

#= zip usage: fuzz/fuzz zip TARGET -o FILE
#= zip The target's seeds, and what was once found, as one zip: the
#= zip TARGET_seed_corpus.zip of OSS-Fuzz. The same files give the same bytes.
#= zip
#= zip   -o, --output FILE   where it goes
do_zip() {
  [ ${#targets[@]} = 1 ] || fail "zip wants one TARGET"
  [ -n "$option_output" ] || fail "zip wants -o FILE"
  command -v zip >/dev/null || fail "zip is not installed"
  open_work
  copy_seeds "${targets[0]}" "$work/seeds"
  [ "$(count_files "$work/seeds")" -gt 0 ] ||
    fail "${targets[0]}: no seeds in corpus/"
  find "$work/seeds" -type f -exec touch -t 198001010000 {} +
  (cd "$work/seeds" && find . -type f -printf '%P\n' | LC_ALL=C sort |
    TZ=UTC zip -q -X -@ ../seeds.zip)
  cp "$work/seeds.zip" "$option_output"
}
