# A campaign's result as JSON: oracle/schema/campaign-1.schema.json.
# shellcheck shell=bash disable=SC2154,SC2034

commit() {
  local id
  id=$(git -C "$root" rev-parse HEAD 2>/dev/null) || { echo unknown; return; }
  [ -z "$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null)" ] || id+=+
  echo "$id"
}

json_string() {
  printf '"%s"' "$(printf %s "$1" | LC_ALL=C sed 's/[\\"]/\\&/g' | LC_ALL=C tr '\0-\037\177-\377' '?')"
}

# The findings of a target, by kind, from $work/kinds.
json_findings() {
  local key first=1
  for key in "$work/kinds"/*; do
    [ -d "$key" ] || continue
    [ $first = 1 ] || printf ','
    first=0
    printf '{"kind":%s,"sentence":%s,"times":%d,"file":%s}' \
      "$(json_string "$(cat "$key/kind")")" "$(json_string "$(cat "$key/words")")" \
      "$(wc -l <"$key/times")" "$(json_string "$(basename "$(cat "$key/file")")")"
  done
}

# One line a target to $work/targets.
report_target() {
  printf '{"name":"%s","executions":%d,"executions_per_second":%s,"corpus_loaded":%d,"corpus_kept":%d,"edges":%d,"compared":%s,"stability":%s,"findings":[%s]}\n' \
    "$1" "$executions" "$(ratio "$executions" "$took" 1 1)" "$corpus_loaded" \
    "$(count_files "$option_corpus/$1")" "$edges" "$compared" "$stability" \
    "$(json_findings)" >>"$work/targets"
}

# What this shell's children used so far, in hours; in a subshell it is nothing.
cpu_hours() {
  times >"$work/times"
  cpu_hours=$(tail -n 1 "$work/times" | tr 'ms' '  ' |
    awk '{ printf "%.4f\n", ($1 * 60 + $2 + $3 * 60 + $4) / 3600 }')
}

write_campaign() {
  local model version
  model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  cpu_hours
  version=$(sed -n 's/^project(poolproof VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
  {
    printf '{"poolproof":"campaign/1","version":"%s","commit":"%s","started":"%s",' \
      "$version" "$(commit)" "$started"
    printf '"seconds":%d,"cpu_hours":%s,"machine":%s,' "$1" "$cpu_hours" \
      "$(json_string "${model:-unknown}, $(nproc) cores")"
    printf '"engine":"%s","sanitizer":"address,undefined","targets":[\n%s\n],"findings":%d}\n' \
      "$option_engine" "$(paste -sd ',' "$work/targets" | sed 's/},{"name"/},\n{"name"/g')" "$2"
  } >"$option_json.new"
  mv "$option_json.new" "$option_json"
}
