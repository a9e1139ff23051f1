#include "formats/ends.h"

#include <stddef.h>
#include <string.h>

bool pp_ends_named(const char *name, pp_ends *ends) {
  static const struct {
    const char *name;
    pp_ends ends;
  } names[] = {{"closed", PP_ENDS_CLOSED},
               {"inclusive", PP_ENDS_CLOSED},
               {"half-open", PP_ENDS_HALF_OPEN},
               {"exclusive", PP_ENDS_EXCLUSIVE}};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    if (strcmp(names[k].name, name) != 0) continue;
    *ends = names[k].ends;
    return true;
  }
  return false;
}

bool pp_ends_close(pp_ends ends, uint64_t *lower, uint64_t *upper) {
  uint64_t first = *lower;
  uint64_t last = *upper;
  if (last < first || (ends != PP_ENDS_CLOSED && last == first)) return false;
  if (ends != PP_ENDS_CLOSED) last--;
  if (ends == PP_ENDS_EXCLUSIVE && last == first) return false;
  *lower = ends == PP_ENDS_EXCLUSIVE ? first + 1 : first;
  *upper = last;
  return true;
}

bool pp_ends_open(pp_ends ends, uint64_t *lower, uint64_t *upper) {
  if (ends != PP_ENDS_CLOSED && *upper == UINT64_MAX) return false;
  if (ends == PP_ENDS_EXCLUSIVE && *lower == 0) return false;
  if (ends == PP_ENDS_EXCLUSIVE) (*lower)--;
  if (ends != PP_ENDS_CLOSED) (*upper)++;
  return true;
}

const char *pp_ends_rule(pp_ends ends) {
  switch (ends) {
  case PP_ENDS_EXCLUSIVE:
    return "both ends are exclusive and upper must be above lower + 1";
  case PP_ENDS_HALF_OPEN:
    return "upper is exclusive and must be above lower";
  case PP_ENDS_CLOSED:
  case PP_ENDS_SAID:
    break;
  }
  return "upper is inclusive and must not be below lower";
}
