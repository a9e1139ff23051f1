"""A planner and checker that follow the rules as they are written, for
reading and for trying: put yours in its place.

The rules (SEG, ARN, VAL, RTN-6, FPT-1 to FPT-3, REL) are those of
ref/README.md. Python's whole numbers have no end, so nothing wraps.
SPDX-License-Identifier: MIT
"""
from bisect import insort

from poolproof_stdio import Item, Reject

WIDTH = {"u8": 1, "i32": 4, "i64": 8, "f32": 4, "f64": 8}


def aligned_up(at, align):
    """SEG-1: the least multiple of align that is not below at."""
    return at if align <= 1 else -(-at // align) * align


def is_aligned(at, align):
    return align <= 1 or at % align == 0


def end_of(at, size):
    return at + size


def within(end, cap):
    return end <= cap


# -- SEG: segments under a cap ------------------------------------------------


def refuse_large(cap, items):
    """SEG-5."""
    for i, item in enumerate(items):
        if item.size > cap:
            raise Reject("item_over_cap", i)


def segments(cap, items):
    refuse_large(cap, items)
    segment, offset, sizes = [], [], []
    for item in items:
        at = aligned_up(sizes[-1], item.align) if sizes else 0
        if not sizes or not within(end_of(at, item.size), cap):
            sizes.append(0)
            at = 0
        segment.append(len(sizes) - 1)
        offset.append(at)
        sizes[-1] = end_of(at, item.size)
    return segment, offset, sizes


# -- ARN: one arena -----------------------------------------------------------


def apart(a, b):
    """Are the closed intervals disjoint?"""
    return a[1] < b[0] or b[1] < a[0]


def conflict(a, b):
    """ARN-1."""
    return not (a.span and b.span and apart(a.span, b.span) and
                a.item_class == b.item_class)


def refuse_bad_spans(items):
    for i, item in enumerate(items):
        if item.span and item.span[0] > item.span[1]:
            raise Reject("bad_span", i)


def placement_order(items):
    """ARN-2: the largest first, ties by index."""
    return sorted(range(len(items)), key=lambda i: (-items[i].size, i))


def least_offset(item, taken):
    """ARN-3. taken: the (start, end) of what may not be met, by start."""
    at = 0
    for start, end in taken:
        if end_of(at, item.size) <= start:
            break  # and all that follow start no earlier
        if end > at:
            at = aligned_up(end, item.align)
    return at


def arena(cap, items):
    refuse_bad_spans(items)
    offset = [0] * len(items)
    placed = []  # (start, end, index), sorted
    total = 0
    for i in placement_order(items):
        taken = [(start, end) for start, end, j in placed
                 if conflict(items[i], items[j])]
        at = least_offset(items[i], taken)
        end = end_of(at, items[i].size)
        if not within(end, cap):
            raise Reject("over_cap")  # ARN-4
        offset[i] = at
        insort(placed, (at, end, i))
        total = max(total, end)
    return offset, total


# -- VAL: judging a layout ----------------------------------------------------


def no_such_segment(items, layout, cap):
    for i, k in enumerate(layout.segment):
        if k >= len(layout.sizes):
            return {"kind": "no_such_segment", "item": i}


def misaligned(items, layout, cap):
    for i, item in enumerate(items):
        if not is_aligned(layout.offset[i], item.align):
            return {"kind": "misaligned", "item": i}


def past_end(items, layout, cap):
    for i, item in enumerate(items):
        end = end_of(layout.offset[i], item.size)
        if not within(end, layout.sizes[layout.segment[i]]):
            return {"kind": "past_end", "item": i}


def segment_too_big(items, layout, cap):
    for k, size in enumerate(layout.sizes):
        if size > cap:
            return {"kind": "segment_too_big", "segment": k}


def shared(items, layout, i, j):
    """The bytes [lo, hi) that both have, or None."""
    lo = max(layout.offset[i], layout.offset[j])
    hi = min(end_of(layout.offset[i], items[i].size),
             end_of(layout.offset[j], items[j].size))
    if lo < hi and layout.segment[i] == layout.segment[j]:
        return [lo, hi]
    return None


def pairs(n):
    """The least second one first, then the least first one."""
    return ((i, j) for j in range(n) for i in range(j))


def shared_bytes(items, layout, may_share):
    for i, j in pairs(len(items)):
        if may_share(items[i], items[j]):
            continue
        both = shared(items, layout, i, j)
        if both:
            return {"kind": "shared_bytes", "items": [i, j], "bytes": both}


def wrong_size(items, layout, cap):
    end = [0] * len(layout.sizes)
    for i, k in enumerate(layout.segment):
        end[k] = max(end[k], end_of(layout.offset[i], items[i].size))
    for k, claimed in enumerate(layout.sizes):
        if claimed != end[k]:
            return {"kind": "wrong_size", "segment": k, "claimed": claimed,
                    "end": end[k]}


def first_looks():
    """VAL-1: these, in this order, come before the shared bytes."""
    return [no_such_segment, misaligned, past_end, segment_too_big]


def validate(kind, cap, items, layout):
    if kind == "arena":
        refuse_bad_spans(items)
        may_share = lambda a, b: not conflict(a, b)  # noqa: E731
    else:
        may_share = lambda a, b: False  # noqa: E731
    for look in first_looks():
        violation = look(items, layout, cap)
        if violation:
            return violation
    return (shared_bytes(items, layout, may_share) or
            wrong_size(items, layout, cap))


# -- RTN-6: spans -------------------------------------------------------------


def works(node):
    return node.in_context and not node.intents


def filled_first(accesses):
    return bool(accesses) and accesses[0].access == "fill"


def is_read(accesses):
    return any(one.access == "read" for one in accesses)


def life(accesses):
    positions = [one.position for one in accesses]
    return min(positions), max(positions)


def spans(opaque, nodes, accesses):
    lives = []
    for v, node in enumerate(nodes):
        own = [one for one in accesses if one.node == v]
        eligible = (not opaque and works(node) and filled_first(own) and
                    is_read(own))
        lives.append(life(own) if eligible else None)
    return lives


# -- FPT: the bytes that a routine needs --------------------------------------


def bytes_of(node):
    count = 1
    for dim in node.dims:
        count *= dim
    return count * WIDTH[node.dtype]


def as_item(node, alignment, reuse):
    return Item(bytes_of(node), alignment, node.dtype,
                node.span if reuse else None)


def segment_bytes(cap, nodes, group, items):
    """What a group needs without sharing."""
    try:
        return sum(segments(cap, items)[2])
    except Reject as no:
        raise Reject(no.reason, group[no.index]) from None


def working_bytes(cap, nodes, group, items):
    """FPT-1: one arena if there are spans and it fits; else segments."""
    if any(item.span for item in items):
        try:
            return arena(cap, items)[1], True
        except Reject as no:
            if no.reason != "over_cap":
                raise Reject(no.reason, group[no.index]) from None
    return segment_bytes(cap, nodes, group, items), False


def groups(nodes):
    """FPT-1: indices of the working nodes and of the constants, by uid."""
    by_uid = sorted(range(len(nodes)), key=lambda i: nodes[i].uid)
    in_context = [i for i in by_uid if "merge" not in nodes[i].intents]
    return ([i for i in in_context if "constant" not in nodes[i].intents],
            [i for i in in_context if "constant" in nodes[i].intents])


def score(cap, alignment, aliasing, nodes):
    working, constant = groups(nodes)
    items = [as_item(nodes[i], alignment, aliasing) for i in working]
    fixed = [as_item(nodes[i], alignment, False) for i in constant]
    need, in_arena = working_bytes(cap, nodes, working, items)
    dedicated = segment_bytes(cap, nodes, working, items)
    constants = segment_bytes(cap, nodes, constant, fixed)
    if need + constants >= 2**64:
        raise Reject("over_cap")
    return {"working": need, "constants": constants,
            "total": need + constants,
            "dedicated": min(dedicated, 2**64 - 1), "arena": in_arena,
            "planned": sum(item.span is not None for item in items),
            "nodes": len(working) + len(constant)}


# -- REL: release with retry --------------------------------------------------


def inherited(context, contexts):
    """The nodes that the parent holds at the same place."""
    if context.parent is None:
        return set()
    return set(context.nodes) & set(contexts[context.parent].nodes)


def is_constant(node, constants):
    return any(place.pool == node.pool for place in constants)


def own_pools(context, contexts, constants):
    """REL-1, REL-2: in the order in which they are freed."""
    others = {node.pool for node in inherited(context, contexts)} | {0}
    others |= {node.pool for node in context.nodes
               if is_constant(node, constants)}
    by_uid = sorted(context.nodes, key=lambda node: node.uid)
    return list(dict.fromkeys(node.pool for node in by_uid
                              if node.pool not in others))


class Releasing:
    """How far the release of one context is."""

    def __init__(self, pools):
        self.pools = pools
        self.next = 0
        self.released = False


def release_context(progress, act, live):
    """REL-3, REL-4."""
    if progress.released:
        return {"status": "ok", "calls": []}
    calls = ["await"]
    if act.fail_await == 1:
        return {"status": "failed", "calls": calls}
    frees = 0
    while progress.next < len(progress.pools):
        pool = progress.pools[progress.next]
        calls.append(f"free {pool}")
        frees += 1
        if frees == act.fail_free:
            return {"status": "failed", "calls": calls}
        live.discard(pool)
        progress.next += 1
    progress.released = True
    return {"status": "ok", "calls": calls}


def touch(context, progress, act, live):
    """REL-6."""
    node = next(node for node in context.nodes if node.uid == act.uid)
    gone = node.pool != 0 and node.pool not in live
    return {"status": "pool_gone" if gone else "ok", "calls": []}


def release(contexts, constants, script):
    progress = [Releasing(own_pools(context, contexts, constants))
                for context in contexts]
    live = {node.pool for context in contexts for node in context.nodes}
    live |= {place.pool for place in constants}
    live.discard(0)
    steps = []
    for act in script:
        k = act.context
        if act.do == "release":
            steps.append(release_context(progress[k], act, live))
        else:
            steps.append(touch(contexts[k], progress[k], act, live))
    return steps, sorted(live)
