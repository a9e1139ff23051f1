#include "internal.h"

#include <inttypes.h>
#include <stdio.h>

pp_status pp_refuse(pp_error *error, pp_status status,
                    const pp_plan_options *options, const pp_item *items,
                    size_t index) {
  if (!error) return status;
  *error = (pp_error){.status = status,
                      .index = index,
                      .what = options->what ? options->what : "",
                      .name = "",
                      .cap = options->cap};
  if (status == PP_NO_MEMORY) return status;
  error->item = items[index];
  if (options->names && options->names[index])
    error->name = options->names[index];
  return status;
}

static int refusal(const pp_error *e, const char *separator, char *text,
                   size_t size) {
  switch (e->status) {
  case PP_ITEM_OVER_CAP:
    return snprintf(text, size,
                    "%s%sitem %zu \"%s\": size %" PRIu64
                    " is over the cap of %" PRIu64 " bytes (SEG-5)",
                    e->what, separator, e->index, e->name, e->item.size,
                    e->cap);
  case PP_OVER_CAP:
    if (e->index == SIZE_MAX)
      return snprintf(text, size,
                      "%s%sthe plan passes the cap of %" PRIu64
                      " bytes (ARN-4)",
                      e->what, separator, e->cap);
    return snprintf(
        text, size,
        "%s%sthe plan passes the cap of %" PRIu64
        " bytes, first with item %zu \"%s\" of size %" PRIu64 " (ARN-4)",
        e->what, separator, e->cap, e->index, e->name, e->item.size);
  case PP_BAD_SPAN:
    return snprintf(text, size,
                    "%s%sitem %zu \"%s\": span [%" PRIu64 ", %" PRIu64
                    "] begins after its end (ARN, BAD_SPAN)",
                    e->what, separator, e->index, e->name, e->item.lo,
                    e->item.hi);
  case PP_NO_MEMORY:
    return snprintf(text, size, "%s%sout of memory", e->what, separator);
  default:
    break;
  }
  return snprintf(text, size, "%s%sok", e->what, separator);
}

size_t pp_error_text(const pp_error *error, char *text, size_t size) {
  int length = refusal(error, error->what[0] ? ": " : "", text, size);
  return length < 0 ? 0 : (size_t)length;
}
