"""One break of each rule, by hand: (rule, file, function, old, new). The goals
that fail and cite a rule must cite this one; `also` lists the rules that the
same bytes belong to."""

BREAKS = (
    ("SEG-1", "align.c", "pp_ref_padding",
     "0 : align - rest", "0 : align", ()),
    ("SEG-2", "segments.c", "place",
     "    o = end + pad;", "    o = end;", ()),
    ("SEG-3", "segments.c", "place",
     "items[i].size > cap - end - pad", "items[i].size >= cap - end - pad", ()),
    ("SEG-4", "segments.c", "place",
     "size[k] = o + items[i].size;", "size[k] = items[i].size;", ()),
    ("SEG-5", "segments.c", "first_over_cap",
     "items[i].size > cap) return i", "items[i].size >= cap) return i", ()),
    ("SEG-6", "segments.c", "pp_ref_plan_pool_segments",
     "*segments = 0;", "*segments = 1;", ()),
    ("ARN-1", "conflict.h", "pp_ref_conflict",
     "items[i].item_class != items[j].item_class",
     "items[i].item_class == items[j].item_class", ()),
    ("ARN-2", "arena.c", "sink",
     "items[j].size >= items[i].size) return", "items[j].size > items[i].size) "
     "return", ()),
    ("ARN-3", "arena.c", "blocker",
     "o < offset[j] + items[j].size &&", "o <= offset[j] + items[j].size &&",
     ()),
    ("ARN-4", "arena.c", "place",
     "end > *total ? end", "end < *total ? end", ()),
    ("VAL-1", "validate.c", "found_clash",
     "offset[i] > offset[j] ? offset[i]", "offset[i] < offset[j] ? offset[i]",
     ()),
    ("VAL-2", "validate.c", "judge",
     "if (k == segments) return", "if (k <= segments) return", ("VAL-1",)),
)
