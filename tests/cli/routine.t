A step of a small network: two layers, a loss, one gradient that is zeroed
first, and a weight that moves.

  $ cat > net.ppr <<'END'
  > routine net
  > node 1 x f32 [4, 8] host
  > node 2 w f32 [8, 8] observable host
  > node 3 b f32 [8] constant data fill 0.5
  > node 4 slope f32 [8, 8]
  > node 5 h f32 [4, 8]
  > node 6 a f32 [4, 8]
  > node 7 y f32 [4, 8]
  > node 8 loss f32 [] observable
  > for i<8, j<8: slope[i, j] = 0
  > for i<4, j<8: h[i, j] = 0
  > for i<4, j<8, k<8: h[i, j] += x[i, k] * w[k, j] * 0.125
  > for i<4, j<8: a[i, j] = max(h[i, j] + b[j], 0)
  > for i<4, j<8: y[i, j] = a[i, j] - x[i, j]
  > loss = 0
  > for i<4, j<8: loss += y[i, j] * y[i, j]
  > for i<8, j<8, k<4: slope[i, j] += x[k, i] * y[k, j]
  > for i<8, j<8: w[i, j] = w[i, j] - 0.015625 * slope[i, j]
  > end
  > END

Values of all plans on all backends, bit for bit:

  $ poolproof run net.ppr --steps 3
  net.ppr: routine net, 8 nodes, 9 statements, 3 steps
    drawn: x w (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    cc           default                           804                  772  fine     agree
    cc           no reuse                          932                  900  fine     agree
    cc           all inline                        676                  644  fine     agree
    cc           all materialised                  804                  772  fine     agree
    multidev_cc  default                           804                  772  fine     agree
    multidev_cc  no reuse                          932                  900  fine     agree
    multidev_cc  all inline                        676                  644  fine     agree
    multidev_cc  all materialised                  804                  772  fine     agree
    opencl       not available here
    cuda         not available here
    w ends as: 3.58506322 -3.91060257 3.98456001 0.514715433 ...
    loss after each step: 215.875916 192.560684 168.683701
  agreed: 4656 values compared on cc, multidev_cc; not available here: opencl, cuda
  $ poolproof run net.ppr --backend cc --budget minimize --seed 2
  net.ppr: routine net, 8 nodes, 9 statements, 1 step
    drawn: x w (seed 2)
    baseline                              804 B         804 B
    final                                 548 B         548 B  within the budget
    backend      plan                     pools, bytes        of it working  owners   values
    cc           fitted                            548                  516  fine     agree
    cc           no reuse                          932                  900  fine     agree
    cc           all inline                        676                  644  fine     agree
    cc           all materialised                  804                  772  fine     agree
    w ends as: 3.95082021 -0.395842433 -3.16472054 1.64807701 ...
    loss after each step: 237.131027
  agreed: 776 values compared on cc
  $ poolproof run --backend sync_cc --no-reuse - < net.ppr | grep -c ' cc '
  3

What is merged comes from another context:

  $ cp "$TESTDIR/../../corpus/routines/merge.ppr" .
  $ poolproof run merge.ppr --backend multidev_cc
  merge.ppr: routine merge, 2 nodes, 2 statements, 1 step
    drawn: theirs (seed 1)
    backend      plan                     pools, bytes        of it working  owners   values
    multidev_cc  default                            24                   24  fine     agree
    multidev_cc  no reuse                           24                   24  fine     agree
    multidev_cc  all inline                         24                   24  fine     agree
    multidev_cc  all materialised                   24                   24  fine     agree
    gradient ends as: 1.875 1.95000005 0.550000012 -0.25 ...
  agreed: 48 values compared on multidev_cc
  $ printf 'routine r\nnode 1 a f32 [2] merge\nnode 2 b f32 [2] merge\nnode 3 c f32 [2] observable\nfor i<2: c[i] = a[i] + b[i]\nend\n' > two.ppr
  $ poolproof run two.ppr
  poolproof: two.ppr: the merge buffer does not hold a (uid 1) (CTX-1)
  [2]

All of the corpus agrees:

  $ for f in "$TESTDIR"/../../corpus/routines/*.ppr; do
  >   case $f in *mlp-training*) continue ;; esac
  >   poolproof run "$f" --steps 2 --budget minimize > out || { echo "$f"; cat out; }
  >   grep -q '^agreed: [1-9]' out || echo "$f compared nothing"
  > done

Bytes: sinking and reuse shrink them; one arena, or segments where it does not
fit:

  $ poolproof score net.ppr
  net.ppr: routine net
    nodes                                   7
    with a span                             3
    working                               772 B         772 B  one arena, 0.8578 x dedicated
    dedicated                             900 B         900 B
    constants                              32 B          32 B
    total                                 804 B         804 B
  $ poolproof score net.ppr --json
  {"poolproof":"footprint/1","routine":"net","working":772,"constants":32,"total":804,"dedicated":900,"arena":true,"planned":3,"nodes":7}
  $ for o in --no-reuse --no-sinking '--policy inline' '--policy materialise' '--align 1024' '--cap 512' '--kernels 64'; do
  >   echo $o $(poolproof score net.ppr $o | grep total)
  > done
  --no-reuse total 932 B 932 B
  --no-sinking total 932 B 932 B
  --policy inline total 676 B 676 B
  --policy materialise total 804 B 804 B
  --align 1024 total 4,132 B 4.04 KiB
  --cap 512 total 932 B 932 B
  --kernels 64 total 804 B 804 B
  $ poolproof score net.ppr --cap 100
  poolproof: net.ppr: node x (uid 1) has 128 bytes, a pool holds 100 at most (SEG-5)
  [1]
  $ cp "$TESTDIR/../../corpus/routines/mlp-training.ppr" .
  $ for o in --no-reuse --no-sinking ''; do
  >   echo $o $(poolproof score mlp-training.ppr $o | grep total)
  > done
  --no-reuse total 1,524,416 B 1.45 MiB
  --no-sinking total 1,524,356 B 1.45 MiB
  total 1,260,804 B 1.20 MiB

A budget, step by step:

  $ poolproof fit net.ppr --budget 700
  net.ppr: routine net, budget 700
    rank node                    uid         cost      solo relief  marginal relief outcome         total after
       1 slope                     4            8              128              128 taken                   676
       2 h                         5           16                0                0 untried                 676
       3 y                         7           27                0                0 untried                 676
    baseline                              804 B         804 B
    final                                 676 B         676 B  within the budget
    scores                                  5
  $ poolproof fit net.ppr --budget 1
  net.ppr: routine net, budget 1
    rank node                    uid         cost      solo relief  marginal relief outcome         total after
       1 slope                     4            8              128              128 taken                   676
       2 h                         5           16                0                0 held                    676
       3 y                         7           27                0              128 taken                   548
    baseline                              804 B         804 B
    final                                 548 B         548 B  NOT within the budget
    scores                                  7
  [1]
  $ poolproof fit net.ppr --budget 0
  net.ppr: routine net, budget 0
    the budget is off: nothing is tried
    baseline                              804 B         804 B
    final                                 804 B         804 B  within the budget
    scores                                  1
  $ poolproof fit merge.ppr --budget minimise
  merge.ppr: routine merge, budget minimise
    no candidates
    baseline                               24 B          24 B
    final                                  24 B          24 B  within the budget
    scores                                  1

Placements and flips:

  $ poolproof surface net.ppr
  net.ppr: routine net
                     uid node                 placement    reason
                       1 x                    materialised it has an intent
                       2 w                    materialised it has an intent
                       3 b                    materialised it has an intent
                       4 slope                materialised by policy
                       5 h                    materialised by policy
                       6 a                    virtual      by policy
                       7 y                    materialised by policy
                       8 loss                 materialised it has an intent
  
  flips:
                       7 y                    inline       cost 27
                       5 h                    inline       cost 16
                       4 slope                inline       cost 8
                       6 a                    materialise  cost 2
  $ poolproof surface net.ppr --policy inline | sed -n '/flips/,$p'
  flips:
                       7 y                    materialise  cost 162
                       6 a                    materialise  cost 17
                       5 h                    materialise  cost 16
  $ poolproof surface net.ppr --json
  {"poolproof":"surface/1","routine":"net","nodes":[
  {"uid":1,"label":"x","placement":"materialised","reason":"it has an intent"}
  ,{"uid":2,"label":"w","placement":"materialised","reason":"it has an intent"}
  ,{"uid":3,"label":"b","placement":"materialised","reason":"it has an intent"}
  ,{"uid":4,"label":"slope","placement":"materialised","reason":"by policy"}
  ,{"uid":5,"label":"h","placement":"materialised","reason":"by policy"}
  ,{"uid":6,"label":"a","placement":"virtual","reason":"by policy"}
  ,{"uid":7,"label":"y","placement":"materialised","reason":"by policy"}
  ,{"uid":8,"label":"loss","placement":"materialised","reason":"it has an intent"}
  ],"flips":[
  {"uid":7,"label":"y","to":"inline","cost":27}
  ,{"uid":5,"label":"h","to":"inline","cost":16}
  ,{"uid":4,"label":"slope","to":"inline","cost":8}
  ,{"uid":6,"label":"a","to":"materialise","cost":2}
  ]}

Stages; the final code is a routine again, and lowers to itself:

  $ poolproof lower net.ppr --policy inline
  # source
  routine net
  node 1 x f32 [4, 8] host
  node 2 w f32 [8, 8] observable host
  node 3 b f32 [8] constant data fill 0.5
  node 4 slope f32 [8, 8]
  node 5 h f32 [4, 8]
  node 6 a f32 [4, 8]
  node 7 y f32 [4, 8]
  node 8 loss f32 [] observable
  for i<8, j<8: slope[i, j] = 0
  for i<4, j<8: h[i, j] = 0
  for i<4, j<8, k<8: h[i, j] += x[i, k] * w[k, j] * 0.125
  for i<4, j<8: a[i, j] = max(h[i, j] + b[j], 0)
  for i<4, j<8: y[i, j] = a[i, j] - x[i, j]
  loss[] = 0
  for i<4, j<8: loss[] += y[i, j] * y[i, j]
  for i<8, j<8, k<4: slope[i, j] += x[k, i] * y[k, j]
  for i<8, j<8: w[i, j] = w[i, j] - 0.015625 * slope[i, j]
  end
  # zeroings sunk (RTN-2)
  routine net
  node 1 x f32 [4, 8] host
  node 2 w f32 [8, 8] observable host
  node 3 b f32 [8] constant data fill 0.5
  node 4 slope f32 [8, 8]
  node 5 h f32 [4, 8]
  node 6 a f32 [4, 8]
  node 7 y f32 [4, 8]
  node 8 loss f32 [] observable
  for i<4, j<8: h[i, j] = 0
  for i<4, j<8, k<8: h[i, j] += x[i, k] * w[k, j] * 0.125
  for i<4, j<8: a[i, j] = max(h[i, j] + b[j], 0)
  for i<4, j<8: y[i, j] = a[i, j] - x[i, j]
  loss[] = 0
  for i<4, j<8: loss[] += y[i, j] * y[i, j]
  for i<8, j<8: slope[i, j] = 0
  for i<8, j<8, k<4: slope[i, j] += x[k, i] * y[k, j]
  for i<8, j<8: w[i, j] = w[i, j] - 0.015625 * slope[i, j]
  end
  # virtual nodes inlined (RTN-3)
  routine net
  node 1 x f32 [4, 8] host
  node 2 w f32 [8, 8] observable host
  node 3 b f32 [8] constant data fill 0.5
  node 4 slope f32 [8, 8]
  node 8 loss f32 [] observable
  loss[] = 0
  for i<4, j<8: loss[] += keep(0, max(sum(0 for k<8: x[i, k] * w[k, j] * 0.125) + b[j], 0) - x[i, j]) * again(0)
  for i<8, j<8: slope[i, j] = 0
  for i<8, j<8, k<4: slope[i, j] += x[k, i] * (max(sum(0 for l<8: x[k, l] * w[l, j] * 0.125) + b[j], 0) - x[k, j])
  for i<8, j<8: w[i, j] = w[i, j] - 0.015625 * slope[i, j]
  end
  # kernels and spans: final code (RTN-5, RTN-6)
  routine net
  node 1 x f32 [4, 8] host
  node 2 w f32 [8, 8] observable host
  node 3 b f32 [8] constant data fill 0.5
  node 4 slope f32 [8, 8] span 2 4
  node 8 loss f32 [] observable
  loss[] = 0
  for i<4, j<8: loss[] += keep(0, max(sum(0 for k<8: x[i, k] * w[k, j] * 0.125) + b[j], 0) - x[i, j]) * again(0)
  for i<8, j<8: slope[i, j] = 0
  for i<8, j<8, k<4: slope[i, j] += x[k, i] * (max(sum(0 for l<8: x[k, l] * w[l, j] * 0.125) + b[j], 0) - x[k, j])
  for i<8, j<8: w[i, j] = w[i, j] - 0.015625 * slope[i, j]
  end
  $ poolproof lower net.ppr -o final.ppr
  $ poolproof lower mlp-training.ppr --kernels 9 -o - | grep also
  also for i<32, j<256: z2[i, j] = 0
  also for i<32, j<256: z3[i, j] = 0
  also for i<32, j<1: dh4[i, j] += error[i, j] * 0.0625
  also for i<32, j<256: dh3[i, j] += select(lt(0, z3[i, j] * 0.03125 + b3[j]), 0 + dh4[i, 0] * w4[j, 0] * 0.03125, 0)
  also for i<32, j<256: dh2[i, j] += select(lt(0, z2[i, j] * 0.03125 + b2[j]), da2[i, j], 0)
  also for i<32, j<256: dh1[i, j] += select(lt(0, z1[i, j] * 0.0625 + b1[j]), da1[i, j], 0)
  $ poolproof lower final.ppr -o - | cmp - final.ppr
  $ poolproof run final.ppr --backend cc | tail -1
  agreed: 776 values compared on cc

The picture: the arena beside no reuse, over the statements:

  $ poolproof view net.ppr -o net.svg && poolproof view net.ppr -o net.html
  $ grep -o 'class="h"[^<]*' net.svg | sed 's/.*>//'
  arena: routine net, final code of net.ppr
  no-reuse: routine net, final code of net.ppr
  $ grep -A9 '<path.*<title>y' net.svg | sed -n '1,/title>./p' | sed 's/.*<title>//;s/<.*//' | head -9
  y
  size 128 B
  offset 640 B
  end 768 B
  align 64
  class f32, positions [2, 6]
  2: for i&lt;4, j&lt;8: y[i, j] = max(h[i, j] + b[j], 0) - x[i, j]
  6: for i&lt;8, j&lt;8, k&lt;4: slope[i, j] += x[k, i] * y[k, j]
  $ grep -A3 '<h2>Positions' net.html
  <section><h2>Positions</h2>
  <ol start="0">
  <li><code>for i&lt;4, j&lt;8: h[i, j] = 0</code></li>
  <li><code>for i&lt;4, j&lt;8, k&lt;8: h[i, j] += x[i, k] * w[k, j] * 0.125</code></li>
  $ poolproof view net.ppr --kind segments -o one.svg && grep -c 'class="h"' one.svg
  1

What is wrong is said with its place:

  $ sed 's/x\[k, i\]/x[i, k]/' net.ppr > bad.ppr
  $ for c in run score 'fit --budget 1' surface lower 'view -o bad.svg'; do poolproof $c bad.ppr; echo $?; done
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  poolproof: bad.ppr: line 17, column 1: statement 7: index 0 of node x goes from 0 to 7, its dimension is 4
  2
  $ poolproof run - < /dev/null
  poolproof: standard input: line 1, column 1: 'routine' and a name are missing
  [2]
  $ poolproof lower net.ppr -o no/such/place.ppr
  poolproof: no/such/place.ppr: cannot be written: No such file or directory
  [2]
  $ poolproof score nothing.ppr
  poolproof: nothing.ppr: cannot be read: No such file or directory
  [2]
  $ poolproof run net.ppr --budget 1K --no-reuse 2>&1 | head -1
  poolproof run: --budget needs reuse: without it nothing shares bytes (FPT-4)
  $ poolproof lower net.ppr > /dev/full
  poolproof: standard output cannot be written: No space left on device
  [3]
  $ poolproof fit net.ppr 2>&1 | head -1
  poolproof fit: --budget is wanted
  $ poolproof fit net.ppr --budget -1 2>&1 | head -1
  poolproof fit: --budget: "-1" is no budget; bytes such as 1048576 or 64M (K, M and G are capitals), minimize, or 0 for none are wanted (FPT-5)
  $ poolproof score net.ppr --policy none 2>&1 | head -1
  poolproof score: --policy: "none" is none of cost, inline, materialise
  $ poolproof score net.ppr --kernels 0 2>&1 | head -1
  poolproof score: --kernels: "0" is out of range; 1 to 1048576 is wanted
  $ poolproof score net.ppr --cap 0 2>&1 | head -1
  poolproof score: --cap: 0 bytes hold nothing
  $ poolproof run net.ppr net.ppr 2>&1 | head -1
  poolproof run: one FILE is wanted
  $ poolproof run net.ppr --backend cc,metal 2>&1 | head -1
  poolproof run: --backend: "metal" is no backend; there are cc, multidev_cc, opencl, cuda (BKD-2)
  $ poolproof run net.ppr --backend , 2>&1 | head -1
  poolproof run: --backend: a name or "all" is wanted
  $ poolproof run net.ppr --steps 0 2>&1 | head -1
  poolproof run: --steps: "0" is out of range; 1 to 1000000 is wanted
  $ ls
  bad.ppr
  final.ppr
  merge.ppr
  mlp-training.ppr
  net.html
  net.ppr
  net.svg
  one.svg
  out
  two.ppr
