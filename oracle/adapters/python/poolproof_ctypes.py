"""poolproof's fast planner and checker for Python: libpoolproof by ctypes.

    import poolproof_ctypes as poolproof

    items = [poolproof.Item(8, 4, span=(0, 2)), poolproof.Item(8, span=(3, 3))]
    offset, total = poolproof.arena_plan(items, cap=2**32)
    poolproof.check(poolproof.ARENA, items, 2**32, [0, 0], offset, [total])

The library is libpoolproof.so, looked for where PP_LIBRARY says, or else
where the system looks. Numbers must be from 0 to 2^64 - 1 (a class: to
2^32 - 1): others are a ValueError, never cut. What the rules refuse is a
Refused, which names the item. The functions may be called by several threads
at a time. backends/planner/planner.h says what each does.
SPDX-License-Identifier: MIT
"""
import ctypes
import ctypes.util
import os
from collections import namedtuple
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t
from ctypes import c_uint32, c_uint64, c_void_p

UNLIMITED = 2**64 - 1
USUAL_CAP = 2**32
SEGMENTS, ARENA = 0, 1

ITEM_OVER_CAP, OVER_CAP, BAD_SPAN, NO_MEMORY = 1, 2, 3, 4
STATUS = {ITEM_OVER_CAP: "item_over_cap", OVER_CAP: "over_cap",
          BAD_SPAN: "bad_span"}
VIOLATIONS = (None, "no_such_segment", "misaligned", "past_end",
              "segment_too_big", "shared_bytes", "wrong_size")

# span: a pair (first, last), both in it, or None: always live.
Item = namedtuple("Item", "size align item_class span",
                  defaults=(1, 0, None))
# bytes and step of the greatest sum; item_class is None for what always lives.
Peak = namedtuple("Peak", "bytes step item_class")
# kind: a word of VIOLATIONS. The rest is what pp_violation says of it.
Violation = namedtuple("Violation", "kind first second lo hi")


class Refused(Exception):
    """reason: a word of STATUS. index: the item that it names, or None."""

    def __init__(self, reason, index, text):
        super().__init__(text)
        self.reason = reason
        self.index = index


class _Item(ctypes.Structure):
    _fields_ = [("size", c_uint64), ("align", c_uint64), ("lo", c_uint64),
                ("hi", c_uint64), ("item_class", c_uint32),
                ("has_span", c_bool)]


class _Options(ctypes.Structure):
    _fields_ = [("cap", c_uint64), ("what", c_char_p),
                ("names", POINTER(c_char_p)), ("allocator", c_void_p)]


class _Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("index", c_size_t), ("what", c_char_p),
                ("name", c_char_p), ("item", _Item), ("cap", c_uint64)]


class _Peak(ctypes.Structure):
    _fields_ = [("bytes", c_uint64), ("step", c_uint64),
                ("item_class", c_uint32)]


class _Violation(ctypes.Structure):
    _fields_ = [("kind", c_int), ("first", c_size_t), ("second", c_size_t),
                ("lo", c_uint64), ("hi", c_uint64)]


def _library():
    path = (os.environ.get("PP_LIBRARY") or
            ctypes.util.find_library("poolproof") or "libpoolproof.so")
    library = ctypes.CDLL(path)
    items, sizes, numbers = POINTER(_Item), POINTER(c_size_t), POINTER(c_uint64)
    options, error = POINTER(_Options), POINTER(_Error)
    library.pp_segments_plan.argtypes = [items, c_size_t, options, sizes,
                                         numbers, numbers, sizes, error]
    library.pp_arena_plan.argtypes = [items, c_size_t, options, numbers,
                                      numbers, error]
    library.pp_lower_bound.argtypes = [items, c_size_t, c_void_p,
                                       POINTER(_Peak), sizes, numbers, sizes]
    library.pp_check.argtypes = [c_int, items, c_size_t, c_uint64, sizes,
                                 numbers, numbers, c_size_t, c_void_p,
                                 POINTER(_Violation), sizes]
    library.pp_error_text.argtypes = [error, c_char_p, c_size_t]
    library.pp_error_text.restype = c_size_t
    return library


_pp = _library()


def _fit(value, most=2**64 - 1):
    if not 0 <= value <= most:
        raise ValueError(f"{value} is not from 0 to {most}")
    return value


def _items(items):
    made = (_Item * len(items))()
    for to, (size, align, item_class, span) in zip(made, items):
        to.size, to.align = _fit(size), _fit(align)
        to.item_class = _fit(item_class, 2**32 - 1)
        if span is not None:
            to.has_span = True
            to.lo, to.hi = _fit(span[0]), _fit(span[1])
    return made


def _numbers(kind, values):
    return (kind * len(values))(*(_fit(value) for value in values))


def _error_text(error):
    text = ctypes.create_string_buffer(400)
    _pp.pp_error_text(byref(error), text, len(text))
    return text.value.decode(errors="replace")


def _raise(error, status):
    if status == NO_MEMORY:
        raise MemoryError
    index = error.index if error.index != c_size_t(-1).value else None
    raise Refused(STATUS[status], index, _error_text(error))


def _bad_span(index):
    raise Refused("bad_span", index, f"item {index} ends before it begins")


def segments_plan(items, cap=USUAL_CAP):
    """SEG: segment and offset of each item, bytes of each segment."""
    n, options, error = len(items), _Options(cap=_fit(cap)), _Error()
    segment, offset = (c_size_t * n)(), (c_uint64 * n)()
    size, segments = (c_uint64 * n)(), c_size_t()
    status = _pp.pp_segments_plan(_items(items), n, byref(options), segment,
                                  offset, size, byref(segments), byref(error))
    if status:
        _raise(error, status)
    return segment[:], offset[:], size[:segments.value]


def arena_plan(items, cap=USUAL_CAP):
    """ARN: the offset of each item, and the total."""
    n, options, error = len(items), _Options(cap=_fit(cap)), _Error()
    offset, total = (c_uint64 * n)(), c_uint64()
    status = _pp.pp_arena_plan(_items(items), n, byref(options), offset,
                               byref(total), byref(error))
    if status:
        _raise(error, status)
    return offset[:], total.value


def lower_bound(items):
    """VAL-3: a total that no valid arena is below, and the peaks behind it."""
    n = len(items)
    peak, peaks = (_Peak * (n + 1))(), c_size_t()
    bound, bad = c_uint64(), c_size_t()
    status = _pp.pp_lower_bound(_items(items), n, None, peak, byref(peaks),
                                byref(bound), byref(bad))
    if status == BAD_SPAN:
        _bad_span(bad.value)
    if status:
        raise MemoryError
    found = [Peak(one.bytes, one.step, one.item_class if k else None)
             for k, one in enumerate(peak[:peaks.value])]
    return bound.value, found


def check(kind, items, cap, segment, offset, sizes):
    """VAL: None, or the first Violation."""
    n = len(items)
    if len(segment) != n or len(offset) != n:
        raise ValueError("an item has no segment or no offset")
    violation, bad = _Violation(), c_size_t()
    status = _pp.pp_check(kind, _items(items), n, _fit(cap),
                          _numbers(c_size_t, segment),
                          _numbers(c_uint64, offset),
                          _numbers(c_uint64, sizes), len(sizes), None,
                          byref(violation), byref(bad))
    if status == BAD_SPAN:
        _bad_span(bad.value)
    if status:
        raise MemoryError
    if violation.kind == 0:
        return None
    return Violation(VIOLATIONS[violation.kind], violation.first,
                     violation.second, violation.lo, violation.hi)
