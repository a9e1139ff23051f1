# The table of targets, options, words. Sourced by fuzz/fuzz.
# shellcheck shell=bash disable=SC2154,SC2034

fail() { echo "fuzz: $1" >&2; exit 2; }

# -- targets -------------------------------------------------------------------

table() { grep -E '^[a-z]' "$root/fuzz/targets"; }

# Sets name, kind, folders, longest and what of a target.
look_up() {
  local row
  row=$(table | awk -v name="$1" '$1 == name { print; found = 1 } END { exit !found }') ||
    fail "there is no target \"$1\"; fuzz/fuzz list shows them"
  read -r name kind folders longest what <<<"$row"
}

# -- options -------------------------------------------------------------------

# Which options a command takes, and their values when they are not given.
options_of() {
  case $1 in
  list) echo "corpus" ;;
  build) echo "engine" ;;
  run) echo "seconds jobs engine build afl corpus finds json seed sync" ;;
  replay) echo "build corpus input" ;;
  minimise) echo "build afl corpus engine" ;;
  triage) echo "build finds seconds" ;;
  zip) echo "output" ;;
  floors) echo "seconds build seed floors no-twins" ;;
  esac
}

whole() {
  [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] ||
    fail "--$1: \"$2\" is not a whole number from 1 to 999999999"
}

# Fills the array targets and the variables option_NAME.
read_options() {
  local known word key value
  known=" $(options_of "$1") "
  shift
  targets=() given=()
  option_seconds='' option_jobs=1 option_engine=libfuzzer
  option_build=$root/build/fuzz option_afl=$root/build/afl
  option_corpus=$root/build/corpus option_finds=$root/build/finds option_json='' option_seed='' option_sync=''
  option_output='' option_floors=$root/fuzz/floors option_twins=1 option_input=()
  while [ $# -gt 0 ]; do
    word=$1
    shift
    case $word in
    -o) word=--output ;;
    --*=*) set -- "${word#*=}" "$@" && word=${word%%=*} ;;
    esac
    if [[ $word != -* ]]; then
      look_up "$word"
      targets+=("$word")
      continue
    fi
    key=${word#--}
    [[ $known == *" $key "* ]] ||
      fail "$command takes no option \"$word\"; fuzz/fuzz $command --help"
    case $key in
    no-twins) option_twins=0 && given+=("$word") && continue ;;
    esac
    [ $# -gt 0 ] || fail "$word wants a value"
    value=$1
    shift
    [ "$key" = seed ] || given+=("--$key" "$value")
    case $key in
    seconds | jobs | seed) whole "$key" "$value" ;;
    engine) [[ $value =~ ^(libfuzzer|afl)$ ]] ||
      fail "--engine: \"$value\" is neither libfuzzer nor afl" ;;
    input) option_input+=("$value") && continue ;;
    esac
    printf -v "option_$key" %s "$value"
  done
  [ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(table | cut -d ' ' -f 1)
}

# The command that does a target's run again: target, seed.
again() {
  printf 'fuzz/fuzz %s %s' "$command" "$1"
  [ ${#given[@]} = 0 ] || printf ' %q' "${given[@]}"
  printf ' --seed %s' "$2"
}

# -- this and that -------------------------------------------------------------

# A folder of our own, gone at the end; what runs in the background ends too.
open_work() {
  work=$(mktemp -d)
  trap 'close_work' EXIT
}

close_work() {
  local child
  for child in $(jobs -p); do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}

# The program of a target; engine's folder, then a prefix.
binary_of() {
  local path=$1/bin/$2-$3
  [ -x "$path" ] || fail "$path is not built: fuzz/fuzz build $3"
  printf '%s\n' "$path"
}

# Are all of these built? Folder, then prefixes; for every target.
need_built() {
  local folder=$1 target prefix
  shift
  for target in "${targets[@]}"; do
    for prefix in "$@"; do binary_of "$folder" "$prefix" "$target" >/dev/null; done
  done
}

new_seed() { echo $((RANDOM * 32768 + RANDOM + 1)); }

# What the sanitizers are told always. Libraries that are opened at run time
# crash the one that guesses at threads' memory.
export pp_asan=allocator_may_return_null=1:intercept_tls_get_addr=0
export pp_lsan=suppressions=$root/tests/lsan.supp:print_suppressions=0

# Unless the caller has told them.
sanitizers() {
  export ASAN_OPTIONS=${ASAN_OPTIONS:-$pp_asan}
  export LSAN_OPTIONS=${LSAN_OPTIONS:-$pp_lsan}
}

# Is the first decimal number below the second?
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'; }

# a / b times c, with so many digits; b 0: 0.
ratio() {
  awk -v a="$1" -v b="$2" -v c="$3" -v d="$4" \
    'BEGIN { printf "%." d "f\n", (b > 0 ? a / b * c : 0) }'
}

sum_of() { awk '{ s += $'"$1"' } END { printf "%d\n", s }'; }
