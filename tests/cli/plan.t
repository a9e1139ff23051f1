A problem in JSON, the table:

  $ cat > p.json <<'EOF'
  > {"poolproof":"problem/1","kind":"arena","cap":"4294967296","spans":"closed",
  >  "items":[{"id":"h1","size":64,"align":8,"class":"single","span":[0,1]},
  >           {"id":"h2","size":32,"align":8,"class":"single","span":[1,2]},
  >           {"id":"h3","size":64,"align":8,"class":"single","span":[2,3]},
  >           {"id":"w","size":10,"align":4,"class":"byte"}]}
  > EOF
  $ poolproof plan p.json
  p.json: arena by fast
    status         ok
    items                                   4
    total                                 106 B         106 B  1.0000 x the lower bound
    lower bound                           106 B         106 B
    no reuse                              170 B         170 B
    fragmentation                        0.00 %                1 - bound/total
    cap                         4,294,967,296 B      4.00 GiB
    segments       1: 106
  
  always live: 10 B in 1 item
                    size    align  span           class      segment:offset           id
                      10        4  always         byte         0:96                   w
  
  peak of class single at step 1: 96 B in 2 items
                    size    align  span           class      segment:offset           id
                      64        8  [0, 1]         single       0:0                    h1
                      32        8  [1, 2]         single       0:64                   h2

JSON, the same bytes from both planners:

  $ poolproof plan --json p.json
  {"poolproof":"layout/1","status":"ok","kind":"arena","planner":"fast","cap":4294967296,"total":106,"segments":[106],"lower_bound":106,"no_reuse":170,"peaks":[
  {"bytes":10,"items":[{"id":"w","size":10}]},
  {"class":"single","step":1,"bytes":96,"items":[{"id":"h1","size":64},{"id":"h2","size":32}]}],"items":[
  {"id":"h1","segment":0,"offset":0},
  {"id":"h2","segment":0,"offset":64},
  {"id":"h3","segment":0,"offset":0},
  {"id":"w","segment":0,"offset":96}
  ]}
  $ poolproof plan --json --planner ref p.json | sed 's/"ref"/"fast"/' > ref.json
  $ poolproof plan --json p.json | cmp - ref.json

As segments under a small cap, and without reuse:

  $ poolproof plan --json --kind segments --cap 100 p.json
  {"poolproof":"layout/1","status":"ok","kind":"segments","planner":"fast","cap":100,"total":170,"segments":[96,74],"lower_bound":170,"no_reuse":170,"peaks":[],"items":[
  {"id":"h1","segment":0,"offset":0},
  {"id":"h2","segment":0,"offset":64},
  {"id":"h3","segment":1,"offset":0},
  {"id":"w","segment":1,"offset":64}
  ]}
  $ poolproof plan --kind no-reuse p.json | head -4
  p.json: no-reuse by fast
    status         ok
    items                                   4
    total                                 170 B         170 B  1.0000 x the lower bound
  $ poolproof plan --kind segments --all p.json | tail -5
                    size    align  span           class      segment:offset           id
                      64        8  [0, 1]         single       0:0                    h1
                      32        8  [1, 2]         single       0:64                   h2
                      64        8  [2, 3]         single       0:96                   h3
                      10        4  always         byte         0:160                  w

What does not fit:

  $ printf 'id,lower,upper,size\na,0,1,4\n' > small.csv
  $ poolproof plan --cap 3 small.csv -o refused.csv > out; ls refused.csv
  poolproof: small.csv: arena: the plan passes the cap of 3 bytes, first with item 0 "a" of size 4 (ARN-4)
  ls: cannot access 'refused.csv': No such file or directory
  [2]

  $ poolproof plan --cap 105 p.json > out
  poolproof: p.json: arena: the plan passes the cap of 105 bytes, first with item 3 "w" of size 10 (ARN-4)
  [1]
  $ cat out | head -3
  p.json: arena by fast
    status         over_cap
    items                                   4
  $ poolproof plan --json --cap 105 p.json
  {"poolproof":"layout/1","status":"over_cap","kind":"arena","planner":"fast","cap":105,"lower_bound":106,"no_reuse":170,"peaks":[
  {"bytes":10,"items":[{"id":"w","size":10}]},
  {"class":"single","step":1,"bytes":96,"items":[{"id":"h1","size":64},{"id":"h2","size":32}]}]}
  poolproof: p.json: arena: the plan passes the cap of 105 bytes, first with item 3 "w" of size 10 (ARN-4)
  [1]
  $ poolproof plan --json --kind segments --cap 32 p.json
  {"poolproof":"layout/1","status":"item_over_cap","kind":"segments","planner":"fast","cap":32,"index":0,"lower_bound":170,"no_reuse":170,"peaks":[]}
  poolproof: p.json: segments: item 0 "h1": size 64 is over the cap of 32 bytes (SEG-5)
  [1]
  $ poolproof plan --cap 106 p.json > out

CSV in, CSV out, columns as they came:

  $ printf 'size,id,lower,upper\r\n4,a,0,2\r\n3,"b,c",1,3\r\n2,d,,\r\n' > p.csv
  $ poolproof plan p.csv -o -
  size,id,lower,upper,offset
  4,a,0,2,0
  3,"b,c",1,3,4
  2,d,,,7
  $ poolproof plan p.csv -o p.out.csv | head -2
  p.csv: arena by fast
    status         ok
  $ poolproof check p.csv p.out.csv
  VALID, and EXACT: the specified plan
    total                                   9 B in 1 segment
    specified                               9 B  total is 1.0000 x
    no reuse                                9 B  total is 1.0000 x
    lower bound                             9 B  total is 1.0000 x
  $ poolproof plan --cap 5 --kind segments p.csv -o -
  size,id,lower,upper,segment,offset
  4,a,0,2,0,0
  3,"b,c",1,3,1,0
  2,d,,,1,3
  $ cat p.csv | poolproof plan --json - | head -1
  {"poolproof":"layout/1","status":"ok","kind":"arena","planner":"fast","cap":4294967296,"total":9,"segments":[9],"lower_bound":9,"no_reuse":9,"peaks":[

"end" is inclusive, "upper" is not: here they make items meet or not.

  $ printf 'id,lower,end,size\na,0,1,4\nb,1,2,4\n' | poolproof plan - | grep total
    total                                   8 B           8 B  1.0000 x the lower bound
    fragmentation                        0.00 %                1 - bound/total
  $ printf 'id,lower,upper,size\na,0,1,4\nb,1,2,4\n' | poolproof plan - | grep total
    total                                   4 B           4 B  1.0000 x the lower bound
    fragmentation                        0.00 %                1 - bound/total

A span that ends before it begins is refused by the rules; programs get that
as an answer:

  $ printf 'id,lower,end,size\na,0,1,4\nb,3,2,4\n' > bad.csv
  $ poolproof plan --json bad.csv
  {"poolproof":"layout/1","status":"bad_span","kind":"arena","planner":"fast","cap":4294967296,"index":1}
  poolproof: bad.csv: arena: item 1 "b": span [3, 2] begins after its end (ARN, BAD_SPAN)
  [2]
  $ poolproof plan --json --planner ref bad.csv
  {"poolproof":"layout/1","status":"bad_span","kind":"arena","planner":"ref","cap":4294967296,"index":1}
  poolproof: bad.csv: arena: item 1 "b": span [3, 2] begins after its end (ARN, BAD_SPAN)
  [2]
  $ printf 'id,lower,upper,size\na,0,1,4\nb,2,2,4\n' | poolproof plan --json -
  {"poolproof":"layout/1","status":"bad_span","kind":"arena","planner":"input","cap":4294967296,"index":1}
  poolproof: standard input: line 3: item 1 "b": life [2, 2) is empty: upper is exclusive and must be above lower (ARN, BAD_SPAN)
  [2]

Large numbers travel as strings, sums saturate, a file's own cap counts:

  $ printf '{"poolproof":"problem/1","kind":"segments","cap":"18446744073709551615","items":[{"id":"a","size":9007199254740992,"align":1},{"id":"b","size":1,"align":1},{"id":"c","size":"18446744073709551615","align":1}]}' | poolproof plan --json -
  {"poolproof":"layout/1","status":"ok","kind":"segments","planner":"fast","cap":"18446744073709551615","total":"18446744073709551615","segments":["9007199254740993","18446744073709551615"],"lower_bound":"18446744073709551615","no_reuse":"18446744073709551615","peaks":[],"items":[
  {"id":"a","segment":0,"offset":0},
  {"id":"b","segment":0,"offset":9007199254740992},
  {"id":"c","segment":1,"offset":0}
  ]}
  $ printf '{"poolproof":"problem/1","kind":"segments","cap":3,"items":[{"id":"a","size":4,"align":1}]}' | poolproof plan --json -
  {"poolproof":"layout/1","status":"item_over_cap","kind":"segments","planner":"fast","cap":3,"index":0,"lower_bound":4,"no_reuse":4,"peaks":[]}
  poolproof: standard input: segments: item 0 "a": size 4 is over the cap of 3 bytes (SEG-5)
  [1]
  $ printf '{"poolproof":"problem/1","kind":"segments","cap":3,"spans":"half-open","items":[{"id":"a","size":3,"align":1,"span":[4,4]}]}' | poolproof plan --json -
  {"poolproof":"layout/1","status":"ok","kind":"segments","planner":"fast","cap":3,"total":3,"segments":[3],"lower_bound":3,"no_reuse":3,"peaks":[],"items":[
  {"id":"a","segment":0,"offset":0}
  ]}

Standard output holds what was asked for and nothing else:

  $ poolproof plan --cap 1 p.csv -o -
  poolproof: p.csv: arena: the plan passes the cap of 1 bytes, first with item 0 "a" of size 4 (ARN-4)
  [1]
  $ poolproof plan --cap 9 p.csv -o - | head -1
  size,id,lower,upper,offset

Files are whole or not there, and keep their mode:

  $ touch secret.csv; chmod 600 secret.csv
  $ poolproof plan p.csv -o secret.csv > /dev/null; stat -c %a secret.csv
  600
  $ ln -s nowhere.csv dangling.csv
  $ poolproof plan p.csv -o dangling.csv > /dev/null; readlink dangling.csv; head -1 nowhere.csv
  nowhere.csv
  size,id,lower,upper,offset

  $ ls
  bad.csv
  dangling.csv
  nowhere.csv
  out
  p.csv
  p.json
  p.out.csv
  ref.json
  secret.csv
  small.csv
  $ echo old > target.json; ln -s target.json link.json
  $ poolproof plan p.json -o link.json > /dev/null
  $ readlink link.json; head -c 24 target.json
  target.json
  {"poolproof":"layout/1", (no-eol)
  $ poolproof plan p.json -o /dev/full --json
  p.json: arena by fast
    status         ok
    items                                   4
    total                                 106 B         106 B  1.0000 x the lower bound
    lower bound                           106 B         106 B
    no reuse                              170 B         170 B
    fragmentation                        0.00 %                1 - bound/total
    cap                         4,294,967,296 B      4.00 GiB
    segments       1: 106
  
  always live: 10 B in 1 item
                    size    align  span           class      segment:offset           id
                      10        4  always         byte         0:96                   w
  
  peak of class single at step 1: 96 B in 2 items
                    size    align  span           class      segment:offset           id
                      64        8  [0, 1]         single       0:0                    h1
                      32        8  [1, 2]         single       0:64                   h2
  poolproof: /dev/full: cannot be written: No space left on device
  [3]
