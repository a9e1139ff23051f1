  $ cat > p.csv <<'EOF'
  > id,lower,upper,size,alignment,class
  > a,0,2,8,4,x
  > b,1,3,4,4,x
  > c,5,6,8,4,y
  > d,,,4,4,x
  > EOF
  $ check() { printf "id,offset$1" | poolproof check p.csv - ${2-}; }

The specified plan, a valid one, and a demand:

  $ poolproof plan p.csv -o - | poolproof check p.csv -
  VALID, and EXACT: the specified plan
    total                                  24 B in 1 segment
    specified                              24 B  total is 1.0000 x
    no reuse                               24 B  total is 1.0000 x
    lower bound                            24 B  total is 1.0000 x
  $ check '\na,0\nb,24\nc,8\nd,16\n'
  VALID, not the specified plan
    total                                  28 B in 1 segment
    specified                              24 B  total is 1.1667 x
    no reuse                               24 B  total is 1.1667 x
    lower bound                            24 B  total is 1.1667 x
  $ check '\na,0\nb,24\nc,8\nd,16\n' --exact
  VALID, not the specified plan
    total                                  28 B in 1 segment
    specified                              24 B  total is 1.1667 x
    no reuse                               24 B  total is 1.1667 x
    lower bound                            24 B  total is 1.1667 x
  [1]

Violations name both items, their spans and classes, and the bytes:

  $ check '\na,0\nb,4\nc,8\nd,16\n'
  VIOLATION: items "a" (span [0, 1], class x, offset 0, size 8) and "b" (span [1, 2], class x, offset 4, size 4) share bytes [4, 8) while both live (ARN-1, VAL-1)
  [1]
  $ check '\na,0\nb,8\nc,4\nd,16\n'
  VIOLATION: items "a" (span [0, 1], class x, offset 0, size 8) and "c" (span [5, 5], class y, offset 4, size 8) share bytes [4, 8) though their classes differ (ARN-1, VAL-1)
  [1]
  $ check '\na,0\nb,8\nc,12\nd,12\n'
  VIOLATION: items "c" (span [5, 5], class y, offset 12, size 8) and "d" (always live, class x, offset 12, size 4) share bytes [12, 16) though one is always live (ARN-1, VAL-1)
  [1]
  $ check '\na,0\nb,2\nc,8\nd,16\n'
  VIOLATION: item "b" (span [1, 2], class x, offset 2, size 4): the offset is no multiple of alignment 4 (SEG-1, VAL-1)
  [1]
  $ check '\na,0\nb,8\nc,12\n'
  VIOLATION: item "d" has no place in the layout (VAL-1)
  [1]
  $ check '\na,0\nb,8\nc,12\nd,18446744073709551612\n'
  VIOLATION: item "d" (always live, class x, offset 18446744073709551612, size 4) ends past the 18446744073709551615 bytes of segment 0 (VAL-1)
  [1]
  $ check '\na,0\nb,8\nc,12\nd,20\n' --cap=23
  VIOLATION: segment 0 of 24 bytes is over the cap (SEG-3, ARN-4)
  [1]
  $ check '\na,0\nb,8\nc,12\nd,20\n' --cap=24 | head -1
  VALID, not the specified plan
  $ check '\na,0\nb,4\nc,8\nd,16\n' --checker=fast
  VIOLATION: items "a" (span [0, 1], class x, offset 0, size 8) and "b" (span [1, 2], class x, offset 4, size 4) share bytes [4, 8) while both live (ARN-1, VAL-1)
  [1]

Claims are not trusted:

  $ layout() { printf '{"poolproof":"layout/1",%s}' "$1" | poolproof check p.csv -; }
  $ items='"items":[{"id":"a","offset":0},{"id":"b","offset":8},{"id":"c","offset":12},{"id":"d","offset":20}]'
  $ layout "\"status\":\"ok\",\"segments\":[25],$items"
  VIOLATION: segment 0 claims 25 bytes, its items end at 24 (SEG-4, ARN-4, VAL-1)
  [1]
  $ layout "\"status\":\"ok\",\"segments\":[23],$items"
  VIOLATION: item "d" (always live, class x, offset 20, size 4) ends past the 23 bytes of segment 0 (VAL-1)
  [1]
  $ layout "\"status\":\"ok\",\"segments\":[24],\"total\":23,$items"
  VIOLATION: the layout claims a total of 23 bytes, its segments sum to 24 (VAL-1)
  [1]
  $ layout "\"status\":\"ok\",\"segments\":[24],\"total\":24,$items" | head -1
  VALID, not the specified plan
  $ layout '"status":"over_cap"'
  VIOLATION: the layout answers over_cap, the rules answer ok (ARN-4, SEG-5)
  [1]
  $ printf '{"poolproof":"layout/1","status":"over_cap"}' | poolproof check --cap 23 p.csv -
  EXACT: the rules answer over_cap too

Several segments:

  $ printf 'id,segment,offset\na,0,0\nb,1,0\nc,1,4\nd,2,0\n' | poolproof check p.csv -
  VALID, not the specified plan
    total                                  24 B in 3 segments
    specified                              24 B  total is 1.0000 x
    no reuse                               24 B  total is 1.0000 x
    lower bound                            24 B  total is 1.0000 x
  $ printf 'id,segment,offset\na,0,0\nb,1,0\nc,1,4\nd,9,0\n' | poolproof check p.csv -
  VIOLATION: item "d" (always live, class x, offset 0, size 4): segment 9 of 2 does not exist (VAL-1)
  [1]

  $ layout '"status":"ok","segments":[12,12],"items":[{"id":"a","offset":0},{"id":"b","offset":8},{"id":"c","segment":1,"offset":0},{"id":"d","segment":1,"offset":8}]' | head -1
  VALID, not the specified plan
  $ layout '"status":"ok","segments":[24,0],"items":[{"id":"a","offset":0},{"id":"b","offset":20},{"id":"c","offset":8},{"id":"d","offset":16}]' | head -1
  VALID, not the specified plan

A layout is held to the plan that it says it is:

  $ for kind in arena segments no-reuse; do for cap in 24 23 7; do
  >   poolproof plan --json --kind $kind --cap $cap p.csv 2> /dev/null > l.json
  >   echo "$kind $cap: $(poolproof check --exact --cap $cap p.csv l.json | head -1)"
  > done; done
  arena 24: VALID, and EXACT: the specified plan
  arena 23: EXACT: the rules answer over_cap too
  arena 7: EXACT: the rules answer over_cap too
  segments 24: VALID, and EXACT: the specified plan
  segments 23: VALID, and EXACT: the specified plan
  segments 7: EXACT: the rules answer item_over_cap too
  no-reuse 24: VALID, and EXACT: the specified plan
  no-reuse 23: EXACT: the rules answer over_cap too
  no-reuse 7: EXACT: the rules answer over_cap too

Layouts that are no layouts of this problem:

  $ check '\na,0\na,1\nb,8\n'
  poolproof: standard input: line 3: item "a" is placed twice
  [2]
  $ check '\na,0\nzz,1\n'
  poolproof: standard input: line 3: the problem has no item "zz"
  [2]
