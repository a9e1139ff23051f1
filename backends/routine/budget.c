/* poolproof: budgets as text (FPT-5).  SPDX-License-Identifier: MIT */
#include "internal.h"

#include <poolproof/footprint.h>

#include <string.h>

static unsigned shift_of(const char *suffix) {
  static const char letters[] = "KMG";
  enum { STEP = 10, NONE = 64 };
  if (suffix[0] == '\0') return 0;
  const char *letter = strchr(letters, suffix[0]);
  if (!letter || suffix[1] != '\0') return NONE;
  return STEP * (unsigned)(letter - letters + 1);
}

bool pp_budget_parse(const char *text, pp_budget *budget) {
  enum { TEN = 10 };
  uint64_t bytes = 0;
  if (strcmp(text, "minimize") == 0 || strcmp(text, "minimise") == 0) {
    *budget = (pp_budget){.kind = PP_BUDGET_MINIMISE};
    return true;
  }
  if (!pp_is_digit(*text)) return false;
  for (; pp_is_digit(*text); text++)
    if (__builtin_mul_overflow(bytes, (uint64_t)TEN, &bytes) ||
        __builtin_add_overflow(bytes, (uint64_t)(*text - '0'), &bytes))
      return false;
  unsigned shift = shift_of(text);
  if (shift >= 64 || bytes > UINT64_MAX >> shift) return false;
  if (bytes == 0 && shift > 0) return false;
  *budget = (pp_budget){.kind = PP_BUDGET_OFF};
  if (bytes > 0) *budget = (pp_budget){PP_BUDGET_BYTES, bytes << shift};
  return true;
}
