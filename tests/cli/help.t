  $ poolproof
  usage: poolproof COMMAND [ARGUMENT...]
  
    plan         FILE [-o LAYOUT]         lay a problem out as the rules demand
    check        FILE LAYOUT              is somebody's layout valid? is it the specified one?
    compare      FILE...                  all planners side by side
    view         FILE [LAYOUT...] -o OUT  draw layouts as HTML or SVG
    conform      --impl COMMAND           hold any implementation to the rules
    shrink       FILE --impl COMMAND      make what it answers wrongly small
    serve        [--planner ref|fast]     answer as an implementation does
    vectors      list|show|add|lint       questions with the answers that the rules give
    convert      FILE --from FORMAT       problems and plans from and to other formats
    run          FILE.ppr                 a routine on backends and interpreter, several plans
    score        FILE.ppr                 the bytes that a routine needs
    fit          FILE.ppr --budget BYTES  make a routine fit a budget, step by step
    surface      FILE.ppr                 which nodes get bytes, why, and what could flip
    lower        FILE.ppr [-o FINAL.ppr]  a routine's code after each stage of lowering
    fuzz         [--seconds N|--runs N]   planners against each other, random problems
    exhaust      [--items N]              planners against brute force, all small problems
    replay       FILE...                  programs of runtime calls, on runtime and model
    fuzz-runtime [--backend NAME,...]     the runtime against its model, random programs
    fuzz-routine [--seconds N|--runs N]   routines, every way, against what they mean
    backends                              what can run here, and its limits
    doctor       [--require NAME,...]     what each backend needs here, tried out
  
  poolproof --help tells more, poolproof COMMAND --help all.
  [2]
  $ poolproof -h | head -1
  usage: poolproof COMMAND [ARGUMENT...]
  $ poolproof --version
  poolproof 0.1.0
  $ poolproof --help | grep -A5 'exit status'
  exit status:
    0  fine
    1  found: a violation, a disagreement, a problem that does not fit
    2  bad usage or bad input; one sentence on standard error says what
    3  out of memory, a failed write, an internal fault
  
  $ poolproof nonsense 2>&1 | head -1
  poolproof: "nonsense" is no command
  $ poolproof plan
  poolproof plan: a FILE is wanted
  Try `poolproof plan --help' or `poolproof plan --usage' for more information.
  [2]
  $ poolproof plan --kind tree x
  poolproof plan: --kind: "tree" is none of arena, segments, no-reuse
  Try `poolproof plan --help' or `poolproof plan --usage' for more information.
  [2]
  $ poolproof plan --cap -1 x
  poolproof plan: --cap: "-1" is negative; bytes such as 4294967296, 4G or unlimited are wanted
  Try `poolproof plan --help' or `poolproof plan --usage' for more information.
  [2]
  $ poolproof plan --cap 20000000000G x
  poolproof plan: --cap: "20000000000G" is above 2^64 - 1; bytes such as 4294967296, 4G or unlimited are wanted
  Try `poolproof plan --help' or `poolproof plan --usage' for more information.
  [2]
  $ poolproof fuzz --runs 0
  poolproof fuzz: --runs: "0" is out of range; 1 to 18446744073709551615 is wanted
  Try `poolproof fuzz --help' or `poolproof fuzz --usage' for more information.
  [2]
  $ poolproof exhaust --items 9
  poolproof exhaust: --items: "9" is out of range; 1 to 4 is wanted
  Try `poolproof exhaust --help' or `poolproof exhaust --usage' for more
  information.
  [2]
  $ poolproof exhaust please
  poolproof exhaust: "please": no argument is wanted
  Try `poolproof exhaust --help' or `poolproof exhaust --usage' for more
  information.
  [2]
  $ poolproof view x
  poolproof view: -o OUT is wanted
  Try `poolproof view --help' or `poolproof view --usage' for more information.
  [2]
  $ for c in plan check compare view run score fit surface lower fuzz fuzz-routine exhaust replay fuzz-runtime backends doctor; do poolproof $c --help > h || echo $?; test -s h || echo empty; done

The manual names every option that the program has:

  $ for c in plan check compare view run score fit surface lower fuzz fuzz-routine exhaust replay fuzz-runtime backends doctor; do poolproof $c --help; done | grep -oE -e '--[a-z-]+[a-z]' | grep -vE 'help|usage' | sort -u > options
  $ test $(wc -l < options) -gt 10
  $ sed 's/Fl -/--/g; s/ , -/ --/g' "$TESTDIR/../../oracle/poolproof.1" > manual
  $ while read -r o; do grep -qe "$o" manual || echo "not in the manual: $o"; done < options
