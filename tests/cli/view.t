  $ printf 'id,lower,upper,size\na,0,2,8\nb,1,3,4\n' > p.csv
  $ printf 'id,offset\na,0\nb,4\n' > bad.csv
  $ printf 'id,offset\na,4\nb,0\n' > good.csv
  $ poolproof view p.csv -o a.html && poolproof view p.csv good.csv -o a.svg
  $ head -c 15 a.html; echo; head -c 4 a.svg; echo
  <!DOCTYPE html>
  <?xm
  $ poolproof view p.csv good.csv bad.csv -o b.svg
  poolproof: bad.csv: VIOLATION: items "a" (span [0, 1], class default, offset 0, size 8) and "b" (span [1, 2], class default, offset 4, size 4) share bytes [4, 8) while both live (ARN-1, VAL-1)
  [1]
  $ poolproof view p.csv -o - | cmp - a.html
  $ poolproof view --cap 3 p.csv -o c.svg
  poolproof: p.csv: nothing to draw: arena: the plan passes the cap of 3 bytes, first with item 0 "a" of size 8 (ARN-4)
  [1]
  $ poolproof view p.csv -o no/such/place.svg
  poolproof: no/such/place.svg: cannot be written: No such file or directory
  [2]
  $ ls
  a.html
  a.svg
  b.svg
  bad.csv
  good.csv
  p.csv
