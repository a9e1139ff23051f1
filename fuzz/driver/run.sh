# fuzz/fuzz run: targets one after the other, by one of the engines.
# shellcheck shell=bash disable=SC2154,SC2034

# Looks at the log until the engine ends: a line that changes on a terminal, a
# line now and then elsewhere.
watch_run() {
  local target=$1 from=$SECONDS told=0 now line pid alive found
  while :; do
    alive=0
    for pid in "${pids[@]}"; do ! kill -0 "$pid" 2>/dev/null || alive=1; done
    [ $alive = 1 ] || break
    [ "$stopped" = 0 ] || kill "${pids[@]}" 2>/dev/null || true
    now=$((SECONDS - from))
    if [ -t 1 ] || [ $((now - told)) -ge 30 ]; then
      told=$now
      "${option_engine}_progress"
      found=$(find "$option_finds" -maxdepth 1 -name "$target-*" -newer "$work/begin" | wc -l)
      line=$(printf '%-13s %5d s of %d  %10d runs %8.0f/s  %d found' "$target" \
        $now "$option_seconds" "$executions" "$(ratio "$executions" "$now" 1 0)" "$found")
      if [ -t 1 ]; then printf '\r\033[K%s' "$line"; else echo "$line"; fi
    fi
    sleep 1
  done
  [ ! -t 1 ] || printf '\r\033[K'
}

# How many of the inputs were compared and not only refused, in percent; null:
# the engine ends its processes in a way that leaves them no time to say.
share_compared() {
  [ -s "$work/stats" ] || { echo null; return; }
  ratio "$(sum_of 3 <"$work/stats")" "$(sum_of 2 <"$work/stats")" 100 2
}

run_target() {
  local target=$1 seed from pid status=0
  seed=${option_seed:-$(new_seed)}
  rm -rf "$work/seeds" "$work/stats" "$work/in" "$work/afl" "$work"/log*
  touch "$work/log" "$work/begin"
  copy_seeds "$target" "$work/seeds"
  mkdir -p "$option_corpus/$target"
  echo "$target: seed $seed; again: $(again "$target" "$seed")"
  from=$SECONDS
  "${option_engine}_start" "$target" "$seed"
  watch_run "$target"
  for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
  took=$((SECONDS - from))
  "${option_engine}_ended" "$status" || [ "$stopped" = 1 ] || {
    tail -n 30 "$work"/log* | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' >&2
    broken="$target: the engine ended with status $status"
    return
  }
  "${option_engine}_progress"
  [ "$executions" -gt 0 ] || [ "$stopped" = 1 ] || {
    broken="$target: nothing was executed"
    return
  }
  "${option_engine}_finish" "$target"
  compared=$(share_compared)
  sort_finds "$target" -newer "$work/begin"
  found=$(find "$work/kinds" -mindepth 1 -maxdepth 1 | wc -l)
  report_target "$target"
  printf '%-13s %d runs, %.0f/s, %d edges, %d inputs kept, %s %% compared, %d kinds of findings\n' \
    "$target" "$executions" "$(ratio "$executions" "$took" 1 0)" "$edges" \
    "$(count_files "$option_corpus/$target")" "$compared" "$found"
}

#= run usage: fuzz/fuzz run [TARGET...] [OPTION...]
#= run Fuzzes the targets, one after the other, from seeds and grown corpus. What
#= run is found goes on; exit status 1 when something was.
#= run
#= run   --seconds S      how long each (60)
#= run   --jobs N         processes (1)
#= run   --engine libfuzzer|afl   libfuzzer in fork mode (the default), or AFL++:
#= run                    an instance a job, comparisons solved by the second
#= run   --corpus DIR     the grown corpus, a folder a target (build/corpus)
#= run   --finds DIR      where findings go (build/finds)
#= run   --json FILE      the campaign's result (FINDS/campaign.json)
#= run   --seed S         the engine's seed (one of its own for each target)
#= run   --sync DIR       AFL++: a folder of instances, a folder a target, that
#= run                    stays, for campaigns on several machines
#= run   --build DIR      where the targets are built (build/fuzz)
#= run   --afl DIR        where AFL++'s are (build/afl, beside it DIR-cmplog)
do_run() {
  local target findings=0 begin=$SECONDS
  stopped=0 broken='' found=0
  option_seconds=${option_seconds:-60}
  option_json=${option_json:-$option_finds/campaign.json}
  [ "$option_engine" != afl ] || need_afl
  need_built "$option_build" replay
  case $option_engine in
  libfuzzer) need_built "$option_build" fuzz ;;
  afl) need_built "$option_afl" fuzz && need_built "$option_afl-cmplog" fuzz ;;
  esac
  open_work
  trap 'stopped=1' INT TERM
  mkdir -p "$option_finds" "$(dirname "$option_json")"
  sanitizers
  started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  : >"$work/targets"
  for target in "${targets[@]}"; do
    found=0
    run_target "$target"
    findings=$((findings + found))
    [ "$stopped" = 0 ] && [ -z "$broken" ] || break
  done
  write_campaign $((SECONDS - begin)) "$findings"
  [ -z "$broken" ] || fail "$broken; $option_json has what ran before"
  echo "$findings kinds of findings; $option_json"
  [ "$findings" = 0 ] || echo "fuzz/fuzz triage makes them small"
  [ "$findings" = 0 ]
}
