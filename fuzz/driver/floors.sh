# fuzz/fuzz floors: does each target do what it must?
# shellcheck shell=bash disable=SC2154,SC2034

# Runs a target in one process for so long; its log is $work/TARGET.log. Sets
# executions, edges, and rate: executions a second of processor time, which
# depends little on what else the machine does. Returns the engine's status.
floor_run() {
  local target=$1 seconds=$2 seed=$3 status=0 log=$work/$1.log options program
  mapfile -t options < <(libfuzzer_options "$target")
  program=$(binary_of "$option_build" fuzz "$target")
  rm -rf "$work/$target".*
  mkdir -p "$work/$target.grown"
  copy_seeds "$target" "$work/$target.seeds"
  local TIMEFORMAT='%U %S'
  {
    time PP_TARGET_STATS=$work/$target.stats "$program" "${options[@]}" \
      -seed="$seed" -max_total_time="$seconds" \
      -artifact_prefix="$option_finds/$target-" \
      "$work/$target.grown" "$work/$target.seeds" >"$log" 2>&1 || status=$?
  } 2>"$work/$target.cpu"
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(grep -oE ' cov: [0-9]+' "$log" | tail -n 1 | tr -dc 0-9 || true)
  executions=${executions:-0} edges=${edges:-0}
  rate=$(ratio "$executions" "$(awk '{ print $1 + $2 }' "$work/$target.cpu")" 1 0)
  return $status
}

# One thing that is too little.
too_little() {
  echo "FAILED: $1"
  bad=$((bad + 1))
}

check_floors() {
  local target=$1 least_compared least_edges least_rate seeds loaded compared share
  local number='[0-9]+(\.[0-9]+)?'
  row=$(grep -E "^$target " "$option_floors") ||
    { too_little "$target: $option_floors has no row for it"; return; }
  [[ $row =~ ^[a-z_]+\ +($number)\ +([0-9]+)\ +($number)\ +\"([^\"]+)\"$ ]] ||
    fail "$option_floors: \"$row\" is not NAME COMPARED EDGES RATE \"FAULT\""
  least_compared=${BASH_REMATCH[1]} least_edges=${BASH_REMATCH[3]}
  least_rate=${BASH_REMATCH[4]} fault=${BASH_REMATCH[6]}
  seeds=$(count_files "$work/$target.seeds")
  loaded=$(sed -n 's/^INFO: seed corpus: files: \([0-9]*\) .*/\1/p' "$work/$target.log")
  compared=$(ratio "$(sum_of 3 <"$work/$target.stats")" "$(sum_of 2 <"$work/$target.stats")" 100 2)
  share=$(ratio "$rate" "$empty_rate" 100 4)
  printf '%-13s %d of %d seeds, %d executions, %d/s: %s %% of the empty target, %d edges, %s %% compared\n' \
    "$target" "${loaded:-0}" "$seeds" "$executions" "$rate" "$share" "$edges" "$compared"
  [ "$executions" -gt 0 ] || too_little "$target: nothing was executed"
  [ "${loaded:-0}" = "$seeds" ] ||
    too_little "$target: ${loaded:-0} of $seeds seeds were loaded"
  ! below "$compared" "$least_compared" ||
    too_little "$target: $compared % of the inputs were compared, the floor is $least_compared %"
  ! below "$edges" "$least_edges" ||
    too_little "$target: $edges edges were covered, the floor is $least_edges"
  ! below "$share" "$least_rate" ||
    too_little "$target: $rate executions a second of processor time are $share % of the empty target's, the floor is $least_rate %"
}

# What all inputs together reach, and how often, is the same in two orders when
# the target keeps nothing from one input to the next and nothing of it is
# random. Threads race, so one backend has to do. libFuzzer also counts how deep
# the stack has been so far, which depends on the order: a few features.
check_stability() {
  local target=$1 one other
  local inputs=("$work/$target.grown" "$work/$target.seeds")
  one=$(PP_TARGET_BACKENDS=cc reached "$target" -shuffle=0 "${inputs[@]}")
  other=$(PP_TARGET_BACKENDS=cc reached "$target" -prefer_small=0 -seed=2 "${inputs[@]}")
  awk -v a="$one" -v b="$other" 'BEGIN {
    split(a, x, /[ ,]+/); split(b, y, /[ ,]+/)
    by = x[3] > y[3] ? x[3] - y[3] : y[3] - x[3]
    exit a == "" || x[1] != y[1] || by > 8 }' ||
    too_little "$target: is not stable: ${one:-nothing} in one order of its corpus, ${other:-nothing} in another"
}

# The planted fault that the row names must be found.
check_twin() {
  local target=$1
  [ "$target" != empty ] && [ -n "$fault" ] || return 0
  "$root/fuzz/ground-truth" --twin "$target" --engine-binary-folder "$option_build/bin" \
    --fault "$fault" --seconds $((8 * option_seconds)) >"$work/twin" 2>&1 || {
    cat "$work/twin"
    too_little "$target: its negative twin was not found"
    return
  }
  printf '%-13s %s\n' "$target" "$(tail -n 1 "$work/twin")"
}

#= floors usage: fuzz/fuzz floors [TARGET...] [OPTION...]
#= floors Runs each target for some seconds, and fails when it finds something; when
#= floors nothing was executed or a seed not loaded; when it compares, covers or
#= floors executes less than fuzz/floors says; when its corpus reaches something
#= floors else in another order; when its negative twin, the target with a fault
#= floors put into the project, is not found, in 8 times the seconds.
#= floors
#= floors   --seconds S      how long each (8)
#= floors   --seed S         the engine's seed (one of its own for each target)
#= floors   --floors FILE    other floors (fuzz/floors)
#= floors   --no-twins       without the negative twins
#= floors   --build DIR      where the targets are built (build/fuzz)
do_floors() {
  local target seed status empty_seconds=1
  option_seconds=${option_seconds:-8} bad=0 fault=''
  option_finds=$option_build/finds
  need_built "$option_build" fuzz
  open_work
  sanitizers
  mkdir -p "$option_finds"
  floor_run empty $empty_seconds 1 || fail "the empty target ends with status $?"
  empty_rate=$rate
  for target in "${targets[@]}"; do
    seed=${option_seed:-$(new_seed)}
    echo "$target: seed $seed; again: $(again "$target" "$seed")"
    status=0
    floor_run "$target" "$option_seconds" "$seed" || status=$?
    if [ $status != 0 ]; then
      tail -n 60 "$work/$target.log"
      too_little "$target: ends with status $status; what was found is in $option_finds"
      continue
    fi
    check_floors "$target"
    check_stability "$target"
    [ "$option_twins" = 0 ] || check_twin "$target"
  done
  echo "$bad too little"
  [ $bad = 0 ]
}
