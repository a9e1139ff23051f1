Whatever is wrong with the input: one sentence, status 2, nothing half-written.

  $ json() { printf '%s' "$1" | poolproof plan - -o out.json; }
  $ problem() { json '{"poolproof":"problem/1","kind":"arena","spans":"closed","items":['"$1"']}'; }
  $ item() { problem '{"id":"a","size":1,"align":1,"class":"x","span":[0,1]},'"$1"; }
  $ csv() { printf "$1" | poolproof plan - -o out.csv; }

JSON that is none, or ends early:

  $ json ''
  poolproof: standard input: empty; a JSON problem or a CSV with a header such as id,lower,upper,size is wanted
  [2]
  $ json '{'
  poolproof: standard input: line 1, column 1: not JSON: string or '}' expected near end of file
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","items":['
  poolproof: standard input: line 1, column 49: not JSON: ']' expected near end of file
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","items":[]} and more'
  poolproof: standard input: line 1, column 55: not JSON: end of file expected near 'and'
  [2]
  $ json '{"poolproof":"problem/1","poolproof":"problem/1"}'
  poolproof: standard input: line 1, column 36: not JSON: duplicate object key near '"poolproof"'
  [2]
  $ printf '{"poolproof":"problem/1\0"}' | poolproof plan -
  poolproof: standard input: line 1, column 23: not JSON: control character 0x0 near '"problem/1'
  [2]
  $ printf '{"poolproof":"\xff"}' | poolproof plan -
  poolproof: standard input: line 1, column 14: not JSON: unable to decode byte 0xff near '"'
  [2]
  $ printf '{"a":%0.s' $(seq 5000) | poolproof plan -
  poolproof: standard input: line 1, column 10241: not JSON: maximum parsing depth reached near '{'
  [2]
  $ printf '\n\n{"poolproof":\n"problem/1",\n"kind":arena}' | poolproof plan -
  poolproof: standard input: line 5, column 12: not JSON: invalid token near 'arena'
  [2]

JSON that is something else:

  $ json '{"poolproof":"problem/2","kind":"arena","items":[]}'
  poolproof: standard input: "poolproof" is "problem/2", here "problem/1" is wanted
  [2]
  $ json '{"poolproof":"layout/1","status":"ok","items":[]}'
  poolproof: standard input: "poolproof" is "layout/1", here "problem/1" is wanted
  [2]
  $ json '{"kind":"arena","items":[]}'
  poolproof: standard input: "poolproof" is missing
  [2]
  $ json '{"poolproof":"problem/1","kind":"tree","items":[]}'
  poolproof: standard input: "kind" is neither "arena" nor "segments"
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena"}'
  poolproof: standard input: "items" is missing
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","items":{}}'
  poolproof: standard input: "items" is not an array
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","spans":"open","items":[]}'
  poolproof: standard input: "spans" is neither "closed" nor "half-open"
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","cap":-1,"items":[]}'
  poolproof: standard input: "cap": -1 is negative; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","cap":1e99,"items":[]}'
  poolproof: standard input: "cap": 9.9999999999999997e+98 is not written as a whole number; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","kapp":1,"items":[]}'
  poolproof: standard input: "kapp" is not a key that this format has
  [2]

Items:

  $ item '7'
  poolproof: standard input: item 1 is not an object
  [2]
  $ item '{"id":"b","align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size" is missing
  [2]
  $ item '{"id":"b","size":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "align" is missing
  [2]
  $ item '{"id":"b","size":1,"align":1}'
  poolproof: standard input: item 1 "b": "class" is missing
  [2]
  $ item '{"size":1,"align":1,"class":"x"}'
  poolproof: standard input: item 1: "id" is missing
  [2]
  $ item '{"id":"","size":1,"align":1,"class":"x"}'
  poolproof: standard input: item 1: "id" is empty
  [2]
  $ item '{"id":3,"size":1,"align":1,"class":"x"}'
  poolproof: standard input: item 1: "id" is not a string
  [2]
  $ item '{"id":"b","size":-5,"align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size": -5 is negative; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":1.5,"align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size": 1.5 is not written as a whole number; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":"0x10","align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size": "0x10" is not a whole number; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":"18446744073709551616","align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size": "18446744073709551616" is above 2^64 - 1; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":99999999999999999999,"align":1,"class":"x"}'
  poolproof: standard input: line 1, column 158: not JSON: too big integer near '99999999999999999999'; write numbers above 2^63 - 1 as strings
  [2]
  $ item '{"id":"b","size":true,"align":1,"class":"x"}'
  poolproof: standard input: item 1 "b": "size": true is not a whole number; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":1,"align":[],"class":"x"}'
  poolproof: standard input: item 1 "b": "align": an array is not a whole number; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":1,"align":1,"class":"x","span":[3,2]}'
  poolproof: standard input: arena: item 1 "b": span [3, 2] begins after its end (ARN, BAD_SPAN)
  [2]
  $ item '{"id":"b","size":1,"align":1,"class":"x","span":[3]}'
  poolproof: standard input: item 1 "b": "span" is not [first, last]
  [2]
  $ item '{"id":"b","size":1,"align":1,"class":"x","span":[3,-4]}'
  poolproof: standard input: item 1 "b": "span": -4 is negative; bytes and steps are whole numbers from 0 to 2^64 - 1, as digits or as a string of digits
  [2]
  $ item '{"id":"b","size":1,"align":1,"class":"x","spam":[0,1]}'
  poolproof: standard input: item 1 "b": "spam" is not a key that this format has
  [2]
  $ item '{"id":"a","size":1,"align":1,"class":"x"}'
  poolproof: standard input: item 1 "a": id "a" is taken by item 0; ids must differ
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","items":[{"id":"b","size":1,"align":1,"class":"x","span":[0,1]}]}'
  poolproof: standard input: item 0 "b": "span" needs "spans": "closed" or "half-open" at the top; a convention is never guessed
  [2]
  $ json '{"poolproof":"problem/1","kind":"arena","spans":"half-open","items":[{"id":"b","size":1,"align":1,"class":"x","span":[1,1]}]}'
  poolproof: standard input: item 0 "b": "span" is half-open and empty: its end is not above its start (ARN, BAD_SPAN)
  [2]

CSV:

  $ csv 'a,0,1,4\n'
  poolproof: standard input: line 1: "a" is no column; a header such as id,lower,upper,size (upper exclusive; or end, inclusive) with optional alignment,class,hint,gaps,segment,offset is wanted
  [2]
  $ csv 'id,lower,size\na,0,4\n'
  poolproof: standard input: no column upper (or end) in the header (3 columns); a header such as id,lower,upper,size is wanted
  [2]
  $ csv 'id,lower,upper\na,0,4\n'
  poolproof: standard input: no column size in the header (3 columns); a header such as id,lower,upper,size is wanted
  [2]
  $ csv 'lower,upper,size\n0,1,4\n'
  poolproof: standard input: no column id in the header (3 columns); a header such as id,lower,upper,size is wanted
  [2]
  $ csv 'id,lower,upper,end,size\na,0,1,1,4\n'
  poolproof: standard input: both "upper" (exclusive) and "end" (inclusive) in the header
  [2]
  $ csv 'id,id,lower,upper,size\na,a,0,1,4\n'
  poolproof: standard input: line 1: columns "id" and "id" say the same
  [2]
  $ csv 'id,lower,upper,size\na,0,1\n'
  poolproof: standard input: line 2: 3 cells where the header has 4 columns
  [2]
  $ csv 'id,lower,upper,size\na,0,1,4,5\n'
  poolproof: standard input: line 2: 5 cells where the header has 4 columns
  [2]
  $ csv 'id,lower,upper,size\n\na,0,1,-4\n'
  poolproof: standard input: line 3: size "-4" is negative; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,0,1,4.5\n'
  poolproof: standard input: line 2: size "4.5" is a fraction; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,0,1,1e3\n'
  poolproof: standard input: line 2: size "1e3" is not a whole number; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,0,1,99999999999999999999\n'
  poolproof: standard input: line 2: size "99999999999999999999" is above 2^64 - 1; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,0,1,\n'
  poolproof: standard input: line 2: size "" is empty; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,,1,4\n'
  poolproof: standard input: line 2: lower "" is empty; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ csv 'id,lower,upper,size\na,2,1,4\n'
  poolproof: standard input: line 2: item 0 "a": life [2, 1) is empty: upper is exclusive and must be above lower (ARN, BAD_SPAN)
  [2]
  $ csv 'id,lower,upper,size\na,1,1,4\n'
  poolproof: standard input: line 2: item 0 "a": life [1, 1) is empty: upper is exclusive and must be above lower (ARN, BAD_SPAN)
  [2]
  $ csv 'id,lower,end,size\na,2,1,4\n'
  poolproof: standard input: arena: item 0 "a": span [2, 1] begins after its end (ARN, BAD_SPAN)
  [2]
  $ csv 'id,lower,upper,size\n,0,1,4\n'
  poolproof: standard input: line 2: the id is empty
  [2]
  $ csv 'id,lower,upper,size\na,0,1,4\nb,0,1,4\na,0,1,4\n'
  poolproof: standard input: line 4: id "a" is taken by item 0; ids must differ
  [2]
  $ csv 'id,lower,upper,size\n"a,0,1,4\n'
  poolproof: standard input: line 2: a quoted cell is never closed
  [2]
  $ csv 'id,lower,upper,size\na"b,0,1,4\n'
  poolproof: standard input: line 2: a quote inside a cell, or text behind a closing quote
  [2]
  $ csv 'id,lower,upper,size\na\0b,0,1,4\n'
  poolproof: standard input: line 2: a NUL byte
  [2]
  $ csv 'id,lower,upper,size\na\xff,0,1,4\n'
  poolproof: standard input: line 2: id or class is not UTF-8
  [2]
  $ csv 'id,lower,upper,size,gaps\na,0,9,4,2-3\n'
  poolproof: standard input: line 2: gaps "2-3": items with gaps in their life are not supported (ARN-1 knows one span)
  [2]
  $ csv '\n\r\n  \n'
  poolproof: standard input: empty; a JSON problem or a CSV with a header such as id,lower,upper,size is wanted
  [2]
  $ { printf 'id,lower,upper,size\n'; head -c 3000000 /dev/zero | tr '\0' x; } | poolproof plan -
  poolproof: standard input: line 2: a cell of more than 1 MiB
  [2]

Places:

  $ mkdir dir
  $ poolproof plan dir
  poolproof: dir: cannot be read: Is a directory
  [2]
  $ poolproof plan missing.json
  poolproof: missing.json: cannot be read: No such file or directory
  [2]
  $ printf 'id,lower,upper,size\na,0,1,4\n' > good.csv
  $ poolproof plan good.csv -o dir
  poolproof: dir: cannot be written: Is a directory
  [2]
  $ poolproof plan good.csv -o dir/no/out.csv
  poolproof: dir/no/out.csv: cannot be written: No such file or directory
  [2]
  $ poolproof plan good.csv -o ''
  poolproof: -o: the name is empty
  [2]
  $ poolproof check good.csv missing.csv
  poolproof: missing.csv: cannot be read: No such file or directory
  [2]
  $ poolproof check good.csv good.csv
  poolproof: good.csv: no column offset in the header (4 columns); a header such as id,offset is wanted
  [2]
  $ printf '{"poolproof":"layout/1","status":"fine"}' | poolproof check good.csv -
  poolproof: standard input: "status" is none of ok, item_over_cap, over_cap, bad_span
  [2]
  $ printf '{"poolproof":"layout/1","status":"ok"}' | poolproof check good.csv -
  poolproof: standard input: "items" is missing
  [2]
  $ printf '{"poolproof":"layout/1","status":"ok","segments":4,"items":[]}' | poolproof check good.csv -
  poolproof: standard input: "segments" is not an array of sizes
  [2]
  $ poolproof view missing.csv -o out.svg
  poolproof: missing.csv: cannot be read: No such file or directory
  [2]

Names and places of the kind that go wrong:

  $ printf '{"poolproof":"layout/1","status":"item_over_cap","index":99999999999}' > l.json
  $ poolproof view good.csv l.json -o out.html
  poolproof: l.json: "index" is no item of the problem
  [2]
  $ printf '{"poolproof":"layout/1","status":"bad_span","index":0}' > l.json
  $ poolproof view good.csv l.json -o out.html
  poolproof: l.json: answers bad_span: nothing to draw
  [1]
  $ printf 'id,lower,end,size\na,0,1,4\nb,3,2,4\n' > bs.csv
  $ printf 'id,offset\na,0\nb,4\n' > l.csv
  $ poolproof check bs.csv l.csv
  poolproof: bs.csv: arena: item 1 "b": span [3, 2] begins after its end (ARN, BAD_SPAN)
  [2]
  $ poolproof check --checker fast bs.csv l.csv
  poolproof: bs.csv: arena: item 1 "b": span [3, 2] begins after its end (ARN, BAD_SPAN)
  [2]
  $ printf 'id,lower,upper,size\ra,0,1,4\rb,0,x,4\r' | poolproof plan -
  poolproof: standard input: line 3: upper "x" is not a whole number; whole numbers from 0 to 2^64 - 1 are wanted
  [2]
  $ printf 'id,lower,upper,size,hint\na,0,1,4,banana\n' | poolproof plan -
  poolproof: standard input: line 2: hint "banana" is not a whole number; whole numbers from 0 to 2^64 - 1 are wanted
  [2]

Output that fails half-way, or has nowhere to go:

  $ poolproof plan good.csv > /dev/full
  poolproof: standard output cannot be written: No space left on device
  [3]
  $ poolproof plan good.csv -o full.csv > /dev/full
  poolproof: standard output cannot be written: No space left on device
  [3]
  $ awk 'BEGIN { print "id,lower,upper,size"; for (i = 0; i < 20000; i++) print i ",0,1,1" }' > big.csv
  $ (ulimit -f 8; poolproof plan big.csv -o big.out > /dev/null)
  poolproof: the output cannot be written: File too large
  [3]
  $ poolproof plan big.csv --all -o piped.csv 2> /dev/null | head -1
  big.csv: arena by fast
  $ poolproof plan good.csv --all -o closed.csv >&-
  poolproof: standard output cannot be written: Bad file descriptor
  [3]
  $ poolproof plan - <&-
  poolproof: standard input: cannot be read: Bad file descriptor
  [2]
  $ rm big.csv bs.csv l.csv l.json

Nothing was left behind:

  $ ls
  dir
  good.csv
