"""Of each kind of fault that planners are known to have (ROWS of
tests/conform/faulty.py): which of our faults are of it, or why none can be."""
import sys

from shop import load

OF_KIND = {
    "closed": ("arena: spans half-open", "checker: spans half-open",
               "problem_json: half-open read as closed",
               "problem_csv: an exclusive end read as inclusive"),
    "last-read": ("spans: last read one early",
                  "spans: one for a node without reader"),
    "view": ("spans: an inlined operand's life not extended",
             "inlining: across a write to an operand"),
    "in-place": ("inlining: across a write to an operand's operand",
                 "inlining: a node that is read before its last statement",
                 "sinking: across a read"),
    "fit": ("arena: fit tested before alignment",),
    "rounding": ("arena and segments: mask rounding",
                 "checker: mask rounding"),
    "length": ("cc: size off by one: copies, more",
               "cc: range: one byte beyond is good",
               "cc: alignment: forgotten"),
    "cap": ("arena and segments: >= at the cap", "checker: >= at the cap"),
    "wrap": ("arena: end computed in 32 bits",
             "segments: end computed in 32 bits",
             "checker: end computed in 32 bits", "cc: range: sum overflows",
             "problem_csv: a number wraps"),
    "over-cap": ("arena: over-cap returns a partial plan",
                 "arena: the cap is not looked at"),
    "ties": ("arena: ties reversed",
             "checker: the least first before the least second"),
    "class": ("arena: class ignored", "checker: class ignored",
              "arena: a class counts as one of 16 bits",
              "wire: a class of 33 bits wraps"),
    "eligible": ("spans: one for an observable node",
                 "spans: one for a constant", "spans: one for a merge node",
                 "spans: one for a host-initialised node"),
    "unwritten": ("spans: one for a node that is read before it is written",
                  "link: nodes with a span zeroed, others not"),
    "serial": ("kernels: a cut dropped",
               "multidev_cc: order across devices: the fetch does not wait"),
    "score": ("footprint: constants counted as working",
              "score: nothing in place of an arena over the cap"),
    "freed": ("release: parent's pool freed", "release: constants freed",
              "release: per node instead of per pool",
              "link: orphans forgotten"),
    "dropped": ("release: entry dropped before the free succeeded",
                "release: progress not remembered"),
    "device": ("offset ignored: upload", "offset ignored: launch",
               "multidev_cc: from_host: host bytes read late",
               "cc: offset ignored: memset"),
    "limits": "only devices behind a driver have limits of their own; "
              "tests/devices/mutants plants these",
    "sticky": ("release: flag left set after a failure",
               "link: upload failure leaks its pool",
               "link: failure leaves a cache entry"),
    "exact": ("arena: no leading gap", "arena: the tightest gap is taken",
              "segments: back to the first segment that fits"),
    "verdict": ("checker: sizes believed",
                "checker: past the end is looked for before misaligned"),
}


def hold(names):
    """Every kind has its faults, and they are there."""
    names = set(names)
    rows = load("tests/conform/faulty.py").ROWS
    for row in sorted(set(rows) ^ set(OF_KIND)):
        sys.exit(f"fuzz/faults/kinds.py: the kind \"{row}\" has no row, or "
                 f"none any more")
    for row, faults in OF_KIND.items():
        for name in () if isinstance(faults, str) else faults:
            if name in names:
                continue
            sys.exit(f"fuzz/faults/kinds.py: {row}: no list has the fault "
                     f"\"{name}\"")
