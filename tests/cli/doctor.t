What the doctor writes is doctor/1; with a member gone, or one more, it is not.

  $ python3 -c 'import jsonschema' 2> /dev/null || exit 80
  $ cat > valid.py <<'END'
  > import copy, json, sys
  > from jsonschema import Draft202012Validator
  > schema = json.load(open(sys.argv[1]))
  > Draft202012Validator.check_schema(schema)
  > valid = Draft202012Validator(schema).is_valid
  > answer = json.load(sys.stdin)
  > assert valid(answer)
  > refused = 0
  > def places(part):
  >     yield part
  >     for more in part.values() if isinstance(part, dict) else part:
  >         if isinstance(more, (dict, list)):
  >             yield from places(more)
  > for k, part in enumerate(places(answer)):
  >     if not isinstance(part, dict):
  >         continue
  >     for key in [*part, "more"]:
  >         broken = copy.deepcopy(answer)
  >         at = list(places(broken))[k]
  >         at.pop(key, None) if key in part else at.update(more=1)
  >         assert not valid(broken), (key, broken)
  >         refused += 1
  > print([(b["name"], b["health"], len(b["devices"])) for b in answer["backends"]])
  > assert refused > 70, refused
  > END
  $ poolproof doctor --json | python3 valid.py "$TESTDIR/../../oracle/schema/doctor-1.schema.json"
  [('cc', 'works', 1), ('multidev_cc', 'works', 4), ('opencl', 'not available', 0), ('cuda', 'not available', 0)]
