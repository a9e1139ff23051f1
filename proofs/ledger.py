"""What was proved, goal by goal: out of WP's own report lines.

A row says file, function, clause, rule (SEG-3, ...; "safety" for alarms that
-wp-rte adds, "frame" for assigns, "end" for termination, "step" for the rest),
the prover that answered, and its time in milliseconds; proved is false where
no prover did."""

import json
import os
import re

VALID = re.compile(r"^\[wp\] \[([^\]]+)\] Goal (?:typed_)?(\S+) : Valid(.*)$")
FAILED = re.compile(r"^\[wp\] \[Failed\] Goal (?:typed_)?(\S+)")
RULE = re.compile(r"(?:^|_)(seg|arn|val|rel|rtn|fpt)_(\d)(?=_|$)")
KINDS = (("assert_rte", "safety"), ("assigns", "frame"),
         ("terminates", "end"), ("variant", "end"))


def split(goal, functions):
    """The function that a goal belongs to, and its clause."""
    for function in sorted(functions, key=len, reverse=True):
        if goal.startswith(function + "_"):
            return function, goal[len(function) + 1:]
    return "lemmas", goal


def rule_of(clause):
    rule = RULE.search(clause)
    if rule:
        return "%s-%s" % (rule[1].upper(), rule[2])
    for word, kind in KINDS:
        if word in clause:
            return kind
    return "step"


def milliseconds(text):
    """The prover's time: the last parenthesis that holds one."""
    times = re.findall(r"\((?:Qed:)?([\d.]+)(ms|s|m)\)", text)
    if not times:
        return 0
    number, unit = times[-1]
    return round(float(number) * {"ms": 1, "s": 1000, "m": 60000}[unit])


def parse(file, log, functions):
    rows = []
    for line in log.splitlines():
        valid, failed = VALID.match(line), FAILED.match(line)
        if not valid and not failed:
            continue
        function, clause = split((valid or failed)[2 if valid else 1],
                                 functions)
        rows.append({"file": file, "function": function, "clause": clause,
                     "rule": rule_of(clause), "proved": bool(valid),
                     "prover": valid[1] if valid else "",
                     "ms": milliseconds(valid[3]) if valid else 0})
    return rows


def write(rows, path):
    with open(path, "w", encoding="utf-8") as target:
        json.dump(rows, target, indent=1)
        target.write("\n")


def count(rows, key):
    table = {}
    for row in rows:
        cell = table.setdefault(row[key], [0, 0])
        cell[0] += row["proved"]
        cell[1] += 1
    return table


def by_rule(rows):
    return ["  %-10s %5d of %5d" % (rule, cell[0], cell[1])
            for rule, cell in sorted(count(rows, "rule").items())]


def summary(rows):
    """Markdown, for GITHUB_STEP_SUMMARY."""
    lines = ["### Proofs of `ref/`", "", "| file | proved | goals |",
             "|---|--:|--:|"]
    lines += ["| %s | %d | %d |" % (file, cell[0], cell[1])
              for file, cell in sorted(count(rows, "file").items())]
    lines += ["", "| rule | proved | goals |", "|---|--:|--:|"]
    lines += ["| %s | %d | %d |" % (rule, cell[0], cell[1])
              for rule, cell in sorted(count(rows, "rule").items())]
    for row in rows:
        if not row["proved"]:
            lines.append("\n**not proved:** `%s` of `%s` (%s)" % (
                row["clause"], row["function"], row["file"]))
    return "\n".join(lines) + "\n"


def place(row, ref):
    """(file, line) of the named clause, or of its function."""
    name = re.sub(r"^(?:ensures|assert|loop_invariant|requires|check)_", "",
                  row["clause"])
    name = re.sub(r"(?:_part\d+|_\d+|_preserved|_established)+$", "", name)
    files = [row["file"], row["file"].replace(".c", ".h")]
    for word in (r"\b%s:" % re.escape(name),
                 r"\b%s\(" % re.escape(row["function"])):
        for file in files:
            path = os.path.join(ref, file)
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as source:
                for number, line in enumerate(source, 1):
                    if re.search(word, line):
                        return file, number
    return row["file"], 1


def sarif(rows, ref):
    """SARIF 2.1.0: one result for each goal that is not proved."""
    results = []
    for row in rows:
        if row["proved"]:
            continue
        file, line = place(row, ref)
        text = "%s: %s of %s is not proved" % (row["rule"], row["clause"],
                                               row["function"])
        results.append({
            "ruleId": row["rule"], "level": "error",
            "message": {"text": text},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "ref/" + file},
                "region": {"startLine": line}}}]})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": {
            "name": "poolproof proofs",
            "rules": [{"id": rule}
                      for rule in sorted({r["rule"] for r in rows})]}},
            "results": results}]}
