#include "planners.h"
#include "source.h"

#include "ref/ref.h"

#include <inttypes.h>
#include <stdio.h>

int pp_verify(const char *name, const pp_problem *problem, pp_kind kind,
              uint64_t cap, const pp_layout *layout, pp_side side,
              pp_violation *violation, pp_diag *diag) {
  size_t bad = 0;
  pp_status status =
      side == PP_SIDE_REF
          ? pp_ref_validate(kind, problem->items, problem->n, cap,
                            layout->segment, layout->offset, layout->size,
                            layout->segments, violation, &bad)
          : pp_check(kind, problem->items, problem->n, cap, layout->segment,
                     layout->offset, layout->size, layout->segments, NULL,
                     violation, &bad);
  if (status == PP_NO_MEMORY) return pp_fail_memory(diag);
  if (status == PP_OK) return 0;
  const pp_layout refused = {.status = status, .index = bad};
  char text[400];
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", pp_input_name(name),
                      pp_refusal_text(problem, pp_plan_of(kind), cap, &refused,
                                      text, sizeof text));
}

/* One item as a sentence tells of it. */
typedef struct pp_told {
  char text[320];
} pp_told;

static pp_told tell(const pp_problem *problem, pp_kind kind,
                    const pp_layout *layout, size_t i) {
  const pp_item *item = &problem->items[i];
  pp_told told;
  char id[64];
  char name[40];
  char life[64] = "always live";
  pp_printable(problem->ids[i], id, sizeof id);
  pp_printable(problem->class_names[item->item_class], name, sizeof name);
  if (item->has_span)
    snprintf(life, sizeof life, "span [%" PRIu64 ", %" PRIu64 "]", item->lo,
             item->hi);
  if (kind == PP_SEGMENTS)
    snprintf(told.text, sizeof told.text,
             "\"%s\" (offset %" PRIu64 ", size %" PRIu64 ")", id,
             layout->offset[i], item->size);
  else
    snprintf(told.text, sizeof told.text,
             "\"%s\" (%s, class %s, offset %" PRIu64 ", size %" PRIu64 ")", id,
             life, name, layout->offset[i], item->size);
  return told;
}

/* Why two items may not share bytes. */
static const char *reason(const pp_problem *problem, pp_kind kind, size_t i,
                          size_t j) {
  const pp_item *a = &problem->items[i];
  const pp_item *b = &problem->items[j];
  if (kind == PP_SEGMENTS) return "in one segment (SEG-2, VAL-1)";
  if (!a->has_span || !b->has_span)
    return "though one is always live (ARN-1, VAL-1)";
  if (a->item_class != b->item_class)
    return "though their classes differ (ARN-1, VAL-1)";
  return "while both live (ARN-1, VAL-1)";
}

static void tell_item(const pp_problem *problem, pp_kind kind,
                      const pp_layout *layout, const pp_violation *violation,
                      char *text, size_t size) {
  size_t i = violation->first;
  if (violation->kind == PP_NO_SUCH_SEGMENT && layout->segment[i] == SIZE_MAX) {
    char id[100];
    snprintf(text, size, "item \"%s\" has no place in the layout (VAL-1)",
             pp_printable(problem->ids[i], id, sizeof id));
    return;
  }
  pp_told told = tell(problem, kind, layout, i);
  if (violation->kind == PP_NO_SUCH_SEGMENT)
    snprintf(text, size, "item %s: segment %zu of %zu does not exist (VAL-1)",
             told.text, layout->segment[i], layout->segments);
  else if (violation->kind == PP_MISALIGNED)
    snprintf(text, size,
             "item %s: the offset is no multiple of alignment %" PRIu64
             " (SEG-1, VAL-1)",
             told.text, problem->items[i].align);
  else
    snprintf(text, size,
             "item %s ends past the %" PRIu64 " bytes of segment %zu (VAL-1)",
             told.text, layout->size[layout->segment[i]], layout->segment[i]);
}

const char *pp_violation_text(const pp_problem *problem, pp_kind kind,
                              const pp_layout *layout,
                              const pp_violation *violation, char *text,
                              size_t size) {
  size_t i = violation->first;
  switch (violation->kind) {
  case PP_VALID:
    snprintf(text, size, "valid");
    break;
  case PP_NO_SUCH_SEGMENT:
  case PP_MISALIGNED:
  case PP_PAST_END:
    tell_item(problem, kind, layout, violation, text, size);
    break;
  case PP_SEGMENT_TOO_BIG:
    snprintf(text, size,
             "segment %zu of %" PRIu64 " bytes is over the cap (SEG-3, ARN-4)",
             i, layout->size[i]);
    break;
  case PP_SHARED_BYTES: {
    pp_told a = tell(problem, kind, layout, i);
    pp_told b = tell(problem, kind, layout, violation->second);
    snprintf(text, size,
             "items %s and %s share bytes [%" PRIu64 ", %" PRIu64 ") %s",
             a.text, b.text, violation->lo, violation->hi,
             reason(problem, kind, i, violation->second));
    break;
  }
  case PP_WRONG_SIZE:
    snprintf(text, size,
             "segment %zu claims %" PRIu64 " bytes, its items end at %" PRIu64
             " (SEG-4, ARN-4, VAL-1)",
             i, violation->lo, violation->hi);
    break;
  }
  return text;
}
