#!/usr/bin/python3
"""libpoolproof by way of its Python binding, held to the rules:

    PP_LIBRARY=build/release/backends/libpoolproof.so poolproof conform \\
        --impl "python3 oracle/adapters/python/implementation_ctypes.py"

It is also what an implementation looks like whose planner is a C library.
SPDX-License-Identifier: MIT
"""
import poolproof_ctypes as planner
import poolproof_stdio
from poolproof_stdio import Reject


def refusing(function, *arguments):
    try:
        return function(*arguments)
    except planner.Refused as no:
        # OVER_CAP names an item for people; the protocol wants none.
        named = None if no.reason == "over_cap" else no.index
        raise Reject(no.reason, named) from None


def segments(cap, items):
    return refusing(planner.segments_plan, items, cap)


def arena(cap, items):
    return refusing(planner.arena_plan, items, cap)


def validate(kind, cap, items, layout):
    of_arena = planner.ARENA if kind == "arena" else planner.SEGMENTS
    found = refusing(planner.check, of_arena, items, cap, *layout)
    if found is None:
        return None
    said = {"kind": found.kind}
    if found.kind == "shared_bytes":
        said.update(items=[found.first, found.second],
                    bytes=[found.lo, found.hi])
    elif found.kind == "segment_too_big":
        said.update(segment=found.first)
    elif found.kind == "wrong_size":
        said.update(segment=found.first, claimed=found.lo, end=found.hi)
    else:
        said.update(item=found.first)
    return said


if __name__ == "__main__":
    poolproof_stdio.serve("libpoolproof from Python", "1",
                          {"segments": segments, "arena": arena,
                           "validate": validate})
