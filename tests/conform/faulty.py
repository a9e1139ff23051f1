#!/usr/bin/python3
"""An implementation with one fault of a kind that planners are known to have.

    faulty.py KIND     speaks poolproof/1, the fault in it
    faulty.py none     the same without one: all verbs, right
    faulty.py --list   of each kind: name, verb, smallest size, kind of fault

It is the Python example with one function replaced, and claims the one verb in
which the fault shows. The size is that of the smallest question that can show
it (pp_ask_size). PP_SOURCE is the source tree."""
import os
import sys
import zlib
from pathlib import Path

SOURCE = Path(os.environ.get("PP_SOURCE", Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "oracle/adapters/python"))
import planner as p  # noqa: E402
import poolproof_stdio as stdio  # noqa: E402
from poolproof_stdio import Reject  # noqa: E402

VERBS = ("segments", "arena", "validate", "spans", "score", "release")

# The kinds of fault: a short key, what faults are of this kind, and where this
# repository tests the kind beyond what a verb of the protocol can show ("": a
# verb shows all of it).
ROWS = {
    "closed": ("closed spans compared as half-open", ""),
    "last-read": ("last read one early; an output that nobody reads has no end",
                  ""),
    "view": ("view, cast, reshape: source's life not extended",
             "fuzz-routine: the shadow run of inlined and fused code"),
    "in-place": ("in place with another reader, or at a shifted offset",
                 "fuzz-routine: values and owners under every plan"),
    "fit": ("fit tested before alignment", ""),
    "rounding": ("mask rounding for non powers of two; align 0", ""),
    "length": ("offset aligned, base not; written length rounded up past the "
               "end", "oracle/conform/matrix*.c: offsets, canaries around"),
    "cap": ("cap compare `>=`; tested before alignment", ""),
    "wrap": ("offset + size wraps at 2^32 / 2^64", ""),
    "over-cap": ("over-cap: partial plan returned", ""),
    "ties": ("ties broken by hash, address or an unstable sort",
             "tests/same_everywhere"),
    "class": ("class ignored; bits for bytes; packed dtypes", ""),
    "eligible": ("constant, output, exported or merge buffer made eligible",
                 "tests/runtime/reuse.c"),
    "unwritten": ("read before write made eligible; recycled memory assumed "
                  "zero", "tests/runtime/reuse.c: poisoned memory"),
    "serial": ("plan assumes serial order, the executor overlaps",
               "oracle/conform/matrix_order.c, fuzz-routine on multidev_cc"),
    "score": ("score, plan and allocation disagree",
              "fuzz-routine: score, link and census"),
    "freed": ("freed set wrong: parent, constant, twice, never",
              "exhaust-release, fuzz/faults/runtime.py"),
    "dropped": ("bookkeeping dropped before the free succeeded",
                "exhaust-release, fuzz/faults/runtime.py"),
    "device": ("one call ignores the byte offset; async copy from freed host "
               "memory; wrong device",
               "tests/devices: matrix, copies, mutants; fuzz/faults/runtime.py"),
    "limits": ("base alignment in bits taken as bytes; least cap over devices "
               "not taken", "tests/devices/mutants: alignment in bits"),
    "sticky": ("sticky error after a successful retry; partial create leaks",
               "tests/devices/failures*.c, fuzz/faults/runtime.py"),
    # What a check of validity alone never sees, and what it may see wrongly.
    "exact": ("a valid plan, but not the specified one", ""),
    "verdict": ("a validator that misses, invents or misnames", ""),
}
KINDS = {}


def fault(name, row, verb, size):
    """The decorated function puts the fault in."""
    assert row in ROWS and verb in VERBS and name not in KINDS
    return lambda put: KINDS.setdefault(name, (row, verb, size, put))


def replace(name, row, verb, size, attribute, function):
    """The fault is this function in place of the planner's attribute."""
    fault(name, row, verb, size)(lambda: setattr(p, attribute, function))


def signed(value):
    return value - 2**64 if value >= 2**63 else value


# -- lives and classes: arena, validate, score --------------------------------

def half_open(a, b):
    return a[1] <= b[0] or b[1] <= a[0]


def conflict_without_class(a, b):
    return not (a.span and b.span and p.apart(a.span, b.span))


def conflict_without_always_live(a, b):
    return bool(a.span and b.span and not p.apart(a.span, b.span))


def touching(a, b):
    return a.span and b.span and (a.span[1] == b.span[0] or
                                  b.span[1] == a.span[0])


def conflict_but_in_place(same_size):
    """The later one takes the place of the one whose last reader it is."""
    right = p.conflict
    return lambda a, b: right(a, b) and not (
        touching(a, b) and (a.size == b.size) == same_size)


for verb in ("arena", "validate", "score"):
    replace(f"half-open-{verb}", "closed", verb, 2, "apart", half_open)
    replace(f"class-ignored-{verb}", "class", verb, 2, "conflict",
            conflict_without_class)
    replace(f"always-live-ignored-{verb}", "eligible", verb, 2, "conflict",
            conflict_without_always_live)
replace("in-place-arena", "in-place", "arena", 2, "conflict",
        conflict_but_in_place(True))
replace("in-place-shifted-arena", "in-place", "arena", 2, "conflict",
        conflict_but_in_place(False))


# -- alignment, caps, ends ----------------------------------------------------

def fit_before_alignment(item, taken):
    at, end_before = 0, 0
    for start, end in taken:
        if end_before + item.size <= start:
            break
        if end > end_before:
            end_before, at = end, p.aligned_up(end, item.align)
    return at


def mask_up(at, align):
    return (at + align - 1) & ~(align - 1) if align else at


def mask_aligned(at, align):
    return align == 0 or at & (align - 1) == 0


def mask_zero(at, align):
    """Rounding with the mask of align 0 gives 0."""
    return 0 if align == 0 else -(-at // align) * align


def division(at, align):
    return -(-at // align) * align


def crash(at, align):
    if align == 0:
        os.abort()
    return -(-at // align) * align


for verb in ("arena", "segments"):
    replace(f"mask-rounding-{verb}", "rounding", verb, 2, "aligned_up",
            mask_up)
    replace(f"align-zero-is-offset-zero-{verb}", "rounding", verb, 2,
            "aligned_up", mask_zero)
replace("fit-before-alignment", "fit", "arena", 3, "least_offset",
        fit_before_alignment)
replace("mask-rounding-validate", "rounding", "validate", 1, "is_aligned",
        mask_aligned)
replace("align-zero-divides", "rounding", "arena", 2, "aligned_up", division)
replace("align-zero-crashes", "rounding", "segments", 2, "aligned_up", crash)


def changed_sizes(change):
    """Each segment as large as `change` makes the end of an item of it."""
    right = p.segments

    def segments(cap, items):
        segment, offset, sizes = right(cap, items)
        for k, at, item in zip(segment, offset, items):
            sizes[k] = max(sizes[k], change(at + item.size, item.align))
        return segment, offset, sizes
    return segments


def round_up_total(cap, items):
    offset, _ = RIGHT_ARENA(cap, items)
    return offset, max((p.aligned_up(at + item.size, item.align)
                        for at, item in zip(offset, items)), default=0)


RIGHT_ARENA, RIGHT_SEGMENTS = p.arena, p.segments
RIGHT_ALIGNED_UP, RIGHT_BYTES = p.aligned_up, p.bytes_of

replace("length-rounded-up-segments", "length", "segments", 1, "segments",
        changed_sizes(RIGHT_ALIGNED_UP))
replace("length-rounded-up-arena", "length", "arena", 1, "arena",
        round_up_total)


def below(end, cap):
    return end < cap


def cap_before_alignment(cap, items):
    p.refuse_large(cap, items)
    segment, offset, sizes = [], [], []
    for item in items:
        if not sizes or sizes[-1] + item.size > cap:
            sizes.append(0)
        at = p.aligned_up(sizes[-1], item.align)
        segment.append(len(sizes) - 1)
        offset.append(at)
        sizes[-1] = at + item.size
    return segment, offset, sizes


def cap_before_alignment_arena(cap, items):
    """Held to the cap is where the items end that stand below, not where the
    aligned offset is."""
    offset, total = RIGHT_ARENA(2**64 - 1, items)
    ends = [at + item.size for at, item in zip(offset, items)]
    for at, item in zip(offset, items):
        below = max((end for end in ends if end <= at), default=0)
        if below + item.size > cap:
            raise Reject("over_cap")
    return offset, total


def refuse_at_cap(cap, items):
    for i, item in enumerate(items):
        if item.size >= cap:
            raise Reject("item_over_cap", i)


replace("cap-strict-items", "cap", "segments", 2, "refuse_large",
        refuse_at_cap)
replace("cap-strict-segments", "cap", "segments", 2, "within", below)
replace("cap-strict-arena", "cap", "arena", 1, "within", below)
replace("cap-strict-ends-validate", "cap", "validate", 1, "within", below)
replace("cap-before-alignment-segments", "cap", "segments", 2, "segments",
        cap_before_alignment)
replace("cap-before-alignment-arena", "cap", "arena", 2, "arena",
        cap_before_alignment_arena)


def wrapping(bits):
    return lambda at, size: (at + size) % 2**bits


def signed_within(end, cap):
    return signed(end) <= signed(cap)


def signed_order(items):
    return sorted(range(len(items)), key=lambda i: (-signed(items[i].size), i))


for verb in ("segments", "arena", "validate"):
    replace(f"wrap-32-{verb}", "wrap", verb, 1, "end_of", wrapping(32))
    replace(f"wrap-64-{verb}", "wrap", verb, 1 if verb == "validate" else 2,
            "end_of", wrapping(64))
replace("signed-sizes-arena", "wrap", "arena", 2, "placement_order",
        signed_order)
replace("signed-cap-arena", "wrap", "arena", 1, "within", signed_within)


@fault("through-doubles", "wrap", "segments", 1)
def _():
    p.segments = lambda cap, items: RIGHT_SEGMENTS(
        cap, [item._replace(size=min(int(float(item.size)), 2**64 - 1))
              for item in items])


# -- what is refused ----------------------------------------------------------

def last_over_cap(cap, items):
    for i, item in reversed(list(enumerate(items))):
        if item.size > cap:
            raise Reject("item_over_cap", i)


def spans_put_right(items):
    pass


def last_bad_span(items):
    for i, item in reversed(list(enumerate(items))):
        if item.span and item.span[0] > item.span[1]:
            raise Reject("bad_span", i)


@fault("partial-plan-arena", "over-cap", "arena", 1)
def _():
    """Items that do not fit stay at 0, and the rest is given out."""
    def arena(cap, items):
        kept, refusal = list(range(len(items))), None
        while kept:
            try:
                some, total = RIGHT_ARENA(cap, [items[i] for i in kept])
            except Reject as no:
                if no.reason != "over_cap":
                    raise
                kept.remove(min(kept, key=lambda i: (items[i].size, -i)))
                continue
            offset = [0] * len(items)
            for i, at in zip(kept, some):
                offset[i] = at
            return offset, total
        return [0] * len(items), 0
    p.arena = arena


replace("partial-plan-segments", "over-cap", "segments", 1, "refuse_large",
        lambda cap, items: None)
replace("last-over-cap-named", "over-cap", "segments", 2, "refuse_large",
        last_over_cap)
replace("bad-span-planned", "over-cap", "arena", 1, "refuse_bad_spans",
        spans_put_right)
replace("last-bad-span-named", "over-cap", "arena", 2, "refuse_bad_spans",
        last_bad_span)
replace("bad-span-judged", "over-cap", "validate", 1, "refuse_bad_spans",
        spans_put_right)


# -- order and place ----------------------------------------------------------

def order_by(key):
    return lambda items: sorted(range(len(items)),
                                key=lambda i: (-items[i].size, key(items, i)))


def selection(items):
    """A sort that swaps is not stable."""
    order = list(range(len(items)))
    for k in range(len(order)):
        best = max(range(k, len(order)),
                   key=lambda q: (items[order[q]].size, -q))
        order[k], order[best] = order[best], order[k]
    return order


replace("ties-reversed", "ties", "arena", 2, "placement_order",
        order_by(lambda items, i: -i))
replace("ties-by-hash", "ties", "arena", 2, "placement_order",
        order_by(lambda items, i: zlib.crc32(repr(items[i]).encode())))
replace("ties-by-address", "ties", "arena", 2, "placement_order",
        order_by(lambda items, i: (i * 40503 + 32586) % 2**16))
replace("ties-by-alignment", "ties", "arena", 2, "placement_order",
        order_by(lambda items, i: (-items[i].align, i)))
replace("ties-by-start", "ties", "arena", 2, "placement_order",
        order_by(lambda items, i: (items[i].span or (-1, 0), i)))
replace("unstable-sort", "ties", "arena", 3, "placement_order", selection)
replace("smallest-first", "exact", "arena", 2, "placement_order",
        lambda items: sorted(range(len(items)),
                             key=lambda i: (items[i].size, i)))
replace("input-order", "exact", "arena", 2, "placement_order",
        lambda items: list(range(len(items))))


def gaps_of(item, taken):
    """(offset, room): every gap that the item fits in, the open end too."""
    at, found = 0, []
    for start, end in taken:
        if at + item.size <= start:
            found.append((at, start - at))
        at = max(at, p.aligned_up(end, item.align))
    return found + [(at, 2**70)]


def best_fit(item, taken):
    return min(gaps_of(item, taken), key=lambda gap: gap[1])[0]


def last_gap(item, taken):
    found = gaps_of(item, taken)
    return found[-2 if len(found) > 1 else -1][0]


def behind_all(item, taken):
    return gaps_of(item, taken)[-1][0]


def no_leading_gap(item, taken):
    leading = [(0, start) for start, _ in taken[:1]]
    return RIGHT_LEAST(item, leading + taken)


RIGHT_LEAST = p.least_offset

replace("best-fit", "exact", "arena", 4, "least_offset", best_fit)
replace("last-gap", "exact", "arena", 4, "least_offset", last_gap)
replace("no-gaps", "exact", "arena", 3, "least_offset", behind_all)
replace("no-leading-gap", "exact", "arena", 4, "least_offset", no_leading_gap)


@fault("tail-padding", "exact", "segments", 2)
def _():
    """What was skipped before the item that did not fit stays with the
    segment."""
    def segments(cap, items):
        segment, offset, sizes = RIGHT_SEGMENTS(cap, items)
        for i in range(1, len(items)):
            k = segment[i - 1]
            if segment[i] > k:
                sizes[k] = min(cap, p.aligned_up(sizes[k], items[i].align))
        return segment, offset, sizes
    p.segments = segments


@fault("reopened-segment", "exact", "segments", 3)
def _():
    """The first segment with room, not the open one."""
    def segments(cap, items):
        p.refuse_large(cap, items)
        segment, offset, sizes = [], [], []
        for item in items:
            k = next((k for k, size in enumerate(sizes)
                      if p.aligned_up(size, item.align) + item.size <= cap),
                     len(sizes))
            if k == len(sizes):
                sizes.append(0)
            segment.append(k)
            offset.append(p.aligned_up(sizes[k], item.align))
            sizes[k] = offset[-1] + item.size
        return segment, offset, sizes
    p.segments = segments


@fault("zero-size-dropped", "exact", "segments", 2)
def _():
    def segments(cap, items):
        p.refuse_large(cap, items)
        kept = [i for i, item in enumerate(items) if item.size > 0]
        some = RIGHT_SEGMENTS(cap, [items[i] for i in kept])
        segment, offset = [0] * len(items), [0] * len(items)
        for i, k, at in zip(kept, some[0], some[1]):
            segment[i], offset[i] = k, at
        return segment, offset, some[2]
    p.segments = segments


# -- the validator ------------------------------------------------------------

def looks(*names):
    return lambda: [getattr(p, name) for name in names]


IN_ORDER = ("no_such_segment", "misaligned", "past_end", "segment_too_big")


def without(name):
    """Never says so, nor trips over it."""
    rest = tuple(one for one in IN_ORDER if one != name)
    return looks(*rest)


def negative_segment(items, layout, cap):
    """A segment of SIZE_MAX read as -1, which is below any number."""
    for i, k in enumerate(layout.segment):
        if signed(k) >= len(layout.sizes):
            return {"kind": "no_such_segment", "item": i}
    lost = [i for i, k in enumerate(layout.segment) if signed(k) < 0]
    for i in lost:
        layout.segment[i] = 0 if layout.sizes else layout.segment[i]
    if lost and not layout.sizes:
        return {"kind": "misaligned", "item": lost[0]}
    return None


def too_big_at_cap(items, layout, cap):
    for k, size in enumerate(layout.sizes):
        if size >= cap:
            return {"kind": "segment_too_big", "segment": k}


def smaller_size(items, layout, cap):
    found = RIGHT_WRONG_SIZE(items, layout, cap)
    return None if found and found["claimed"] > found["end"] else found


def size_of_used(items, layout, cap):
    """Segments without an item are believed."""
    end = {}
    for i, k in enumerate(layout.segment):
        end[k] = max(end.get(k, 0), layout.offset[i] + items[i].size)
    for k in sorted(end):
        if layout.sizes[k] != end[k]:
            return {"kind": "wrong_size", "segment": k,
                    "claimed": layout.sizes[k], "end": end[k]}


def last_lost(items, layout, cap):
    for i, k in reversed(list(enumerate(layout.segment))):
        if k >= len(layout.sizes):
            return {"kind": "no_such_segment", "item": i}


def shared_with_empty(items, layout, i, j):
    """An item of no bytes inside another is said to share one."""
    lo = max(layout.offset[i], layout.offset[j])
    hi = min(layout.offset[i] + items[i].size, layout.offset[j] +
             items[j].size)
    inside = lo < hi or (lo == hi and
                         min(layout.offset[i], layout.offset[j]) < lo and
                         max(layout.offset[i] + items[i].size,
                             layout.offset[j] + items[j].size) > hi)
    return [lo, hi] if inside and layout.segment[i] == layout.segment[j] \
        else None


def shared_anywhere(items, layout, i, j):
    lo = max(layout.offset[i], layout.offset[j])
    hi = min(layout.offset[i] + items[i].size, layout.offset[j] +
             items[j].size)
    return [lo, hi] if lo < hi else None


def shared_from_start(items, layout, i, j):
    both = RIGHT_SHARED(items, layout, i, j)
    return both and [min(layout.offset[i], layout.offset[j]), both[1]]


def neighbours(items, layout, may_share):
    """Only items that follow one another by offset are compared."""
    order = sorted(range(len(items)), key=lambda i: (layout.offset[i], i))
    for a, b in zip(order, order[1:]):
        i, j = min(a, b), max(a, b)
        both = p.shared(items, layout, i, j)
        if both and not may_share(items[i], items[j]):
            return {"kind": "shared_bytes", "items": [i, j], "bytes": both}


RIGHT_WRONG_SIZE, RIGHT_SHARED = p.wrong_size, p.shared

for verdict, size, attribute, function in (
        ("misalignment-missed", 1, "first_looks", without("misaligned")),
        ("past-end-missed", 1, "first_looks", without("past_end")),
        ("cap-missed", 1, "first_looks", without("segment_too_big")),
        ("negative-segment", 1, "no_such_segment", negative_segment),
        ("last-lost-named", 2, "no_such_segment", last_lost),
        ("sharing-missed", 2, "shared_bytes", lambda *_: None),
        ("sharing-of-neighbours", 3, "shared_bytes", neighbours),
        ("sharing-across-segments", 2, "shared", shared_anywhere),
        ("sharing-of-no-bytes", 2, "shared", shared_with_empty),
        ("shared-bytes-misnamed", 2, "shared", shared_from_start),
        ("sizes-believed", 0, "wrong_size", lambda *_: None),
        ("larger-size-believed", 0, "wrong_size", smaller_size),
        ("empty-segment-believed", 0, "wrong_size", size_of_used),
        ("past-end-before-misaligned", 1, "first_looks",
         looks("no_such_segment", "past_end", "misaligned",
               "segment_too_big")),
        ("too-big-before-past-end", 1, "first_looks",
         looks("no_such_segment", "misaligned", "segment_too_big",
               "past_end")),
        ("least-first-before-least-second", 4, "pairs",
         lambda n: ((i, j) for i in range(n) for j in range(i + 1, n))),
        ("pair-in-other-order", 2, "pairs",
         lambda n: ((j, i) for j in range(n) for i in range(j)))):
    replace(verdict, "verdict", "validate", size, attribute, function)
replace("cap-strict-validate", "cap", "validate", 0, "segment_too_big",
        too_big_at_cap)


# -- spans --------------------------------------------------------------------

def all_spans(life_of):
    """spans, each node's life as life_of(node's index, accesses) says."""
    def spans(opaque, nodes, accesses):
        right = RIGHT_SPANS(opaque, nodes, accesses)
        return [one and life_of(v, accesses, one)
                for v, one in enumerate(right)]
    return spans


RIGHT_SPANS = p.spans


def last_read_early(own):
    lo, hi = RIGHT_LIFE(own)
    last = [one.access for one in own if one.position == hi]
    return (lo, max(lo, hi - 1)) if set(last) == {"read"} else (lo, hi)


def to_first_read(own):
    """What reads it later does so through a view, which is another node."""
    read = min(one.position for one in own if one.access == "read")
    written = [one.position for one in own if one.access != "read"]
    return min(written + [read]), max(written + [read])


def to_last_access_said(own):
    return own[0].position, max(own[0].position, own[-1].position)


def place_taken(v, accesses, span):
    """The last reader writes its result in place, and nobody looks for
    another reader: the life ends a position earlier."""
    lo, hi = span
    taken = any(one.position == hi and one.node != v and one.access == "fill"
                for one in accesses)
    return (lo, hi - 1) if taken and hi > lo else span


RIGHT_LIFE = p.life

replace("last-read-early", "last-read", "spans", 3, "life", last_read_early)
replace("unread-output-ends-at-once", "last-read", "spans", 2, "is_read",
        lambda own: True)
replace("view-not-extended", "view", "spans", 4, "life", to_first_read)
replace("in-place-spans", "in-place", "spans", 5, "spans",
        all_spans(place_taken))
replace("order-taken-for-position", "serial", "spans", 3, "life",
        to_last_access_said)


@fault("inlined-read-lost", "view", "spans", 3)
def _():
    """A read at a position that writes nothing was inlined from elsewhere,
    and is forgotten."""
    def spans(opaque, nodes, accesses):
        written = {one.position for one in accesses if one.access != "read"}
        return RIGHT_SPANS(opaque, nodes,
                           [one for one in accesses
                            if one.position in written])
    p.spans = spans


@fault("position-of-each-access", "serial", "spans", 3)
def _():
    """A kernel's second statement gets a position of its own."""
    p.spans = lambda opaque, nodes, accesses: RIGHT_SPANS(
        opaque, nodes, [one._replace(position=k)
                        for k, one in enumerate(accesses)])


@fault("opaque-ignored", "serial", "spans", 3)
def _():
    p.spans = lambda opaque, nodes, accesses: RIGHT_SPANS(
        False, nodes, accesses)


for intent in ("constant", "observable", "host", "merge"):
    replace(f"{intent}-eligible", "eligible", "spans", 3, "works",
            lambda node, intent=intent: node.in_context and
            not node.intents - {intent})
replace("not-in-context-eligible", "eligible", "spans", 3, "works",
        lambda node: not node.intents)
replace("read-first-eligible", "unwritten", "spans", 3, "filled_first",
        lambda own: any(one.access == "fill" for one in own))
replace("partial-write-eligible", "unwritten", "spans", 3, "filled_first",
        lambda own: bool(own) and own[0].access != "read")


# -- score --------------------------------------------------------------------

def count_of(node):
    count = 1
    for dim in node.dims:
        count *= dim
    return count


def scaled(bits):
    """Bytes of a node whose elements take so many bits."""
    return lambda node: -(-count_of(node) * bits(node) // 8)


replace("bits-for-bytes", "class", "score", 1, "bytes_of",
        lambda node: 8 * RIGHT_BYTES(node))
replace("packed-u8", "class", "score", 1, "bytes_of",
        scaled(lambda node: 4 if node.dtype == "u8"
               else 8 * p.WIDTH[node.dtype]))
replace("narrow-i64", "class", "score", 1, "bytes_of",
        scaled(lambda node: 8 * min(4, p.WIDTH[node.dtype])
               if node.dtype == "i64" else 8 * p.WIDTH[node.dtype]))
replace("scalar-has-no-bytes", "class", "score", 1, "bytes_of",
        lambda node: RIGHT_BYTES(node) if node.dims else 0)
replace("bytes-in-32-bits", "wrap", "score", 1, "bytes_of",
        lambda node: RIGHT_BYTES(node) % 2**32)


@fault("length-rounded-up-score", "length", "score", 1)
def _():
    right = p.as_item
    p.as_item = lambda node, alignment, reuse: (
        lambda item: item._replace(size=p.aligned_up(item.size, alignment)))(
            right(node, alignment, reuse))


@fault("score-in-bits-of-alignment", "limits", "score", 2)
def _():
    right = p.as_item
    p.as_item = lambda node, alignment, reuse: right(
        node, max(1, alignment // 8), reuse)


@fault("score-unaligned", "score", "score", 2)
def _():
    right = p.as_item
    p.as_item = lambda node, alignment, reuse: right(node, 1, reuse)


@fault("score-of-live-sum", "score", "score", 2)
def _():
    """The most bytes that live at once, not what the plan takes."""
    right = p.working_bytes

    def working_bytes(cap, nodes, group, items):
        need, in_arena = right(cap, nodes, group, items)
        starts = [item.span[0] for item in items if item.span]
        live = [sum(item.size for item in items
                    if not item.span or item.span[0] <= at <= item.span[1])
                for at in starts]
        return (max(live), True) if in_arena else (need, False)
    p.working_bytes = working_bytes


@fault("score-without-fallback", "score", "score", 1)
def _():
    def working_bytes(cap, nodes, group, items):
        if any(item.span for item in items):
            return RIGHT_ARENA(cap, items)[1], True
        return p.segment_bytes(cap, nodes, group, items), False
    p.working_bytes = working_bytes


@fault("score-fallback-to-no-cap", "score", "score", 2)
def _():
    """An arena over the cap is scored as if it were allocated."""
    right = p.working_bytes
    p.working_bytes = lambda cap, nodes, group, items: right(
        2**64 - 1, nodes, group, items)


@fault("score-shares-constants", "score", "score", 2)
def _():
    def score(cap, alignment, aliasing, nodes):
        said = RIGHT_SCORE(cap, alignment, aliasing, nodes)
        _, constant = p.groups(nodes)
        items = [p.as_item(nodes[i], alignment, aliasing) for i in constant]
        if any(item.span for item in items):
            said["constants"] = RIGHT_ARENA(2**64 - 1, items)[1]
            said["total"] = said["working"] + said["constants"]
        return said
    p.score = score


@fault("constant-scored-as-working", "eligible", "score", 1)
def _():
    p.groups = lambda nodes: (sum(RIGHT_GROUPS(nodes), []), [])


@fault("merge-scored", "eligible", "score", 1)
def _():
    p.groups = lambda nodes: (
        RIGHT_GROUPS(nodes)[0] + [i for i, node in enumerate(nodes)
                                  if "merge" in node.intents],
        RIGHT_GROUPS(nodes)[1])


@fault("score-in-order-of-request", "ties", "score", 2)
def _():
    p.groups = lambda nodes: tuple(sorted(group)
                                   for group in RIGHT_GROUPS(nodes))


@fault("score-ignores-aliasing-off", "score", "score", 1)
def _():
    p.score = lambda cap, alignment, aliasing, nodes: RIGHT_SCORE(
        cap, alignment, True, nodes)


@fault("score-plans-constants", "score", "score", 1)
def _():
    def score(cap, alignment, aliasing, nodes):
        said = RIGHT_SCORE(cap, alignment, aliasing, nodes)
        said["planned"] = sum(aliasing and node.span is not None
                              for node in nodes if node.intents != {"merge"})
        return said
    p.score = score


@fault("score-dedicated-unaligned", "score", "score", 2)
def _():
    def score(cap, alignment, aliasing, nodes):
        said = RIGHT_SCORE(cap, alignment, aliasing, nodes)
        said["dedicated"] = sum(p.bytes_of(nodes[i])
                                for i in p.groups(nodes)[0])
        return said
    p.score = score


@fault("score-partial-over-cap", "over-cap", "score", 1)
def _():
    """A node over the cap is left out."""
    p.score = lambda cap, alignment, aliasing, nodes: RIGHT_SCORE(
        cap, alignment, aliasing,
        [node for node in nodes if p.bytes_of(node) <= cap])


RIGHT_SCORE, RIGHT_GROUPS = p.score, p.groups


# -- release ------------------------------------------------------------------

def own_with(constants=True, parents=True, zero=True, order=None, once=True):
    """own_pools, what is left out of it left out."""
    def own_pools(context, contexts, constant):
        others = {0} if zero else set()
        if parents:
            others |= {node.pool for node in p.inherited(context, contexts)}
        if constants:
            others |= {node.pool for node in context.nodes
                       if p.is_constant(node, constant)}
        nodes = sorted(context.nodes, key=order or (lambda node: node.uid))
        pools = [node.pool for node in nodes if node.pool not in others]
        return list(dict.fromkeys(pools)) if once else pools
    return own_pools


def inherited_by_key(context, contexts):
    if context.parent is None:
        return set()
    keys = {node.uid for node in contexts[context.parent].nodes}
    return {node for node in context.nodes if node.uid in keys}


def inherited_nodes_only(context, contexts, constants):
    """The parent's nodes are left alone, others in their pools are not."""
    shared = p.inherited(context, contexts)
    nodes = sorted(set(context.nodes) - shared, key=lambda node: node.uid)
    return list(dict.fromkeys(node.pool for node in nodes if node.pool != 0 and
                              not p.is_constant(node, constants)))


replace("parent-freed", "freed", "release", 3, "own_pools",
        own_with(parents=False))
replace("constant-freed", "freed", "release", 2, "own_pools",
        own_with(constants=False))
replace("merge-buffer-freed", "freed", "release", 2, "own_pools",
        own_with(zero=False))
replace("freed-for-each-node", "freed", "release", 3, "own_pools",
        own_with(once=False))
replace("freed-by-pool-id", "freed", "release", 3, "own_pools",
        own_with(order=lambda node: node.pool))
replace("freed-in-order-of-request", "freed", "release", 3, "own_pools",
        own_with(order=lambda node: 0))
replace("inherited-by-key", "freed", "release", 3, "inherited",
        inherited_by_key)
replace("pool-beside-parent-freed", "freed", "release", 4, "own_pools",
        inherited_nodes_only)
replace("constant-by-place", "freed", "release", 2, "is_constant",
        lambda node, constants: (node.pool, node.offset) in constants)


@fault("last-pool-never-freed", "freed", "release", 2)
def _():
    right = p.own_pools
    p.own_pools = lambda *arguments: right(*arguments)[:-1]


def around_release(wrap):
    """release_context, as wrap(right, progress, act, live) says."""
    right = p.release_context
    return lambda progress, act, live: wrap(right, progress, act, live)


def again(right, progress, act, live):
    """A release that succeeded is done once more."""
    if progress.released:
        progress.released, progress.next = False, 0
    return right(progress, act, live)


def no_await(right, progress, act, live):
    if progress.next == len(progress.pools):
        progress.released = True
    return right(progress, act, live)


def forget_before_free(right, progress, act, live):
    """The pool is struck off the list, then freed, and that may fail."""
    said = right(progress, act, live)
    if said["status"] == "failed" and len(said["calls"]) > 1:
        progress.next += 1
    return said


def entry_dropped(right, progress, act, live):
    said = right(progress, act, live)
    if said["status"] == "failed" and len(said["calls"]) > 1:
        live.discard(progress.pools[progress.next])
    return said


def from_the_start(right, progress, act, live):
    """A retry frees all, also what was freed."""
    if not progress.released:
        progress.next = 0
    return right(progress, act, live)


def goes_on(right, progress, act, live):
    said = right(progress, act, live)
    if said["status"] == "failed" and len(said["calls"]) > 1:
        rest = progress.pools[progress.next + 1:]
        said["calls"] += [f"free {pool}" for pool in rest]
        live.difference_update(rest)
    return said


def sticky(right, progress, act, live):
    """Succeeds after a failure, and says the failure again."""
    failed = getattr(progress, "failed", False)
    said = right(progress, act, live)
    progress.failed = failed or said["status"] == "failed"
    return {**said, "status": "failed"} if failed else said


def given_up(right, progress, act, live):
    said = right(progress, act, live)
    progress.released = True
    return said


def swallowed(right, progress, act, live):
    return {**right(progress, act, live), "status": "ok"}


def frees_after_failed_wait(right, progress, act, live):
    if act.fail_await != 1 or progress.released:
        return right(progress, act, live)
    return right(progress, act._replace(fail_await=0), live)


for name, row, size, wrap in (
        ("freed-again", "freed", 2, again),
        ("nothing-to-free-no-wait", "freed", 1, no_await),
        ("struck-off-before-free", "dropped", 3, forget_before_free),
        ("entry-dropped-before-free", "dropped", 2, entry_dropped),
        ("retry-from-start", "dropped", 4, from_the_start),
        ("goes-on-after-failed-free", "sticky", 3, goes_on),
        ("sticky-error", "sticky", 2, sticky),
        ("given-up-after-failure", "sticky", 2, given_up),
        ("error-swallowed", "sticky", 1, swallowed),
        ("failed-wait-ignored", "sticky", 1, frees_after_failed_wait)):
    replace(name, row, "release", size, "release_context",
            around_release(wrap))


@fault("freed-pool-touched", "freed", "release", 3)
def _():
    p.touch = lambda context, progress, act, live: {"status": "ok",
                                                    "calls": []}


@fault("released-context-all-gone", "freed", "release", 4)
def _():
    """Every node of a released context is said to be gone."""
    right = p.touch
    p.touch = lambda context, progress, act, live: (
        {"status": "pool_gone", "calls": []} if progress.released
        else right(context, progress, act, live))


def main():
    if sys.argv[1:] == ["--list"]:
        for name, (row, verb, size, _) in KINDS.items():
            print(f"{name:34} {verb:9} {size}  {ROWS[row][0]}")
        return 0
    if len(sys.argv) != 2 or sys.argv[1] not in [*KINDS, "none"]:
        print("usage: faulty.py KIND | none | --list", file=sys.stderr)
        return 2
    verbs = VERBS
    if sys.argv[1] != "none":
        _, verb, _, put = KINDS[sys.argv[1]]
        put()
        verbs = (verb, )
    stdio.serve(f"faulty: {sys.argv[1]}", "1",
                {verb: getattr(p, verb) for verb in verbs}, items=1000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
