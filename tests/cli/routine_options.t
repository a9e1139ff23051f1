What the commands of routines take beside a file, and what they refuse.

  $ cat > r.ppr <<'END'
  > routine r
  > node 1 x f32 [8] host
  > node 2 a f32 [8]
  > node 3 b f32 [8]
  > node 4 c f32 [8]
  > node 5 y f32 [8] observable
  > node 6 k f32 [2] constant
  > node 7 idle f32 [8]
  > for i<8: a[i] = x[i] + k[0]
  > for i<8: b[i] = a[i] * a[i] * a[i] + a[i] * a[i]
  > for i<8: c[i] = b[i] * b[i] * b[i] + b[i] * b[i]
  > for i<8: y[i] = c[i] * c[i] * c[i] + c[i] * c[i]
  > end
  > END
  $ cat > one.ppr <<'END'
  > routine one
  > node 1 y f32 [1] observable
  > for i<1: y[i] = nan
  > end
  > END

A dropped node:

  $ poolproof surface r.ppr --policy materialise | grep idle
                       7 idle                 dropped      nothing accesses it
  $ poolproof surface r.ppr --policy materialise --json | grep idle
  ,{"uid":7,"label":"idle","placement":"dropped","reason":"nothing accesses it"}

Budgets. One that cannot be met says so:

  $ poolproof run r.ppr --backend cc --plan default,inline --budget 1
  r.ppr: routine r, 7 nodes, 4 statements, 1 step
    drawn: x (seed 1)
    baseline                              168 B         168 B
    final                                 168 B         168 B  NOT within the budget
    backend      plan                     pools, bytes        of it working  owners   values
    cc           fitted                            168                  160  fine     agree
    cc           all inline                        168                  160  fine     agree
    y ends as: 0.00944980606 4.96093097e+15 0.000453241635 0.00944980606 ...
  agreed: 64 values compared on cc
  [1]
  $ poolproof run r.ppr --backend cc --plan default --budget 1G
  r.ppr: routine r, 7 nodes, 4 statements, 1 step
    drawn: x (seed 1)
    baseline                              168 B         168 B
    final                                 168 B         168 B  within the budget
    backend      plan                     pools, bytes        of it working  owners   values
    cc           fitted                            168                  160  fine     agree
    y ends as: 0.00944980606 4.96093097e+15 0.000453241635 0.00944980606 ...
  agreed: 32 values compared on cc
  $ poolproof run r.ppr --backend cc --plan default --budget 0
  r.ppr: routine r, 7 nodes, 4 statements, 1 step
    drawn: x (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    cc           default                           168                  160  fine     agree
    y ends as: 0.00944980606 4.96093097e+15 0.000453241635 0.00944980606 ...
  agreed: 32 values compared on cc
  $ poolproof run r.ppr --plan inline,no-reuse --budget 1 2>&1 | head -1
  poolproof run: --budget is for the plan default, which --plan leaves out
  $ poolproof run r.ppr --budget 10k 2>&1 | head -1
  poolproof run: --budget: "10k" is no budget; bytes such as 1048576 or 64M (K, M and G are capitals), minimize, or 0 for none are wanted (FPT-5)
  $ poolproof fit r.ppr --budget 1 --no-reuse 2>&1 | head -1
  poolproof fit: unrecognized option '--no-reuse'

Fitted code, as a file and as JSON:

  $ poolproof fit r.ppr --policy materialise --budget 1 --json -o fitted.ppr
  {"poolproof":"fit/1","routine":"r","budget":"1",
  "baseline":{"working":224,"constants":8,"total":232,"dedicated":288,"arena":true,"planned":3,"nodes":6},
  "final":{"working":160,"constants":8,"total":168,"dedicated":160,"arena":true,"planned":1,"nodes":4},
  "within":false,"scores":8,"flips":[
  {"uid":2,"label":"a","cost":2,"solo":0,"marginal":0,"total":232,"outcome":"joined"}
  ,{"uid":3,"label":"b","cost":1,"solo":0,"marginal":64,"total":168,"outcome":"taken"}
  ,{"uid":4,"label":"c","cost":1,"solo":0,"marginal":0,"total":168,"outcome":"held"}
  ]}
  [1]
  $ poolproof lower r.ppr --policy materialise -o high.ppr
  $ for f in fitted high; do poolproof score $f.ppr --as-is | grep total; done
    total                                 168 B         168 B
    total                                 232 B         232 B
  $ poolproof fit r.ppr --policy materialise --budget minimize -o - | cmp - fitted.ppr
  $ poolproof fit r.ppr --budget minimize --policy materialise -o fitted.ppr | grep final
    final                                 168 B         168 B  within the budget
  $ poolproof fit r.ppr --budget 1 --json -o - 2>&1 | head -1
  poolproof fit: --json and -o -: one thing on standard output
  $ poolproof fit r.ppr --budget 0 --json | sed -n '/final/,$p'
  "final":{"working":160,"constants":8,"total":168,"dedicated":160,"arena":true,"planned":1,"nodes":4},
  "within":true,"scores":1,"flips":[
  ]}

As it is: what the file declares counts, and nothing is lowered:

  $ cat > wide.ppr <<'END'
  > routine wide
  > node 1 x f32 [8] host
  > node 2 a f32 [8] span 0 3
  > node 3 b f32 [8] span 1 3
  > node 4 c f32 [8] span 2 3
  > node 5 y f32 [8] observable
  > for i<8: a[i] = x[i]
  > for i<8: b[i] = a[i]
  > for i<8: c[i] = b[i]
  > for i<8: y[i] = c[i]
  > end
  > END
  $ poolproof score wide.ppr --policy materialise | grep -E 'span|working'
    with a span                             3
    working                               224 B         224 B  one arena, 0.7778 x dedicated
  $ poolproof score wide.ppr --as-is | grep -E 'span|working'
    with a span                             3
    working                               288 B         288 B  one arena, 1.0000 x dedicated
  $ poolproof run wide.ppr --backend cc --as-is
  wide.ppr: routine wide, 5 nodes, 4 statements, 1 step
    drawn: x (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    cc           as it is                          288                  288  fine     agree
    cc           no reuse                          288                  288  fine     agree
    y ends as: -1.25 3.5 -1.125 -1.25 ...
  agreed: 64 values compared on cc
  $ poolproof run wide.ppr --backend cc --as-is --no-reuse | grep cc
    cc           no reuse                          288                  288  fine     agree
  agreed: 32 values compared on cc
  $ poolproof run wide.ppr --backend cc --no-reuse | grep cc
    cc           no reuse                           96                   96  fine     agree
    cc           all inline                         96                   96  fine     agree
    cc           all materialised                  288                  288  fine     agree
  agreed: 96 values compared on cc
  $ poolproof view wide.ppr --as-is -o - | grep -o 'positions \[.*\]'
  positions [0, 3]
  positions [1, 3]
  positions [2, 3]
  positions [0, 3]
  positions [1, 3]
  positions [2, 3]
  $ poolproof view wide.ppr -o - | grep -o 'positions \[.*\]'
  [1]
  $ poolproof score wide.ppr --as-is --kernels 2 2>&1 | head -1
  poolproof score: --as-is: nothing is lowered then, so --policy, --no-sinking and --kernels do not go with it
  $ poolproof view wide.ppr --as-is --budget 1 -o o.svg 2>&1 | head -1
  poolproof view: --as-is: nothing is lowered then, so --budget does not go with it
  $ poolproof run wide.ppr --as-is --budget 1 2>&1 | head -1
  poolproof run: --as-is: nothing is planned then, so --plan and --budget do not go with it
  $ poolproof run wide.ppr --as-is --plan default 2>&1 | head -1
  poolproof run: --as-is: nothing is planned then, so --plan and --budget do not go with it

NaNs, and counts of one:

  $ poolproof run one.ppr --backend cc --plan default
  one.ppr: routine one, 1 node, 1 statement, 1 step
    backend      plan                     pools, bytes        of it working  owners   values
    cc           default                             4                    4  fine     agree
    y after each step: nan
  agreed: 2 values compared, 2 of them NaN, on cc

Before anything runs, what does not fit is refused:

  $ sed 's/\[8\]/[2000000000]/' r.ppr > big.ppr
  $ sed 's/\[8\]/[1000000000]/; s/<8/<1/' r.ppr > all.ppr
  $ poolproof run big.ppr
  poolproof: big.ppr: node x (uid 1) has 8000000000 bytes, a pool holds 4294967296 at most (SEG-5)
  [1]
  $ poolproof run all.ppr --plan default
  poolproof: all.ppr: its values take more than 17179869184 bytes to run 1 step
  [1]
  $ sed 's/\[8\]/[1000000]/; s/<8/<1/' r.ppr > many.ppr
  $ poolproof run many.ppr --plan default --steps 4000
  poolproof: many.ppr: its values take more than 17179869184 bytes to run 4000 steps
  [1]

Pictures:

  $ titles() { grep -o 'class="h"[^<]*' "$1" | sed 's/.*>//'; }
  $ poolproof view r.ppr -o r.svg && titles r.svg
  arena: routine r, final code of r.ppr
  no-reuse: routine r, final code of r.ppr
  $ grep -oE '>(time|final code)[^<]*' r.svg
  >time in positions \xe2\x86\x92 (esc)
  >final code; constants and merge nodes have pools of their own and are left out
  >time in positions \xe2\x86\x92 (esc)
  >final code; constants and merge nodes have pools of their own and are left out
  $ poolproof view r.ppr --policy materialise --cap 64 -o r.svg && titles r.svg
  segments: routine r, final code of r.ppr
  $ grep -oE '>segment [0-9]+' r.svg
  >segment 0
  >segment 1
  >segment 2
  >segment 3
  >segment 4
  $ poolproof score r.ppr --policy materialise --cap 64 | grep working
    working                               160 B         160 B  in segments
  $ poolproof view r.ppr --policy materialise --align 1024 -o r.svg
  $ grep -oE 'e" x="[0-9.]*" y="[0-9.]*">[^<]*' r.svg | sed 's/.*>//' | sort -u
  0 KiB
  1 KiB
  2 KiB
  3 KiB
  4 KiB
  $ grep -c 'align 1024' r.svg
  10
  $ poolproof view r.ppr --policy materialise --kernels 9 -o - | grep -A5 '<h2>Positions'
  <section><h2>Positions</h2>
  <ol start="0">
  <li><code>for i&lt;8: a[i] = x[i] + k[0]</code></li>
  </ol>
  </section>
  <div id="tip"></div>
  $ poolproof view r.ppr --policy materialise --budget minimize -o r.svg && grep -c '<title>a$' r.svg
  0
  [1]
  $ poolproof view r.ppr --budget 1 -o r.svg
  poolproof: r.ppr: NOT within the budget
  [1]
  $ printf 'id,lower,upper,size\na,0,2,8\n' > p.csv
  $ poolproof view p.csv --policy inline -o r.svg 2>&1 | head -1
  poolproof view: --budget, --policy, --no-sinking, --kernels, --as-is and --align are for a routine, FILE.ppr

A routine is no problem, and no program:

  $ (echo '# a comment'; cat r.ppr) > r.txt
  $ for c in plan 'view -o r.svg' compare; do poolproof $c r.txt; done
  poolproof: r.txt: a routine; score, run, view FILE.ppr take those
  poolproof: r.txt: a routine; score, run, view FILE.ppr take those
  poolproof: r.txt: a routine; score, run, view FILE.ppr take those
  [2]
  $ poolproof check r.txt r.ppr
  poolproof: r.txt: a routine; score, run, view FILE.ppr take those
  [2]
  $ poolproof replay r.ppr
  poolproof: r.ppr: no operation to replay; poolproof run FILE.ppr takes a routine
  [2]
  $ poolproof replay - < /dev/null
  poolproof: standard input: no operation to replay
  [2]
  $ printf 'routine,lower,upper,size\n' | poolproof plan - 2>&1 | cut -c 1-60
  poolproof: standard input: line 1: "routine" is no column; a

Nothing that is read is written over:

  $ ln r.ppr same.ppr && ln -s p.csv other.csv && cp r.ppr before
  $ poolproof lower r.ppr -o same.ppr
  poolproof: same.ppr: is read here; -o needs another file
  [2]
  $ poolproof fit r.ppr --budget 1 -o r.ppr
  poolproof: r.ppr: is read here; -o needs another file
  [2]
  $ poolproof view r.ppr -o ./r.ppr
  poolproof: ./r.ppr: is read here; -o needs another file
  [2]
  $ poolproof view p.csv -o other.csv
  poolproof: other.csv: is read here; -o needs another file
  [2]
  $ poolproof plan p.csv -o l.csv > out && poolproof view p.csv l.csv -o l.csv
  poolproof: l.csv: is read here; -o needs another file
  [2]
  $ poolproof lower r.ppr -o ''
  poolproof: -o: the name is empty
  [2]
  $ cmp r.ppr before

Other words:

  $ poolproof run r.ppr --backend cc,multidev_cc,cc 2>&1 | head -1
  poolproof run: --backend: cc twice
  $ poolproof run r.ppr --plan inline,inline 2>&1 | head -1
  poolproof run: --plan: inline twice
  $ for c in 'score --json' 'fit --json --budget 1' 'view -o -' 'lower -o -' 'surface --json' 'run --backend cc'; do poolproof $c r.ppr > /dev/full; done
  poolproof: standard output cannot be written: No space left on device
  poolproof: standard output cannot be written: No space left on device
  poolproof: standard output cannot be written: No space left on device
  poolproof: standard output cannot be written: No space left on device
  poolproof: standard output cannot be written: No space left on device
  poolproof: standard output cannot be written: No space left on device
  [3]
  $ poolproof score r.ppr | grep -c ' $'
  0
  [1]
