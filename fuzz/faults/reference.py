"""Each rule of the reference broken once: the breaks that proofs/mutate has
its provers find."""
import time

from shop import load

BREAKS = {f"{rule}: {function} has {' '.join(new.split()) or 'less'}": entry
          for entry in load("proofs/mutation/rules.py").BREAKS
          for rule, _, function, _, new, _ in [entry]}
FAULTS = [(name, (f"ref/{entry[1]}", entry[3], entry[4]))
          for name, entry in BREAKS.items()]
SECONDS = 10
DEMANDS = ("proof",)


def checks(name):
    """By what the rule is about."""
    rule, file = name.split("-")[0], BREAKS[name][1]
    table = {"vectors": [("vectors",)], "proof": [("proof", name)]}
    campaign = {"release.c": "fuzz-runtime", "spans.c": "fuzz-routine",
                "budget.c": "fuzz-routine"}.get(file, "fuzz")
    table["fuzz"] = [("campaign", campaign, "--seed", "1", "--seconds",
                      "{seconds}")]
    if rule == "REL":
        table["exhaust"] = [("program", "exhaust_release")]
        table["tests"] = [("unit", "*/*", "unit-release")]
    elif rule in ("SEG", "ARN", "VAL"):
        table["exhaust"] = [("campaign", "exhaust", "--items", "3", "--jobs",
                             "1")]
        table["tests"] = [("unit", "@(segments|arena|check|answer)/*")]
    else:
        table["tests"] = [("unit", "ref_*/*")]
    return table


def prove(name):
    """Whether the proof of the function fails, and cites the rule."""
    start = time.monotonic()
    *_, failed, wrong = load("proofs/mutate").broken(BREAKS[name])
    seconds = round(time.monotonic() - start, 1)
    return {"reached": None, "executions": len(failed), "seconds": seconds,
            "killed": None if wrong else [len(failed), seconds]}
