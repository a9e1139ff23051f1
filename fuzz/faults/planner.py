"""Faults of the fast planner, its checker and what they share."""

A, C, I, S = (f"backends/planner/{name}" for name in
              ("arena.c", "check.c", "internal.h", "segments.c"))
TIGHTEST = """
static bool tightest(const pp_arena *arena, size_t k, uint64_t *at) {
  const pp_item *a = &arena->items[arena->order[k].value];
  uint64_t least = UINT64_MAX;
  bool found = false;
  for (size_t c = 0; c <= k; c++) {
    size_t from = arena->order[c].value;
    uint64_t o = 0, room = UINT64_MAX;
    if (c < k && !pp_align_up(arena->offset[from] + arena->items[from].size,
                              a->align, &o)) continue;
    bool free = pp_fits(o, a->size, arena->cap);
    for (size_t p = 0; free && p < k; p++) {
      size_t j = arena->order[p].value;
      const pp_item *b = &arena->items[j];
      if (owner_of(a) == owner_of(b) && a->has_span &&
          (a->hi < b->lo || b->hi < a->lo)) continue;
      if (arena->offset[j] + b->size <= o) continue;
      if (arena->offset[j] < o + a->size) free = false;
      if (arena->offset[j] < room) room = arena->offset[j];
    }
    uint64_t spare = room == UINT64_MAX ? room : room - o;
    if (!free || (found && (spare > least || (spare == least && o >= *at))))
      continue;
    found = true;
    least = spare;
    *at = o;
  }
  return found;
}

"""
MISALIGNED = """  for (size_t i = 0; i < n; i++)
    if (items[i].align > 1 && offset[i] % items[i].align != 0)
      return (pp_violation){.kind = PP_MISALIGNED, .first = i};
"""
PAST_END = """  for (size_t i = 0; i < n; i++)
    if (!pp_fits(offset[i], items[i].size, size[segment[i]]))
      return (pp_violation){.kind = PP_PAST_END, .first = i};
"""

FAULTS = [
    ("arena: spans half-open",
     (A, ".last = group + pp_count_up_to(by_lo, m, item->hi)",
      ".last = group + pp_count_below(by_lo, m, item->hi)")),
    ("arena: class ignored",
     (A, "item->has_span ? item->item_class : PP_ALWAYS",
      "item->has_span ? 0 : PP_ALWAYS"),
     (A, "spans[k].key = items[spans[k].value].item_class;",
      "spans[k].key = 0;")),
    ("arena: always-live ignored",
     (A, "if (!arena->one_owner)", "if (!arena->one_owner && item->has_span)")),
    ("arena and segments: >= at the cap",
     (I, "offset <= limit - size", "offset < limit - size")),
    ("arena: ties reversed",
     (A, "{UINT64_MAX - arena->items[i].size, i}",
      "{UINT64_MAX - arena->items[n - 1 - i].size, n - 1 - i}")),
    ("arena: fit tested before alignment",
     (A, "return pp_align_up(hi, item->align, at) &&\n"
         "         pp_fits(*at, item->size, arena->cap);",
      "*at = hi;\n  return pp_fits(*at, item->size, arena->cap);"),
     (A, "    } else {\n      return true;\n",
      "    } else {\n      return pp_align_up(*at, item->align, at);\n")),
    ("arena and segments: mask rounding",
     (I, "(align & (align - 1)) == 0 ? x & (align - 1) : x % align",
      "x & (align - 1)")),
    ("arena: over-cap returns a partial plan",
     (A, "return PP_OVER_CAP;", "return PP_OK;")),
    ("arena: zero-size dropped",
     (A, "    offset[i] = at;\n",
      "    if (arena->items[i].size > 0) offset[i] = at;\n")),
    ("arena: end computed in 32 bits",
     (A, "(pp_pair){lo, lo + arena->items[j].size}",
      "(pp_pair){lo, (uint32_t)(lo + arena->items[j].size)}")),
    ("arena: owned end computed in 32 bits",
     (A, "own(arena, at, at + item->size, owner_of(item))",
      "own(arena, at, (uint32_t)(at + item->size), owner_of(item))")),
    ("arena: no leading gap",
     (A, "  *at = 0;\n  if (item->size > arena->cap)",
      "  *at = near_count ? arena->near[0].key : 0;\n"
      "  if (item->size > arena->cap)")),
    ("arena: bad span not refused",
     (A, "size_t at = pp_first_bad_span(items, n);", "size_t at = n;")),
    ("segments: end computed in 32 bits",
     (S, "    end = at + items[i].size;\n  }\n  if (n > 0)",
      "    end = (uint32_t)(at + items[i].size);\n  }\n  if (n > 0)")),
    ("segments: tail padding kept",
     (S, "size[open++] = end;\n      at = 0;",
      "size[open++] = at;\n      at = 0;")),
    ("segments: the last item over the cap is named",
     (S, "size_t i = 0;\n  while (i < n && items[i].size <= cap)\n    i++;\n"
         "  return i;",
      "size_t last = n;\n  for (size_t i = 0; i < n; i++)\n"
      "    if (items[i].size > cap) last = i;\n  return last;")),
    ("segments: zero-size dropped",
     (S, "    offset[i] = at;\n    end = at + items[i].size;\n  }\n  if (n > 0)",
      "    if (items[i].size > 0) offset[i] = at;\n"
      "    end = at + items[i].size;\n  }\n  if (n > 0)")),
    ("checker: spans half-open",
     (C, "checker->ends[gone].key < checker->starts[k].key",
      "checker->ends[gone].key <= checker->starts[k].key")),
    ("checker: class ignored",
     (C, "return item->item_class;", "return 0;")),
    ("checker: always-live ignored",
     (C, "    if (checker->items[i].size > 0)\n",
      "    if (checker->items[i].size > 0 && checker->items[i].has_span)\n")),
    ("checker: >= at the cap",
     (C, "size[k] > cap", "size[k] >= cap")),
    ("checker: mask rounding",
     (C, "offset[i] % items[i].align != 0",
      "(offset[i] & (items[i].align - 1)) != 0")),
    ("checker: end computed in 32 bits",
     (C, "return checker->offset[i] + checker->items[i].size;",
      "return (uint32_t)(checker->offset[i] + checker->items[i].size);")),
    ("checker: sizes believed",
     (C, "if (size[k] != exact[k])", "if (size[k] < exact[k])")),
    ("checker: the least first before the least second",
     (C, "return (pp_violation){PP_SHARED_BYTES, i, j, lo, hi};",
      "return (pp_violation){PP_SHARED_BYTES, j, i, lo, hi};")),
    ("arena: the tightest gap is taken",
     (A, "static void settle(", TIGHTEST + "static void settle("),
     (A, "if (!lowest_fit(arena, i, &at))",
      "if (!tightest(arena, k, &at))")),
    ("arena: a class counts as one of 16 bits",
     {"demands": ("vectors",)},
     (A, "spans[k].key = items[spans[k].value].item_class;",
      "spans[k].key = (uint16_t)items[spans[k].value].item_class;"),
     (A, "item->has_span ? item->item_class : PP_ALWAYS",
      "item->has_span ? (uint16_t)item->item_class : PP_ALWAYS")),
    ("arena: the smallest goes first",
     (A, "{UINT64_MAX - arena->items[i].size, i}",
      "{arena->items[i].size, i}")),
    ("arena: sizes compared in 53 bits",
     {"demands": ("vectors", "fuzz")},
     (A, "{UINT64_MAX - arena->items[i].size, i}",
      "{UINT64_MAX - (uint64_t)(double)arena->items[i].size, i}")),
    ("arena: the cap is not looked at",
     (A, ".cap = options->cap, .offset", ".cap = UINT64_MAX, .offset")),
    ("segments: back to the first segment that fits",
     (S, "    bool stays = pp_align_up(",
      "    size_t s = 0;\n"
      "    while (s < open && !(pp_align_up(size[s], items[i].align, &at) &&\n"
      "                         pp_fits(at, items[i].size, cap)))\n"
      "      s++;\n"
      "    if (s < open) {\n"
      "      segment[i] = s;\n"
      "      offset[i] = at;\n"
      "      size[s] = at + items[i].size;\n"
      "      continue;\n"
      "    }\n"
      "    bool stays = pp_align_up(")),
    ("segments: an item of no bytes never opens one",
     (S, "                 pp_fits(at, items[i].size, cap);\n    if (!stays)",
      "                 pp_fits(at, items[i].size, cap);\n"
      "    if (!stays && items[i].size > 0)")),
    ("segments: no segment for items of no bytes",
     (S, "if (n > 0) size[open++] = end;", "if (end > 0) size[open++] = end;")),
    ("checker: the segment number in 32 bits",
     {"demands": ("vectors",)},
     (C, "if (segment[i] >= segments)",
      "if ((uint32_t)segment[i] >= segments)"),
     (C, "size[segment[i]]", "size[(uint32_t)segment[i]]"),
     (C, "&exact[checker->segment[i]]",
      "&exact[(uint32_t)checker->segment[i]]")),
    ("checker: past the end is looked for before misaligned",
     (C, MISALIGNED + PAST_END, PAST_END + MISALIGNED)),
    ("checker: a bad span is passed over",
     {"demands": ("vectors", "fuzz")},
     (C, "*bad = kind == PP_ARENA ? pp_first_bad_span(items, n) : n;",
      "*bad = n;")),
    ("checker: items of no bytes left out of the ends",
     (C, "if (end_of(checker, i) > *end)",
      "if (checker->items[i].size > 0 && end_of(checker, i) > *end)")),
    ("checker: kind segments shares by life",
     (C, "checker->kind == PP_ARENA && item->has_span", "true")),
]

SECONDS = 10
DEMANDS = ("exhaust", "fuzz")


def checks(_):
    return {
        "exhaust": [("campaign", "exhaust", "--items", "3", "--jobs", "1")],
        "vectors": [("vectors",)],
        "fuzz": [("campaign", "fuzz", "--seed", "1", "--jobs", "1",
                  "--seconds", "{seconds}")],
        "tests": [("unit", "@(arena|segments|check|answer)/*")]}
