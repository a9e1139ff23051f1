# What kind of finding is it? One of each kind, made small, told.
# shellcheck shell=bash disable=SC2154,SC2034

# What a replay says, without what changes from run to run.
kind_words() {
  local file=$1 said frames
  frames=$(grep -E '^ *#[0-9]+ 0x[0-9a-f]+ in [A-Za-z_0-9]+ .*/(ref|backends|oracle|fuzz)/' "$file" |
    sed -E 's/^ *#[0-9]+ 0x[0-9a-f]+ in ([A-Za-z_0-9]+) .*/\1/' |
    head -n 3 | paste -sd '<' | sed 's/</ < /g' || true)
  if said=$(grep -m 1 -oE 'runtime error: .*' "$file"); then
    echo "$said in ${frames:-?}"
  elif said=$(grep -m 1 -oE 'SUMMARY: [A-Za-z]*Sanitizer: [A-Za-z_0-9-]+' "$file"); then
    echo "${said#SUMMARY: } in ${frames:-?}"
  else
    said=$(grep -m 1 . "$file" || true)
    echo "${said:-it dies without a word}"
  fi
}

# What happens with an input: its words on standard output, all that the program
# printed in FILE. Nothing happens: "".
replay_says() {
  local program=$1 input=$2 file=$3 status=0
  ASAN_OPTIONS=$pp_asan:symbolize=1:hard_rss_limit_mb=2048 \
    UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=$pp_lsan \
    timeout -k 5 60 "$program" "$input" >/dev/null 2>"$file" || status=$?
  case $status in
  0 | 2) ;; # 2: nothing compared, as of an input that is refused
  124 | 137) echo "it takes more than 60 s" ;;
  *) kind_words "$file" ;;
  esac
}

# Numbers and names differ from input to input.
blank() { sed -E 's/"[^"]*"/"..."/g; s/[0-9]+/N/g'; }

# For the shrinker: does the candidate do the same?
same_kind() {
  [ "$(replay_says "$triage_program" "$1" "$triage_file" | blank)" = "$triage_kind" ]
}

# The name's end that its kind of input has in corpus/.
suffix_of() {
  local first
  first=$(head -c 1 "$2" | tr -d '\0')
  case $1 in
  routine) echo ppr ;;
  program) echo pprog ;;
  bytes) echo bin ;;
  problem) [ "$first" = '{' ] && echo json || echo csv ;;
  *) [ "$first" = '{' ] && echo json || echo txt ;;
  esac
}

# The smallest of each kind among a target's finds, the 500 smallest of them, in
# $work/kinds: a folder a kind with input, kind, words and times. More words say
# to find(1) which.
sort_finds() {
  local target=$1 program file words key
  shift
  rm -rf "$work/kinds"
  mkdir "$work/kinds"
  find "$option_finds" -maxdepth 1 -type f -name "$target-*" "$@" -printf '%s %p\n' |
    sort -n | cut -d ' ' -f 2- >"$work/finds"
  [ "$(wc -l <"$work/finds")" -le 500 ] ||
    echo "$target: the 500 smallest of $(wc -l <"$work/finds") findings are looked at"
  program=$(binary_of "$option_build" replay "$target")
  while IFS= read -r file; do
    words=$(replay_says "$program" "$file" "$work/said")
    if [ -z "$words" ]; then
      words=${file##*/"$target"-}
      words="it does not happen again (${words%%-*})"
    fi
    key=$work/kinds/$(blank <<<"$words" | sha1sum | head -c 8)
    if [ ! -d "$key" ]; then
      mkdir "$key"
      blank <<<"$words" >"$key/kind"
      printf '%s\n' "$words" >"$key/words"
      cp "$file" "$key/input"
      printf '%s\n' "$file" >"$key/file"
    fi
    echo >>"$key/times"
  done < <(head -n 500 "$work/finds")
}

# The input of a kind, as small as the shrinkers get it in the time.
shrink_kind() {
  local key=$1
  triage_kind=$(cat "$key/kind") triage_file=$work/shrinking
  export triage_program triage_kind triage_file
  export -f same_kind replay_says kind_words blank
  # shellcheck disable=SC2016
  "$option_build/bin/trim-input" -s "$option_seconds" "$key/input" "$key/small" \
    bash -c 'same_kind "$1"' same_kind
}

# The text of an issue about a kind.
issue_text() {
  local key=$1 target=$2 kept=$3 words rules
  words=$(cat "$key/words")
  rules=$(grep -oE '\b(SEG|ARN|VAL|RTN|FPT|REL|CTX|BKD|ORC)-[0-9]+' <<<"$words" |
    sort -u | paste -sd ' ' || true)
  printf '# %s: %s\n\n' "$target" "$words"
  [ -z "$rules" ] || printf -- '- rule: %s\n' "$rules"
  printf -- '- commit: %s\n' "$(commit)"
  printf -- '- found %d times; the smallest input, of %d bytes: %s\n' \
    "$(wc -l <"$key/times")" "$(wc -c <"$kept")" "$(basename "$kept")"
  # shellcheck disable=SC2016
  printf -- '- again: `fuzz/fuzz build %s && build/fuzz/bin/replay-%s %s`\n\n' \
    "$target" "$target" "$(basename "$kept")"
  if LC_ALL=C grep -qP '[^\x09\x0a\x0d\x20-\x7e]' "$kept"; then
    echo 'The input, in base64:' && echo
    base64 "$kept" | sed 's/^/    /'
  else
    echo 'The input:' && echo
    sed 's/^/    /' "$kept"
  fi
  printf '\nWhat it printed:\n\n'
  head -n 30 "$key/said" | sed -E "s/0x[0-9a-f]+/0x.../g; s#$root/##g; s/^/    /"
}

#= triage usage: fuzz/fuzz triage [TARGET...] [OPTION...]
#= triage Sorts what was found by what happens (the target's sentence without
#= triage its numbers, or the sanitizer's word and where), and makes one of each
#= triage kind small: FINDS/triaged/TARGET-KIND.* is fit for corpus/regressions,
#= triage TARGET-KIND.md is an issue's text. Of a target's findings the 500 smallest
#= triage are looked at. Exit status 1: there are some.
#= triage
#= triage   --finds DIR      what was found (build/finds)
#= triage   --build DIR      where the targets are built (build/fuzz)
#= triage   --seconds S      how long to make one small (60)
do_triage() {
  local target key kept all=0
  option_seconds=${option_seconds:-60}
  open_work
  mkdir -p "$option_finds/triaged"
  [ -x "$option_build/bin/trim-input" ] ||
    fail "$option_build/bin/trim-input is not built: fuzz/fuzz build"
  for target in "${targets[@]}"; do
    sort_finds "$target"
    look_up "$target"
    triage_program=$(binary_of "$option_build" replay "$target")
    for key in "$work/kinds"/*; do
      [ -d "$key" ] || continue
      if grep -q '^it does not happen again' "$key/words"; then
        cp "$key/input" "$key/small"
      else
        shrink_kind "$key"
        replay_says "$triage_program" "$key/small" "$key/said" >"$key/words"
      fi
      touch "$key/said"
      kept=$option_finds/triaged/$target-${key##*/}
      rm -f "$kept".*
      kept=$kept.$(suffix_of "$kind" "$key/small")
      cp "$key/small" "$kept"
      issue_text "$key" "$target" "$kept" >"${kept%.*}.md"
      printf '%s: %s\n  %d times; %d bytes: %s\n  %s\n' "$target" "$(cat "$key/words")" \
        "$(wc -l <"$key/times")" "$(wc -c <"$kept")" "$kept" "${kept%.*}.md"
      all=$((all + 1))
    done
  done
  echo "$all kinds of findings"
  [ $all = 0 ]
}
