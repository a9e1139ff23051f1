# AFL++: one target's run, an instance a job, as its documentation advises for
# many cores and, up to an hour, for continuous integration: short runs have
# no main instance.
# shellcheck shell=bash disable=SC2154,SC2034

need_afl() {
  local program
  for program in afl-fuzz afl-clang-fast afl-cmin; do
    command -v "$program" >/dev/null ||
      fail "$program is not installed (Debian: afl++)"
  done
}

# What afl-fuzz and afl-cmin would stop for on a machine that they are not
# alone on; what is the same for all instances.
afl_environment() {
  export AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_AUTORESUME=1
  export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_ALLOW_TMP=1
  export AFL_FAST_CAL=1 AFL_CMPLOG_ONLY_NEW=1
  export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:$pp_asan
  export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:symbolize=0
  unset LSAN_OPTIONS AFL_CUSTOM_MUTATOR_LIBRARY
}

# Our mutator, for inputs that have a structure; it is told when it is missing.
afl_mutator() {
  local mutator=$root/build/release/fuzz/libpp-mutate-afl.so
  [ "$kind" != bytes ] || return 0
  if [ -e "$mutator" ]; then
    export AFL_CUSTOM_MUTATOR_LIBRARY=$mutator
  else
    echo "$name: without our mutator: fuzz/fuzz build --engine afl"
  fi
}

# What instance number $1 does beside: a line of variables, one of options.
# Machines that share folders have names of their own.
afl_instance() {
  local role=-S schedules=(fast exploit rare coe) here
  here=${option_sync:+$(uname -n)-}
  [ "$option_seconds" -le 3600 ] || role=-M
  case $1 in
  0) printf '\n%s\n' "$role ${here}main" ;;
  1) printf '%s\n%s\n' AFL_IMPORT_FIRST=1 "-S ${here}cmplog" ;;
  2) printf '%s\n%s\n' AFL_EXPAND_HAVOC_NOW=1 "-S ${here}mopt -L 0" ;;
  3) printf '%s\n%s\n' AFL_DISABLE_TRIM=1 "-S ${here}explore -p explore" ;;
  *) printf '%s\n%s\n' AFL_IMPORT_FIRST=1 "-S ${here}job$1 -p ${schedules[$1 % 4]}" ;;
  esac
}

# The second instance solves comparisons; a lone one does so itself.
afl_compares() { [ "$1" = 1 ] || [ "$option_jobs" = 1 ]; }

afl_start() {
  local target=$1 seed=$2 program k words variables options
  look_up "$target"
  program=$(binary_of "$option_afl" fuzz "$target")
  afl_environment
  afl_mutator
  afl_out=${option_sync:+$option_sync/$target}
  afl_out=${afl_out:-$work/afl}
  mkdir -p "$afl_out" "$work/in"
  cp "$work/seeds"/* "$work/in"
  find "$option_corpus/$target" -type f -exec cp {} "$work/in" \;
  corpus_loaded=$(count_files "$work/in")
  local common=(-i "$work/in" -o "$afl_out" -V "$option_seconds" -G "$longest" -t 10000 -m none)
  [ ! -e "$root/fuzz/dict/$kind.dict" ] || common+=(-x "$root/fuzz/dict/$kind.dict")
  pids=()
  for ((k = 0; k < option_jobs; k++)); do
    mapfile -t words < <(afl_instance "$k")
    read -ra variables <<<"${words[0]}"
    read -ra options <<<"${words[1]}"
    ! afl_compares "$k" ||
      options+=(-l 2 -c "$(binary_of "$option_afl-cmplog" fuzz "$target")")
    env "${variables[@]}" afl-fuzz "${common[@]}" -s $((seed + k)) "${options[@]}" \
      -- "$program" >"$work/log.$k" 2>&1 &
    pids+=($!)
  done
}

# A figure of all instances of this machine, one a line.
afl_stat() {
  sed -n "s/^$1 *: \([0-9.]*\).*/\1/p" "$afl_out"/*/fuzzer_stats 2>/dev/null || true
}

afl_ended() { [ "$1" = 0 ]; }

afl_progress() { executions=$(afl_stat execs_done | sum_of 1); }

# Takes finds and queue, under the names that libFuzzer gives.
afl_finish() {
  local target=$1 file what to
  edges=$(afl_stat edges_found | sort -n | tail -n 1)
  stability=$(afl_stat stability | sort -n | head -n 1)
  edges=${edges:-0} stability=${stability:-null}
  for file in "$afl_out"/*/{crashes,hangs,queue}/id:*; do
    [ -f "$file" ] || continue
    what=$(basename "$(dirname "$file")")
    case $what in
    crashes) to=$option_finds/$target-crash- ;;
    hangs) to=$option_finds/$target-timeout- ;;
    queue) to=$option_corpus/$target/ ;;
    esac
    cp "$file" "$to$(sha1sum "$file" | cut -d ' ' -f 1)"
  done
}

minimise_afl() {
  local target=$1 seeds=$2 grown=$3 small=$4 program file
  need_afl
  afl_environment
  program=$(binary_of "$option_afl" fuzz "$target")
  rmdir "$small"
  cp -r "$seeds" "$work/all"
  find "$grown" -type f -exec cp {} "$work/all" \;
  afl-cmin -i "$work/all" -o "$small" -t 10000 -m none -- "$program" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; fail "$target: afl-cmin failed"; }
  rm -rf "$work/all" "$small/.traces"
  for file in "$seeds"/*; do rm -f "$small/${file##*/}"; done
}
