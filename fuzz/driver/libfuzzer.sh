# libFuzzer: one target's run, in processes of its own (fork mode).
# shellcheck shell=bash disable=SC2154,SC2034

# The options of every run of a target.
libfuzzer_options() {
  look_up "$1"
  printf '%s\n' "-max_len=$longest" -timeout=60 -rss_limit_mb=2048 \
    -print_funcs=0 -print_final_stats=1
  [ ! -e "$root/fuzz/dict/$kind.dict" ] || printf '%s\n' "-dict=$root/fuzz/dict/$kind.dict"
}

# Starts it; its process is $!. Seeds lie in $work/seeds.
libfuzzer_start() {
  local target=$1 seed=$2 program options
  program=$(binary_of "$option_build" fuzz "$target")
  mapfile -t options < <(libfuzzer_options "$target")
  PP_TARGET_STATS=$work/stats "$program" "${options[@]}" \
    -fork="$option_jobs" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
    -max_total_time="$option_seconds" -seed="$seed" \
    -artifact_prefix="$option_finds/$target-" \
    "$option_corpus/$target" "$work/seeds" >"$work/log" 2>&1 &
  pids=($!)
}

# Did it end as it should? Fork mode's status is the last process's.
libfuzzer_ended() { [ "$1" = 0 ] || grep -q '^INFO: exiting: ' "$work/log"; }

# Sets executions from the log.
libfuzzer_progress() {
  executions=$(grep -oE '^#[0-9]+: cov: ' "$work/log" | tail -n 1 | tr -dc 0-9 || true)
  executions=${executions:-0}
}

# Sets edges, corpus_loaded and stability at the end. Fork mode itself counts
# other things as edges, once there is a grown corpus. Finds and corpus lie
# where they belong.
libfuzzer_finish() {
  local target=$1
  corpus_loaded=$(sed -n 's/^INFO: -fork=.*: \([0-9]*\) seed inputs.*/\1/p' "$work/log")
  edges=$(reached "$target" "$option_corpus/$target" "$work/seeds" | cut -d ' ' -f 1)
  corpus_loaded=${corpus_loaded:-0} edges=${edges:-0} stability=null
}

# What all inputs of folders reach together: "N edges, M features"; nothing
# when one of them is a find.
reached() {
  local target=$1 options program
  shift
  mapfile -t options < <(libfuzzer_options "$target")
  program=$(binary_of "$option_build" fuzz "$target")
  { "$program" "${options[@]}" -runs=0 "$@" 2>&1 || true; } |
    sed -n 's/.*INITED cov: \([0-9]*\) ft: \([0-9]*\) .*/\1 edges, \2 features/p'
}

minimise_libfuzzer() {
  local target=$1 seeds=$2 grown=$3 small=$4 program options file
  program=$(binary_of "$option_build" fuzz "$target")
  mapfile -t options < <(libfuzzer_options "$target")
  cp "$seeds"/* "$small"
  "$program" "${options[@]}" -merge=1 "$small" "$grown" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; fail "$target: merging failed"; }
  for file in "$seeds"/*; do rm -f "$small/${file##*/}"; done
}
