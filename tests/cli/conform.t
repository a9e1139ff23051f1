An implementation held to the rules.

  $ poolproof conform --impl 'poolproof serve' --runs 500 --seed 1 --quiet | sed 's/ in [0-9.]* s//'
  CONFORMS, exact: poolproof ref 0.1.0: 403 of 403 vectors, 500 random questions
  
    command   poolproof serve
    seed      1
  
                           asked      agreed
    segments vectors          61          61
    segments random           61          61
    arena    vectors         105         105
    arena    random          175         175
    validate vectors          98          98
    validate random           78          78
    spans    vectors          41          41
    spans    random           59          59
    score    vectors          50          50
    score    random           73          73
    release  vectors          48          48
    release  random           54          54
  $ poolproof conform --impl 'poolproof serve --planner fast' --fuzz 0 --quiet | head -1
  CONFORMS, exact: poolproof fast 0.1.0: 314 of 314 vectors (89 not asked)

One that reads half-open spans, that dies, and that is none.

  $ cat > planner <<'EOF'
  > #!/bin/sh
  > read -r hello
  > echo '{"id":1,"result":{"protocol":1,"name":"mine","version":"1","capabilities":["arena"]}}'
  > while read -r request; do
  >   id=${request#*:}; id=${id%%,*}
  >   case $request in
  >   *bye*) echo "{\"id\":$id,\"result\":{}}"; exit;;
  >   *) echo "{\"id\":$id,\"result\":{\"offset\":[0,0],\"total\":1}}";;
  >   esac
  > done
  > EOF
  $ chmod +x planner
  $ printf '%s\n' '{"poolproof":"problem/1","kind":"arena","spans":"closed","items":[' \
  >   '{"id":"a","size":1,"align":1,"class":"x","span":[0,1]},' \
  >   '{"id":"b","size":1,"align":1,"class":"x","span":[1,3]}]}' > p.json
  $ poolproof shrink p.json --impl ./planner -o small.json
  poolproof: arena-*: invalid: item 1 (size 1, align 1, *): offset 0, the rules give 1 (ARN-3); * share bytes [0, 1) * (ARN-1, VAL-1) (glob)
  [1]
  $ cat small.json
  {"verb":"arena","cap":2,"items":[{"size":1,"align":1,"class":0,"span":[0,0]},{"size":1,"align":1,"class":0,"span":[0,0]}]}
  $ poolproof shrink small.json --impl 'poolproof serve'
  agrees with the rules: nothing to make small
  $ poolproof conform --impl ./nothing --quiet | tail -2
  process: the command could not be started (status 127); on standard error: * (glob)
      rule PROTOCOL, not_started
  $ poolproof conform --impl 'echo hello' --quiet --fuzz 0 | head -1
  NOT TESTED, too little was answered: echo hello, 1 finding
  $ poolproof conform --impl 'sleep 60' --start 1 --quiet --json - | grep -o '"misdeed": *"[a-z_]*"'
  "misdeed":"hangs_at_start"

Usage.

  $ poolproof conform
  poolproof conform: --impl or --plugin is wanted
  Try `poolproof conform --help' or `poolproof conform --usage' for more
  information.
  [2]
  $ poolproof conform --impl x --mode best 2>&1 | head -1
  poolproof conform: --mode: "best" is none of exact, valid, total
  $ poolproof conform --impl 'poolproof serve' --vectors nowhere
  poolproof: nowhere: cannot be read: No such file or directory
  [2]
  $ echo '{"poolproof":"waivers/1","waivers":[{"id":"arena-1","issue":"x"}]}' > w.json
  $ poolproof conform --impl 'poolproof serve' --waive w.json
  poolproof: w.json: * (glob)
  [2]
  $ poolproof vectors show nothing-0
  poolproof: * (glob)
  [2]
