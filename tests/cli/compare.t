  $ cat > p.csv <<'EOF'
  > id,lower,upper,size
  > a,0,2,8
  > b,1,3,4
  > c,5,6,8
  > EOF
  $ poolproof compare p.csv | sed -E 's/ +[0-9]+\.[0-9]{3}  / TIME  /'
  p.csv: 3 items, cap 4294967296
    the rest        agrees: checkers, spoiled layouts, bound, refusals
    plan      by    status                       total, bytes    ratio     time, ms  verdict
    arena     ref   ok                                     12   1.0000 TIME  valid
    arena     fast  ok                                     12   1.0000 TIME  valid, the reference's bytes
    segments  ref   ok                                     20   1.6667 TIME  valid
    segments  fast  ok                                     20   1.6667 TIME  valid, the reference's bytes
    no-reuse        ok                                     20   1.6667 TIME  valid
  verdict: 1 problem, 0 wrong, 0 skipped
  $ poolproof compare --cap 9 p.csv p.csv | grep -c over_cap
  6
  $ poolproof compare p.csv nothing.csv > out
  poolproof: nothing.csv: cannot be read: No such file or directory
  [2]
